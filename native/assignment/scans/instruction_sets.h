// Which instruction sets the dense scans are compiled for, and for which types.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "assignment/scans/dense_scans.h"

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

#define KONIG_DECLARE_EXTENT(S)                                       \
  Extent<S> extent(const S* cost, int64_t count, bool likely_finite); \
  ColumnScan<S> column_least(S, bool negated);                        \
  const PairScans<S>& choices(S, bool negated);
#define KONIG_DEFINE_EXTENT(S)                                                                               \
  Extent<S> extent(const S* cost, int64_t count, bool likely_finite) {                                       \
    return ScanCosts<S>::extent(cost, count, likely_finite);                                                 \
  }                                                                                                          \
  ColumnScan<S> column_least(S, bool negated) {                                                              \
    return negated ? ScanCosts<S>::template column_least<true> : ScanCosts<S>::template column_least<false>; \
  }                                                                                                          \
  const PairScans<S>& choices(S, bool negated) {                                                             \
    return negated ? ChoosePairs<S, true>::table : ChoosePairs<S, false>::table;                             \
  }

#define KONIG_DECLARE_SCANS(S, T) const DenseScans<S, T>& scans(S, T, bool negated);
#define KONIG_DEFINE_SCANS(S, T) \
  const DenseScans<S, T>& scans(S, T, bool negated) { return table_of<S, T>(negated); }

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
