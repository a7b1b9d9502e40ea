// The largest column duals that prove a sparse assignment and are no larger than given bounds.
//
// They are the lengths of shortest paths in the residual graph: every column starts at its bound, and a step
// from the column of a row to another column of the row is as long as the difference of their costs. With the
// given duals as potentials no step is negative, and Dijkstra's algorithm finds them.
//
// With the largest number of a type as the bound, for the column and its row, the result tells whether any
// duals fit the type.
#pragma once

#include <cstdint>
#include <vector>

#include "assignment/sparse/distance_heap.h"
#include "assignment/sparse/task.h"
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

}  // namespace konig
