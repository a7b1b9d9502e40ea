// The dense scans for AVX2.
#include "assignment/scans/instruction_sets.h"

#if defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("avx2")
#define KONIG_ISA avx2
#define KONIG_VECTOR_BYTES 32
#include "assignment/scans/scans_body.h"
#endif
