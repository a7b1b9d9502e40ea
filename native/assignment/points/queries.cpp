// The choice of the instruction set at run time.
#include "assignment/points/queries.h"

#include "assignment/points/queries_isa.h"
#include "core/processor.h"

namespace konig {

// Returns what the functions of the best instruction set find.
#if KONIG_CHOOSES_INSTRUCTIONS
#define KONIG_BEST_QUERIES(call)                         \
  if (Processor::here().has_avx512) return avx512::call; \
  if (Processor::here().has_avx2) return avx2::call;     \
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

void all_costs(const PointPairs& pairs, double* cost, Run& run) {
  KONIG_BEST_QUERIES(all_costs(pairs, cost, run));
}

}  // namespace konig
