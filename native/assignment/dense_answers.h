// The answer of a dense solver as the caller wants it: pairs, cost, duals that prove it, counts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/dense_orientation.h"
#include "assignment/dense_real_costs.h"
#include "assignment/dense_task.h"
#include "assignment/duals.h"
#include "assignment/exact/core.h"

namespace konig {

template <class P>
void count(const P& paths, Run& run) {
  run.count("bids", paths.counts().bids);
  run.count("reduced_rows", paths.counts().reduced_rows);
  run.count("row_reductions", paths.counts().row_reductions);
  run.count("paths", paths.counts().paths);
  run.count("row_scans", paths.counts().row_scans);
}

// What the method core counts where it needed none, or one that no price could add to.
template <class Counts>
void count_core(int64_t entries, const Counts& counts, Run& run) {
  run.count("core_entries", entries);
  run.count("pricing_rounds", 0);
  run.count("whole_solves", int64_t(entries == 0));
  run.count("bids", counts.bids);
  run.count("row_reductions", counts.row_reductions);
  run.count("paths", counts.paths);
}

// The pairs in the caller's orientation, and the sum of their costs.
template <class S>
void write_pairs(const DenseTask<S>& task, const Oriented& shape, const std::vector<int32_t>& col_of_row,
                 DenseAnswer<S>& answer) {
  if (shape.transposed) {
    std::vector<int32_t> partner(size_t(task.rows), -1);
    for (int64_t i = 0; i < shape.rows; ++i) partner[col_of_row[i]] = int32_t(i);
    for (int64_t i = 0, k = 0; i < task.rows; ++i) {
      if (partner[i] < 0) continue;
      answer.row_ind[k] = i;
      answer.col_ind[k++] = partner[i];
    }
  } else {
    for (int64_t i = 0; i < task.rows; ++i) {
      answer.row_ind[i] = i;
      answer.col_ind[i] = col_of_row[i];
    }
  }
  answer.total = total_of<S>(
      shape.rows, [&](int64_t k) { return task.cost[answer.row_ind[k] * task.cols + answer.col_ind[k]]; });
}

// ---- integers

template <class T, class S, class P>
Outcome write_integers(const DenseTask<S>& task, const Oriented& shape, const P& paths,
                       DenseAnswer<S>& answer) {
  int128 shift = 0;
  if (sizeof(T) > 8 && !fitting_shift(paths, shape.rows, shape.cols, shift)) return Outcome::duals_too_large;
  int64_t* short_side = shape.transposed ? answer.col_dual : answer.row_dual;
  int64_t* long_side = shape.transposed ? answer.row_dual : answer.col_dual;
  const T sign = task.maximize ? -1 : 1;
  if (shape.rows < shape.cols) std::fill(long_side, long_side + shape.cols, 0);
  std::vector<int32_t> col_of_row(size_t(shape.rows));
  for (int64_t i = 0; i < shape.rows; ++i) {  // columns without a row have no dual
    const int32_t j = col_of_row[i] = paths.col_of_row(i);
    short_side[i] = int64_t(sign * (paths.row_dual(i) + T(shift)));
    long_side[j] = int64_t(sign * (paths.col_dual(j) - T(shift)));
  }
  write_pairs(task, shape, col_of_row, answer);
  return Outcome::optimal;
}

// ---- reals

// Writes duals that prove the answer; where float64 arithmetic has not found those, the answer is repaired
// without rounding. `cost` is in the orientation of the solver.
template <class S, class P>
Outcome write_reals(const DenseTask<S>& task, const Oriented& shape, SignedCosts<S> cost, const P& paths,
                    DenseAnswer<S>& answer, Run& run) {
  double* const short_side = shape.transposed ? answer.col_dual : answer.row_dual;
  double* const long_side = shape.transposed ? answer.row_dual : answer.col_dual;
  std::vector<int32_t> col_of_row(size_t(shape.rows));
  if (shape.rows < shape.cols) std::fill(long_side, long_side + shape.cols, 0.0);
  for (int64_t i = 0; i < shape.rows; ++i) {  // columns without a row have no dual
    const int32_t j = col_of_row[i] = paths.col_of_row(i);
    long_side[j] = paths.col_dual(j);
  }
  const DenseRealCosts<S, P> costs(shape.rows, shape.cols, cost, paths, task.threads);
  RealAnswer real{col_of_row.data(), short_side, long_side, {}};
  run.count("exact_solves", prove_or_solve_exactly(costs, real, run));
  if (!std::isfinite(real.proof.gap)) return Outcome::duals_too_large;
  answer.gap = real.proof.gap;
  const double sign = task.maximize ? -1 : 1;
  for (int64_t i = 0; i < shape.rows; ++i) short_side[i] = sign * short_side[i] + 0.0;  // no negative zero
  for (int64_t j = 0; j < shape.cols; ++j) long_side[j] = sign * long_side[j] + 0.0;
  write_pairs(task, shape, col_of_row, answer);
  return Outcome::optimal;
}

}  // namespace konig
