// The dense scans for any machine.
#include "assignment/scans/instruction_sets.h"

#define KONIG_ISA baseline
#define KONIG_VECTOR_BYTES 16
#include "assignment/scans/scans_body.h"
