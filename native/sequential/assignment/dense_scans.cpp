#include "sequential/assignment/dense_scans.h"

#include "sequential/assignment/instruction_sets.h"

namespace konig {
namespace {

enum class Isa { baseline, avx2, avx512 };

Isa best_isa() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
    return Isa::avx512;
  if (__builtin_cpu_supports("avx2")) return Isa::avx2;
#endif
  return Isa::baseline;
}

}  // namespace

template <class S, class T>
const DenseScans<S, T>& dense_scans() {
  static const DenseScans<S, T>& chosen = [&]() -> const DenseScans<S, T>& {
#if defined(__x86_64__) && defined(__GNUC__)
    if (best_isa() == Isa::avx512) return avx512::scans(S(), T());
    if (best_isa() == Isa::avx2) return avx2::scans(S(), T());
#endif
    return baseline::scans(S(), T());
  }();
  return chosen;
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
ColumnScan<S> column_scan() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (best_isa() == Isa::avx512) return avx512::column_least;
  if (best_isa() == Isa::avx2) return avx2::column_least;
#endif
  return baseline::column_least;
}

template <class S>
const PairScans<S>& pair_scans() {
  static const PairScans<S>& chosen = [&]() -> const PairScans<S>& {
#if defined(__x86_64__) && defined(__GNUC__)
    if (best_isa() == Isa::avx512) return avx512::choices(S());
    if (best_isa() == Isa::avx2) return avx2::choices(S());
#endif
    return baseline::choices(S());
  }();
  return chosen;
}

#define KONIG_INSTANTIATE_EXTENT(S)        \
  template ExtentScan<S> extent_scan<S>(); \
  template ColumnScan<S> column_scan<S>(); \
  template const PairScans<S>& pair_scans<S>();
KONIG_FOR_EACH_COST(KONIG_INSTANTIATE_EXTENT)

#define KONIG_INSTANTIATE(S, T) template const DenseScans<S, T>& dense_scans<S, T>();
KONIG_FOR_EACH_SCAN(KONIG_INSTANTIATE)

}  // namespace konig
