#include "assignment/scans/dense_scans.h"

#include "assignment/scans/instruction_sets.h"

namespace konig {
namespace {

enum class Isa { baseline, avx2, avx512 };

Isa find_best_isa() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
    return Isa::avx512;
  if (__builtin_cpu_supports("avx2")) return Isa::avx2;
#endif
  return Isa::baseline;
}

Isa best_isa() {
  static const Isa best = find_best_isa();
  return best;
}

}  // namespace

template <class S, class T>
const DenseScans<S, T>& dense_scans(bool negated) {
  const auto choose = [](bool turned) -> const DenseScans<S, T>& {
#if defined(__x86_64__) && defined(__GNUC__)
    if (best_isa() == Isa::avx512) return avx512::scans(S(), T(), turned);
    if (best_isa() == Isa::avx2) return avx2::scans(S(), T(), turned);
#endif
    return baseline::scans(S(), T(), turned);
  };
  static const DenseScans<S, T>*const as_they_are = &choose(false), *const with_the_other_sign =
                                                                        &choose(true);
  return negated ? *with_the_other_sign : *as_they_are;
}

template <class S>
ExtentScan<S> extent_scan() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (best_isa() == Isa::avx512) return avx512::extent;
  if (best_isa() == Isa::avx2) return avx2::extent;
#endif
  return baseline::extent;
}

template <class S>
ColumnScan<S> column_scan(bool negated) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (best_isa() == Isa::avx512) return avx512::column_least(S(), negated);
  if (best_isa() == Isa::avx2) return avx2::column_least(S(), negated);
#endif
  return baseline::column_least(S(), negated);
}

template <class S>
const PairScans<S>& pair_scans(bool negated) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (best_isa() == Isa::avx512) return avx512::choices(S(), negated);
  if (best_isa() == Isa::avx2) return avx2::choices(S(), negated);
#endif
  return baseline::choices(S(), negated);
}

#define KONIG_INSTANTIATE_EXTENT(S)            \
  template ExtentScan<S> extent_scan<S>();     \
  template ColumnScan<S> column_scan<S>(bool); \
  template const PairScans<S>& pair_scans<S>(bool);
KONIG_FOR_EACH_COST(KONIG_INSTANTIATE_EXTENT)

#define KONIG_INSTANTIATE(S, T) template const DenseScans<S, T>& dense_scans<S, T>(bool);
KONIG_FOR_EACH_SCAN(KONIG_INSTANTIATE)

}  // namespace konig
