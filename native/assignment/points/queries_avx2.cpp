// The searches of point sets for AVX2.
#include "assignment/points/queries_isa.h"

#if defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("avx2")
#define KONIG_ISA avx2
#include "assignment/points/queries_body.h"
#endif
