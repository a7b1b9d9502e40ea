// Which instruction sets the dense scans are compiled for, and for which types.
#pragma once

#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "assignment/scans/dense_scans.h"

// The type that costs are stored in, and that of sums.
#define KONIG_FOR_EACH_SCAN(F) \
  F(int32_t, int32_t)          \
  F(int32_t, int64_t)          \
  F(int64_t, int64_t)          \
  F(float, double)             \
  F(double, double)

#define KONIG_DECLARE_SCANS(isa)               \
  namespace konig::isa {                       \
  template <class S, class T>                  \
  const DenseScans<S, T>& scans(bool negated); \
  }
KONIG_DECLARE_SCANS(baseline)
KONIG_DECLARE_SCANS(avx2)
KONIG_DECLARE_SCANS(avx512)
