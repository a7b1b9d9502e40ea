#include "assignment/scans/cost_survey.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "core/row_workers.h"

namespace konig {
namespace {

constexpr int64_t kBlock = 4096;

// The position of the first cost of which something holds, -1 if there is none.
template <class S, class Holds>
int64_t first_of(const S* cost, int64_t first, int64_t last, const Holds& holds) {
  const S* const found = std::find_if(cost + first, cost + last, holds);
  return found == cost + last ? -1 : found - cost;
}

}  // namespace

template <class S>
CostSurvey survey_costs(const S* cost, int64_t count, bool maximize) {
  using Limits = std::numeric_limits<S>;
  const auto extent_of = dense_scans<S, NarrowSums<S>>().extent;
  CostSurvey seen;
  for (int64_t first = 0; first < count; first += kBlock) {
    const int64_t last = std::min(first + kBlock, count);
    const Extent<S> extent = extent_of(cost + first, last - first);
    seen.largest = std::max({seen.largest, -double(extent.least), double(extent.most)});
    if constexpr (std::is_integral_v<S>) {
      // Solvers forbid pairs by the largest integer, which the one after the least becomes when its sign
      // changes.
      const S least = maximize ? Limits::min() + 1 : Limits::min();
      const bool at_an_end = extent.least <= least || extent.most == Limits::max();
      if (sizeof(S) == 8 && at_an_end && seen.first_wrong < 0)
        seen.first_wrong = first_of(cost, first, last, [&](S c) { return c <= least || c == Limits::max(); });
    } else {
      const S wrong = maximize ? Limits::infinity() : -Limits::infinity();
      seen.forbids = seen.forbids || extent.infinity || extent.minus_infinity;
      if (extent.nan && seen.first_nan < 0)
        seen.first_nan = first_of(cost, first, last, [](S c) { return std::isnan(c); });
      if ((maximize ? extent.infinity : extent.minus_infinity) && seen.first_wrong < 0)
        seen.first_wrong = first_of(cost, first, last, [&](S c) { return c == wrong; });
    }
  }
  return seen;
}

template <class S>
CostSurvey survey_costs(const S* cost, int64_t count, bool maximize, int threads, Run& run) {
  constexpr int64_t kPiece = 1 << 18;
  const int64_t pieces = (count + kPiece - 1) / kPiece;
  if (pieces < 2 || threads < 2) return survey_costs(cost, count, maximize);
  std::vector<CostSurvey> seen(pieces);
  for_rows(threads, pieces, kPiece, run, [&](int, int64_t first, int64_t last) {
    for (int64_t piece = first; piece < last; ++piece) {
      const int64_t from = piece * kPiece;
      seen[piece] = survey_costs(cost + from, std::min(kPiece, count - from), maximize);
    }
  });
  CostSurvey all;
  for (int64_t piece = 0; piece < pieces; ++piece) all.add(seen[piece], piece * kPiece);
  return all;
}

#define KONIG_INSTANTIATE(S)                                 \
  template CostSurvey survey_costs(const S*, int64_t, bool); \
  template CostSurvey survey_costs(const S*, int64_t, bool, int, Run&);
KONIG_INSTANTIATE(int32_t)
KONIG_INSTANTIATE(int64_t)
KONIG_INSTANTIATE(float)
KONIG_INSTANTIATE(double)

}  // namespace konig
