#include "sequential/assignment/cost_survey.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "sequential/assignment/dense_scans.h"

namespace konig {
namespace {

constexpr int64_t kBlock = 4096;

// What is bad or infinite in a block that has something of the kind.
template <class S>
void look_closely(const S* cost, int64_t first, int64_t last, bool maximize, CostSurvey& seen) {
  for (int64_t k = first; k < last; ++k) {
    const S size = std::abs(cost[k]);
    if (std::isnan(size)) {
      if (seen.first_nan < 0) seen.first_nan = k;
    } else if (std::isinf(size)) {
      seen.forbids = true;
      if ((cost[k] > 0) == maximize && seen.first_wrong < 0) seen.first_wrong = k;
    } else {
      seen.largest = std::max(seen.largest, double(size));
    }
  }
}

}  // namespace

template <class S>
CostSurvey survey_costs(const S* cost, int64_t count, bool maximize) {
  static const ExtentScan<S> extent_of = extent_scan<S>();
  CostSurvey seen;
  for (int64_t first = 0; first < count; first += kBlock) {
    const int64_t last = std::min(first + kBlock, count);
    const Extent<S> extent = extent_of(cost + first, last - first);
    if constexpr (std::is_integral_v<S>) {
      using Limits = std::numeric_limits<S>;
      if (sizeof(S) == 8 && seen.first_wrong < 0 &&
          (extent.least == Limits::min() || extent.most == Limits::max()))
        seen.first_wrong = std::find_if(cost + first, cost + last,
                                        [](S c) { return c == Limits::min() || c == Limits::max(); }) -
                           cost;
    } else if (!extent.finite) {
      look_closely(cost, first, last, maximize, seen);
      continue;
    }
    seen.largest = std::max({seen.largest, -double(extent.least), double(extent.most)});
  }
  return seen;
}

template CostSurvey survey_costs(const int32_t*, int64_t, bool);
template CostSurvey survey_costs(const int64_t*, int64_t, bool);
template CostSurvey survey_costs(const float*, int64_t, bool);
template CostSurvey survey_costs(const double*, int64_t, bool);

}  // namespace konig
