// The choice of the instruction set at run time.
#include "assignment/points/queries.h"

#include "assignment/points/queries_isa.h"

namespace konig {

// Returns what the functions of the best instruction set find.
#if defined(__x86_64__) && defined(__GNUC__)
#define KONIG_BEST_QUERIES(call)                                                                            \
  static const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && \
                                 __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");  \
  static const bool has_avx2 = __builtin_cpu_supports("avx2");                                              \
  if (has_avx512) return avx512::call;                                                                      \
  if (has_avx2) return avx2::call;                                                                          \
  return baseline::call
#else
#define KONIG_BEST_QUERIES(call) return baseline::call
#endif

double PointQueries::cost(const PointSet& from, int64_t i, const PointSet& set, int64_t j) const {
  return for_metric(metric_, [&]<Metric kMetric>() {
    double sum = 0;
    for (int64_t k = 0; k < from.dimension; ++k) Terms<kMetric>::add(sum, from.at(i, k) - set.at(j, k));
    return Terms<kMetric>::cost(sum);
  });
}

void PointQueries::nearest(const PointSet& from, const PointSet& set, int64_t k, const double* bound,
                           Neighbours& found, Run& run) const {
  const PointQuery query{metric_, threads_, from, set};
  KONIG_BEST_QUERIES(nearest(query, k, bound, found, run));
}

void PointQueries::lowest(const PointSet& from, const PointSet& set, double* lowest, Run& run) const {
  const PointQuery query{metric_, threads_, from, set};
  KONIG_BEST_QUERIES(lowest(query, lowest, run));
}

PointsWithin PointQueries::within(const PointSet& from, const int32_t* some, int64_t count,
                                  const double* bound, const PointSet& set, Run& run) const {
  const PointQuery query{metric_, threads_, from, set};
  KONIG_BEST_QUERIES(within(query, some, count, bound, run));
}

}  // namespace konig
