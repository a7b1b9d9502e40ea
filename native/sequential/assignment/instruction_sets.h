// Which instruction sets the dense scans are compiled for, and for which types.
#pragma once

#include "sequential/assignment/dense_scans.h"

namespace konig {

// stored type, type of sums
#define KONIG_FOR_EACH_SCAN(F) \
  F(int32_t, int32_t)          \
  F(int32_t, int64_t)          \
  F(int64_t, int64_t)          \
  F(int64_t, int128)           \
  F(float, double)             \
  F(double, double)

#define KONIG_DECLARE_SCANS(S, T) const DenseScans<S, T>& scans(S, T);
#define KONIG_DEFINE_SCANS(S, T) \
  const DenseScans<S, T>& scans(S, T) { return Scan<S, T>::table; }

namespace baseline {
KONIG_FOR_EACH_SCAN(KONIG_DECLARE_SCANS)
}
#if defined(__x86_64__) && defined(__GNUC__)
namespace avx2 {
KONIG_FOR_EACH_SCAN(KONIG_DECLARE_SCANS)
}
namespace avx512 {
KONIG_FOR_EACH_SCAN(KONIG_DECLARE_SCANS)
}
#endif

}  // namespace konig
