// The lists of a transposed sparse problem.
#pragma once

#include <cstdint>
#include <vector>

#include "assignment/sparse/task.h"

namespace konig {

template <class S>
struct TransposedCosts {
  explicit TransposedCosts(const SparseCosts<S>& given)
      : rows(given.cols),
        cols(given.rows),
        start(size_t(given.cols) + 1, 0),
        col(size_t(given.start[given.rows])),
        cost(size_t(given.start[given.rows])) {
    for (size_t e = 0; e < col.size(); ++e) ++start[given.col[e] + 1];
    for (int64_t j = 0; j < given.cols; ++j) start[j + 1] += start[j];
    std::vector<int64_t> next = start;
    for (int64_t i = 0; i < given.rows; ++i)
      for (int64_t e = given.start[i]; e < given.start[i + 1]; ++e) {
        const int64_t to = next[given.col[e]]++;
        col[to] = int32_t(i);
        cost[to] = given.cost[e];
      }
  }
  SparseCosts<S> costs() const { return {rows, cols, start.data(), col.data(), cost.data()}; }

  int64_t rows, cols;
  std::vector<int64_t> start;
  std::vector<int32_t> col;
  std::vector<S> cost;
};

}  // namespace konig
