// The dense scans for AVX-512.
#include "assignment/scans/instruction_sets.h"

#if defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw")
#define KONIG_ISA avx512
#define KONIG_VECTOR_BYTES 64
#include "assignment/scans/scans_body.h"
#endif
