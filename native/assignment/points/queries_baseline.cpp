// The searches of point sets for any machine.
#include "assignment/points/queries_isa.h"

#define KONIG_ISA baseline
#include "assignment/points/queries_body.h"
