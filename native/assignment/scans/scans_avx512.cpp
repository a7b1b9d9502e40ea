// The dense scans for AVX-512.
#include "assignment/scans/instruction_sets.h"

#if defined(__x86_64__) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw"))), \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw")
#endif
#define KONIG_ISA avx512
#define KONIG_VECTOR_BYTES 64
#include "assignment/scans/scans_body.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
