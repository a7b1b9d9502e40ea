// The answer of a dense solver as the caller wants it: pairs, cost, duals that keep their promise, counts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "multicore/assignment/dense_orientation.h"
#include "sequential/assignment/dense_task.h"
#include "sequential/assignment/duals.h"

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
template <class S, class P>
void write_pairs(const DenseTask<S>& task, const Oriented& shape, const P& paths, DenseAnswer<S>& answer) {
  int64_t k = 0;
  Total<S> total;
  const auto add = [&](int64_t i, int64_t j) {
    answer.row_ind[k] = i;
    answer.col_ind[k++] = j;
    total.add(task.cost[i * task.cols + j]);
  };
  if (shape.transposed) {
    for (int64_t i = 0; i < task.rows; ++i)
      if (const int32_t j = paths.row_of_col(i); j >= 0) add(i, j);
  } else {
    for (int64_t i = 0; i < task.rows; ++i) add(i, paths.col_of_row(i));
  }
  answer.total = total.value();
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
  for (int64_t i = 0; i < shape.rows; ++i) {  // columns without a row have no dual
    const int32_t j = paths.col_of_row(i);
    short_side[i] = int64_t(sign * (paths.row_dual(i) + T(shift)));
    long_side[j] = int64_t(sign * (paths.col_dual(j) - T(shift)));
  }
  write_pairs(task, shape, paths, answer);
  return Outcome::optimal;
}

// ---- reals

// What a pair may undercut its duals by.
template <class S>
double allowance(const DenseTask<S>& task, const Oriented& shape, double unscale) {
  return double(shape.cols) * unit_in_last_place(S(task.largest / unscale));
}

// How far a row's column may be from the row's smallest slack by rounding alone, where that is known.
template <class P>
double rounding_of(const P& paths, int64_t row, double largest, double largest_dual) {
  return 0x1p-53 * (paths.rounding(row, largest, largest_dual) + largest + largest_dual);
}

// Writes the duals, and says whether they keep the promise. Rows for which rounding alone might have broken
// it are scanned in float64; if the costs have been compared with the duals before, up to half of what is
// allowed, only rounding is looked at.
template <class S, class P, class D>
bool write_real_duals(const DenseTask<S>& task, const Oriented& shape, SignedCosts<S> cost, const P& paths,
                      const D& col_dual, bool priced, double unscale, DenseAnswer<S>& answer, Run& run) {
  const DenseScans<S, double>& scans = dense_scans<S, double>(cost.negated);
  double* const short_side = shape.transposed ? answer.col_dual : answer.row_dual;
  double* const long_side = shape.transposed ? answer.row_dual : answer.col_dual;
  if (shape.rows < shape.cols) std::fill(long_side, long_side + shape.cols, 0.0);
  double largest_dual = 0;
  for (int64_t i = 0; i < shape.rows; ++i) {  // columns without a row have no dual
    const int32_t j = paths.col_of_row(i);
    const double dual = col_dual(j);
    long_side[j] = dual;
    largest_dual = std::max(largest_dual, std::abs(dual));
    short_side[i] = double(cost[i * shape.cols + j]) - dual;
  }
  const double largest = task.largest / unscale;
  const double allowed = allowance(task, shape, unscale);
  bool kept = true;
  for (int64_t i = 0; i < shape.rows; ++i) {
    if (rounding_of(paths, i, largest, largest_dual) <= allowed) continue;
    const double held = short_side[i];
    const double least =
        priced ? held - allowed / 2 : scans.smallest(cost.data + i * shape.cols, long_side, shape.cols);
    kept = kept && within(allowed, held, least);
    run.spend(shape.cols / 4 + 1);
  }
  const double sign = task.maximize ? -unscale : unscale;
  const auto finish = [&](double& dual) {
    dual = sign * dual + 0.0;  // no negative zero
    kept &= std::abs(dual) <= std::numeric_limits<double>::max();
  };
  for (int64_t i = 0; i < shape.rows; ++i) {
    finish(short_side[i]);
    finish(long_side[paths.col_of_row(i)]);
  }
  return kept;
}

// In integers that carry nine bits more than a float64, without any rounding.
template <class S>
Outcome solve_in_grid(const DenseTask<S>& task, const Oriented& shape, SignedCosts<S> cost, double unscale,
                      DenseAnswer<S>& answer, Run& run) {
  const int exponent = 61 - std::ilogb(task.largest / unscale);
  const std::vector<int64_t> integers = in_grid(cost, shape.rows * shape.cols, exponent);
  ShortestAugmentingPaths<int64_t, int128> exact;
  exact.prepare(shape.rows, shape.cols, integers.data());
  exact.solve(run);
  const int128 shift = shape.rows == shape.cols ? middle_of_duals(exact, shape.rows) : 0;
  const auto col_dual = [&](int64_t j) { return std::ldexp(double(exact.col_dual(j) - shift), -exponent); };
  write_real_duals(task, shape, cost, exact, col_dual, false, unscale, answer, run);
  write_pairs(task, shape, exact, answer);
  return all_finite(answer.row_dual, task.rows) && all_finite(answer.col_dual, task.cols)
             ? Outcome::optimal
             : Outcome::duals_too_large;
}

template <class S, class P>
Outcome write_reals(const DenseTask<S>& task, const Oriented& shape, SignedCosts<S> cost, const P& paths,
                    bool priced, double unscale, DenseAnswer<S>& answer, Run& run) {
  const auto col_dual = [&](int64_t j) { return paths.col_dual(j); };
  const bool kept = write_real_duals(task, shape, cost, paths, col_dual, priced, unscale, answer, run);
  run.count("exact_solves", int64_t(!kept));
  if (!kept) return solve_in_grid(task, shape, cost, unscale, answer, run);
  write_pairs(task, shape, paths, answer);
  return Outcome::optimal;
}

}  // namespace konig
