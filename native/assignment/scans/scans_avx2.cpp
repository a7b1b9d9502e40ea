// The dense scans for AVX2.
#include "assignment/scans/instruction_sets.h"

#if defined(__x86_64__) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define KONIG_ISA avx2
#define KONIG_VECTOR_BYTES 32
#include "assignment/scans/scans_body.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
