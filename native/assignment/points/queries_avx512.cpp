// The searches of point sets for AVX-512.
#include "assignment/points/queries_isa.h"

#if defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw")
#define KONIG_ISA avx512
#include "assignment/points/queries_body.h"
#endif
