// The largest column duals that prove a sparse assignment and are no larger than given bounds.
//
// They are the lengths of shortest paths of the residual graph, from every column at its bound, where a step
// from the column of a row to another column of the row is as long as that costs more. With the duals that
// there are as potentials no step is negative, and Dijkstra's algorithm finds them.
//
// With 0 for a bound duals are small wherever that is possible: an entry that is not assigned can only make
// paths longer, however dear it is, so that no dual is below what rows pay more than their least cost, summed
// up. Of a rectangle columns without a row stay at 0: their paths are not negative. With the largest duals
// that a type holds, of the column and of its row, for bounds, the lower ones decide whether any duals fit.
#pragma once

#include <cstdint>
#include <vector>

#include "assignment/sparse/costs.h"
#include "assignment/sparse/distance_heap.h"
#include "core/run.h"

namespace konig {

// `paths` has solved these costs.
template <class T, class S, class Paths, class Bound>
std::vector<T> largest_duals(const Paths& paths, const SparseCosts<S>& costs, Bound bound, Run& run) {
  std::vector<T> distance(size_t(costs.cols));  // less the potential
  DistanceHeap<T> heap;
  for (int64_t j = 0; j < costs.cols; ++j) {
    distance[j] = bound(j) - paths.col_dual(j);
    heap.push({distance[j], int32_t(j)});
  }
  while (!heap.empty()) {
    const auto [here, j] = heap.top();
    heap.pop();
    const int32_t i = paths.row_of_col(j);
    if (i < 0 || here != distance[j]) continue;
    const T paid = paths.row_dual(i);
    for (int64_t e = costs.start[i]; e < costs.start[i + 1]; ++e) {
      const int32_t other = costs.col[e];
      const T through = here + (T(costs.cost[e]) - paths.col_dual(other) - paid);
      if (!(through < distance[other])) continue;
      distance[other] = through;
      heap.push({through, other});
    }
    run.spend(costs.start[i + 1] - costs.start[i] + 1);
  }
  for (int64_t j = 0; j < costs.cols; ++j) distance[j] += paths.col_dual(j);
  return distance;
}

template <class T, class S, class Paths>
std::vector<T> small_duals(const Paths& paths, const SparseCosts<S>& costs, Run& run) {
  return largest_duals<T>(paths, costs, [](int64_t) { return T(0); }, run);
}

}  // namespace konig
