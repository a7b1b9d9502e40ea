// The searches of point sets for AVX2.
#include "assignment/points/queries_isa.h"

#if defined(__x86_64__) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define KONIG_ISA avx2
#include "assignment/points/queries_body.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
