// The largest column duals that are at most 0 and prove a sparse assignment: small wherever that is possible.
//
// They are the lengths of shortest paths of the residual graph, from every column at 0, where a step from the
// column of a row to another column of the row is as long as that costs more. A pair that is not assigned can
// only make paths longer, however dear it is, so that no dual is below what rows pay more than their least
// cost, summed up. With the duals that there are as potentials no step is negative, and Dijkstra's algorithm
// finds them. Of a rectangle columns without a row stay at 0: their paths are not negative.
#pragma once

#include <cstdint>
#include <vector>

#include "assignment/sparse/costs.h"
#include "assignment/sparse/distance_heap.h"
#include "core/run.h"

namespace konig {

// `paths` has solved these costs.
template <class T, class S, class Paths>
std::vector<T> small_duals(const Paths& paths, const SparseCosts<S>& costs, Run& run) {
  std::vector<T> distance(size_t(costs.cols));  // less the potential
  DistanceHeap<T> heap;
  for (int64_t j = 0; j < costs.cols; ++j) {
    distance[j] = -paths.col_dual(j);
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
