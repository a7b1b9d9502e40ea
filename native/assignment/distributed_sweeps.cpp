#include "assignment/distributed_sweeps.h"

namespace konig {

template class NumberBlock<int32_t>;
template class NumberBlock<int64_t>;

template <class S>
void whole_numbers(const S* cost, int64_t count, const assignment::RealScale& scale, int threads,
                   int64_t* number, Run& run) {
  for_rows(threads, count, 1, run, [&](int, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) number[k] = scale.value(double(cost[k]));
  });
}
template void whole_numbers(const float*, int64_t, const assignment::RealScale&, int, int64_t*, Run&);
template void whole_numbers(const double*, int64_t, const assignment::RealScale&, int, int64_t*, Run&);

}  // namespace konig
