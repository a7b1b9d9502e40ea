// The choice of the instruction set at run time.
#include "assignment/scans/dense_scans.h"

#include "assignment/scans/instruction_sets.h"
#include "core/processor.h"

namespace konig {

template <class S, class T>
const DenseScans<S, T>& dense_scans(bool negated) {
#if KONIG_CHOOSES_INSTRUCTIONS
  if (Processor::here().has_avx512) return avx512::scans<S, T>(negated);
  if (Processor::here().has_avx2) return avx2::scans<S, T>(negated);
#endif
  return baseline::scans<S, T>(negated);
}

#define KONIG_INSTANTIATE(S, T) template const DenseScans<S, T>& dense_scans<S, T>(bool);
KONIG_FOR_EACH_SCAN(KONIG_INSTANTIATE)

}  // namespace konig
