// Checks costs block by block: a scan finds the range of a block, and only a block with a bad cost is
// searched.
#include "assignment/scans/cost_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "core/shared_loop.h"

namespace konig {
namespace {

constexpr int64_t kBlock = 4096;

// The position of the first cost for which `holds` is true; -1 if there is none.
template <class S, class Holds>
int64_t first_of(const S* cost, int64_t first, int64_t last, const Holds& holds) {
  const S* const found = std::find_if(cost + first, cost + last, holds);
  return found == cost + last ? -1 : found - cost;
}

}  // namespace

template <class S>
CostCheck check_costs(const S* cost, int64_t count, bool maximize) {
  using Limits = std::numeric_limits<S>;
  const auto extent_of = dense_scans<S, NarrowSums<S>>().extent;
  CostCheck check;
  for (int64_t first = 0; first < count; first += kBlock) {
    const int64_t last = std::min(first + kBlock, count);
    const Extent<S> extent = extent_of(cost + first, last - first);
    check.largest = std::max({check.largest, -double(extent.least), double(extent.most)});
    if constexpr (std::is_integral_v<S>) {
      // Solvers forbid pairs by the largest integer, which is the least one plus 1 negated.
      const S least = maximize ? Limits::min() + 1 : Limits::min();
      const bool at_an_end = extent.least <= least || extent.most == Limits::max();
      if (sizeof(S) == 8 && at_an_end && check.first_wrong < 0)
        check.first_wrong =
            first_of(cost, first, last, [&](S c) { return c <= least || c == Limits::max(); });
    } else {
      const S wrong = maximize ? Limits::infinity() : -Limits::infinity();
      check.forbids = check.forbids || extent.infinity || extent.minus_infinity;
      if (extent.nan && check.first_nan < 0)
        check.first_nan = first_of(cost, first, last, [](S c) { return std::isnan(c); });
      if ((maximize ? extent.infinity : extent.minus_infinity) && check.first_wrong < 0)
        check.first_wrong = first_of(cost, first, last, [&](S c) { return c == wrong; });
    }
  }
  return check;
}

template <class S>
CostCheck check_costs(const S* cost, int64_t count, bool maximize, int threads, Run& run) {
  constexpr int64_t kPiece = 1 << 18;
  const int64_t pieces = (count + kPiece - 1) / kPiece;
  if (pieces < 2 || threads < 2) return check_costs(cost, count, maximize);
  std::vector<CostCheck> checks(pieces);
  for_rows(threads, pieces, kPiece, run, [&](int, int64_t first, int64_t last) {
    for (int64_t piece = first; piece < last; ++piece) {
      const int64_t from = piece * kPiece;
      checks[piece] = check_costs(cost + from, std::min(kPiece, count - from), maximize);
    }
  });
  CostCheck all;
  for (int64_t piece = 0; piece < pieces; ++piece) all.add(checks[piece], piece * kPiece);
  return all;
}

#define KONIG_INSTANTIATE(S)                               \
  template CostCheck check_costs(const S*, int64_t, bool); \
  template CostCheck check_costs(const S*, int64_t, bool, int, Run&);
KONIG_FOR_EACH_COST(KONIG_INSTANTIATE)

}  // namespace konig
