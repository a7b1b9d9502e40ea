// The choice of the instruction set at run time.
#include "assignment/scans/dense_scans.h"

#include "assignment/scans/instruction_sets.h"

namespace konig {

template <class S, class T>
const DenseScans<S, T>& dense_scans(bool negated) {
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                                 __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx512) return avx512::scans<S, T>(negated);
  if (has_avx2) return avx2::scans<S, T>(negated);
#endif
  return baseline::scans<S, T>(negated);
}

#define KONIG_INSTANTIATE(S, T) template const DenseScans<S, T>& dense_scans<S, T>(bool);
KONIG_FOR_EACH_SCAN(KONIG_INSTANTIATE)

}  // namespace konig
