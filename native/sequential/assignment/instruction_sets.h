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

#define KONIG_FOR_EACH_COST(F) F(int32_t) F(int64_t) F(float) F(double)

#define KONIG_DECLARE_EXTENT(S)                                                                              \
  Extent<S> extent(const S* cost, int64_t count, bool likely_finite);                                        \
  S column_least(const S* cost, int64_t first, int64_t last, int64_t cols, S* least, int32_t* row_of_least); \
  const PairScans<S>& choices(S);
#define KONIG_DEFINE_EXTENT(S)                                                       \
  Extent<S> extent(const S* cost, int64_t count, bool likely_finite) {               \
    return ScanCosts<S>::extent(cost, count, likely_finite);                         \
  }                                                                                  \
  S column_least(const S* cost, int64_t first, int64_t last, int64_t cols, S* least, \
                 int32_t* row_of_least) {                                            \
    return ScanCosts<S>::column_least(cost, first, last, cols, least, row_of_least); \
  }                                                                                  \
  const PairScans<S>& choices(S) { return ChoosePairs<S>::table; }

#define KONIG_DECLARE_SCANS(S, T) const DenseScans<S, T>& scans(S, T);
#define KONIG_DEFINE_SCANS(S, T) \
  const DenseScans<S, T>& scans(S, T) { return Scan<S, T>::table; }

namespace baseline {
KONIG_FOR_EACH_SCAN(KONIG_DECLARE_SCANS)
KONIG_FOR_EACH_COST(KONIG_DECLARE_EXTENT)
}  // namespace baseline
#if defined(__x86_64__) && defined(__GNUC__)
namespace avx2 {
KONIG_FOR_EACH_SCAN(KONIG_DECLARE_SCANS)
KONIG_FOR_EACH_COST(KONIG_DECLARE_EXTENT)
}  // namespace avx2
namespace avx512 {
KONIG_FOR_EACH_SCAN(KONIG_DECLARE_SCANS)
KONIG_FOR_EACH_COST(KONIG_DECLARE_EXTENT)
}  // namespace avx512
#endif

}  // namespace konig
