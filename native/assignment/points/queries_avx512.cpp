// The searches of point sets for AVX-512.
#include "assignment/points/queries_isa.h"

#if defined(__x86_64__) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw"))), \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw")
#endif
#define KONIG_ISA avx512
#include "assignment/points/queries_body.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
