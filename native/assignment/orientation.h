// Which way round a dense task is solved, and its costs in that orientation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "assignment/task.h"
#include "core/row_workers.h"

namespace konig {

// The shorter side is assigned: the rows of the solver.
struct Oriented {
  Oriented(int64_t task_rows, int64_t task_cols)
      : transposed(task_rows > task_cols),
        rows(transposed ? task_cols : task_rows),
        cols(transposed ? task_rows : task_cols) {}
  bool transposed;
  int64_t rows, cols;
};

template <class C>
using Buffer = std::unique_ptr<C[]>;

// Writes value(cost) of every cost, column after column.
template <class C, class S, class Value>
void transpose(const DenseTask<S>& task, C* made, Run& run, const Value& value) {
  constexpr int64_t kTile = 32;  // both sides of a tile stay in the cache
  const int64_t stripes = (task.cols + kTile - 1) / kTile;
  for_rows(task.threads, stripes, kTile * task.rows, run, [&](int, int64_t first, int64_t last) {
    for (int64_t i0 = 0; i0 < task.rows; i0 += kTile) {
      const int64_t i1 = std::min(i0 + kTile, task.rows);
      for (int64_t j = first * kTile; j < std::min(last * kTile, task.cols); ++j) {
        const S* const from = task.cost + j;
        C* const to = made + j * task.rows;
        for (int64_t i = i0; i < i1; ++i) to[i] = value(from[i * task.cols]);
      }
    }
  });
}

// The costs to minimise, row after row of the shorter side: the caller's own where they are that already, but
// perhaps for the sign.
template <class C, class S>
SignedCosts<C> oriented_costs(const DenseTask<S>& task, const Oriented& shape, Buffer<C>& made, Run& run,
                              C scale = 1) {
  if constexpr (std::is_same_v<C, S>)
    if (!shape.transposed && scale == C(1)) return {task.cost, task.maximize};
  const C factor = task.maximize ? -scale : scale;
  made.reset(new C[size_t(shape.rows * shape.cols)]);
  if (!shape.transposed) {
    for_rows(task.threads, task.rows, task.cols, run, [&](int, int64_t first, int64_t last) {
      for (int64_t k = first * task.cols; k < last * task.cols; ++k) made[k] = C(task.cost[k]) * factor;
    });
    return made.get();
  }
  if (factor == C(1))
    transpose(task, made.get(), run, [](S cost) { return C(cost); });
  else
    transpose(task, made.get(), run, [factor](S cost) { return C(cost) * factor; });
  return made.get();
}

}  // namespace konig
