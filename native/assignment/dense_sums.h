// The type in which a dense problem is solved. Integers are summed in the narrower of 32 and 64 bits that
// holds every sum; where duals might exceed 64 bits, but need not, 64 bits are tried first, then the costs
// less the least of them, then with gates lowered, and then lists of all entries in 128 bits. Reals are
// summed in float64, divided if they are too large for that.
//
// What is written are the costs as they were given: where the duals of reals prove too little of them, the
// answer is repaired without rounding among the entries that matter (exact/core.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "assignment/answer.h"
#include "assignment/dense_problem.h"
#include "assignment/first_read.h"
#include "assignment/sparse/task.h"
#include "assignment/sums.h"
#include "assignment/task.h"
#include "assignment/whole_matrix.h"
#include "core/large_array.h"
#include "core/shared_loop.h"

namespace konig {

// Costs of so many bits nearly always have duals that fit 64.
inline constexpr int kCoarseBits = 54;

// The transpose as it was solved, in terms of the task.
template <class S, class T>
struct TransposedBack {
  T row_dual(int64_t row) const { return whole.col_dual(row); }
  T col_dual(int64_t col) const { return whole.row_dual(col); }
  int32_t col_of_row(int64_t row) const { return whole.state.row_of_col[row]; }

  const WholeMatrix<S, T>& whole;
};
template <class S, class T>
TransposedBack<S, T> transposed_back(const WholeMatrix<S, T>& whole) {
  return {whole};
}

// Reals are proved as the transpose, if that has the costs as they were given: duals of its columns are
// numbers of the solver, those of its rows are rounded.
template <class Given, class S, class T>
Outcome write_transposed(const DenseTask<Given>& task, const WholeMatrix<S, T>& whole, double divisor,
                         DenseAnswer<Given>& answer, Run& run) {
  const auto back = transposed_back(whole);
  if constexpr (std::is_integral_v<Given>) {
    return write_integers(task, back, answer);
  } else {
    if (divisor != 1.0) return write_reals(task, back, divisor, answer, run);
    DenseTask<Given> transposed = task;
    transposed.cost = whole.transposed->costs();
    std::swap(answer.row_dual, answer.col_dual);
    const Outcome outcome = write_reals(transposed, whole, divisor, answer, run);
    std::swap(answer.row_dual, answer.col_dual);
    if (outcome == Outcome::optimal) transpose_pairs(answer.row_ind, answer.col_ind, task.rows, task.cols);
    return outcome;
  }
}

// Solves the costs given in another type, S, in sums of T; reals are divided by `divisor`, a power of two.
// What is proved are the costs as they were given.
template <class S, class T, class Given>
Outcome solve_in(const DenseTask<Given>& task, DenseAnswer<Given>& answer, HallViolator& violator,
                 const FirstRead<Given>& found, double divisor, Run& run) {
  DenseTask<S> problem{nullptr,   task.rows,   task.cols, task.maximize, nullptr, task.initial_col_dual,
                       task.plan, task.threads};
  FirstRead<S> found_of_problem{found.largest / divisor};
  if constexpr (std::is_same_v<S, Given>)
    if (divisor == 1.0) {
      problem.cost = task.cost;
      found_of_problem = found;
    }
  LargeArray<S> converted;
  if (!problem.cost) {
    if (found.turned) found.turned->turn_all(task.threads, run);
    converted = LargeArray<S>(size_t(task.rows * task.cols));
    problem.cost = converted.data();
    for_rows(task.threads, task.rows, task.cols, run, [&](int, int64_t first, int64_t last) {
      for (int64_t k = first * task.cols; k < last * task.cols; ++k)
        converted[k] = S(task.cost[k]) * S(1 / divisor);
    });
  }
  const auto write = [&]<class Paths>(const Paths& paths) {
    if constexpr (requires { paths.transposed; })
      if (paths.transposed) return write_transposed(task, paths, divisor, answer, run);
    if constexpr (std::is_integral_v<Given>)
      return write_integers(task, paths, answer);
    else
      return write_reals(task, paths, divisor, answer, run);
  };
  if (task.initial_col_dual) {
    const auto outcome = solve_from_given<T>(problem, found_of_problem, divisor, violator, write, run);
    if (outcome) return *outcome;
  }
  if (task.plan.core) return solve_by_core<T>(problem, found_of_problem, violator, write, run);
  return solve_by_matrix<T>(problem, found_of_problem, violator, write, run);
}

// Column duals that nearly prove an answer: those of the costs less some low bits, in 64 bits. None where
// even their duals are too large.
template <class S>
std::vector<int64_t> coarse_col_duals(const DenseTask<S>& task, double largest, HallViolator& violator,
                                      Run& run) {
  const int dropped = std::max(0, std::ilogb(largest) - kCoarseBits);
  const int64_t size = task.rows * task.cols;
  LargeArray<int64_t> cost{size_t(size)};
  for (int64_t e = 0; e < size; ++e) cost[e] = int64_t(task.cost[e]) >> dropped;
  const DenseTask<int64_t> coarse{cost.data(), task.rows, task.cols, task.maximize,
                                  nullptr,     nullptr,   task.plan, task.threads};
  std::vector<int64_t> row_ind(size_t(task.rows), 0), col_ind = row_ind, row_dual = row_ind;
  std::vector<int64_t> col_dual(size_t(task.cols), 0);
  DenseAnswer<int64_t> answer{row_ind.data(), col_ind.data(), row_dual.data(), col_dual.data()};
  try {
    const FirstRead<int64_t> found{std::ldexp(largest, -dropped) + 1};
    solve_in<int64_t, int64_t>(coarse, answer, violator, found, 1, run);
  } catch (const DualsTooLarge&) {
    return {};
  }
  for (int64_t& dual : col_dual)
    if (__builtin_mul_overflow(dual, int64_t(1) << dropped, &dual)) return {};
  return col_dual;
}

// As lists of all entries, where 64 bits may not hold sums: slow, and with the smallest duals.
template <class S>
Outcome solve_as_lists(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                       double largest, Run& run) {
  const int64_t sign = task.maximize ? -1 : 1, entries = task.rows * task.cols;
  std::vector<int64_t> start, cost(entries), col_of_row(task.rows);
  std::vector<int32_t> col(entries);
  for (int64_t i = 0; i <= task.rows; ++i) start.push_back(i * task.cols);
  for (int64_t e = 0; e < entries; ++e) {
    col[e] = int32_t(e % task.cols);
    cost[e] = sign * int64_t(task.cost[e]);
  }
  SparseTask<int64_t> lists{{task.rows, task.cols, start.data(), col.data(), cost.data()}, largest, nullptr};
  std::vector<int64_t> initial = coarse_col_duals(task, largest, violator, run);
  for (int64_t& dual : initial) dual *= sign;
  if (!initial.empty()) lists.initial_col_dual = initial.data();
  SparseAnswer<int64_t> found{col_of_row.data(), answer.row_dual, answer.col_dual};
  const Outcome outcome = sparse_jv(lists, found, violator, run);
  if (outcome != Outcome::optimal) return outcome;
  for (int64_t i = 0; i < task.rows; ++i) answer.row_dual[i] *= sign;
  for (int64_t j = 0; j < task.cols; ++j) answer.col_dual[j] *= sign;
  write_pairs(task, std::vector<int32_t>(col_of_row.begin(), col_of_row.end()), answer);
  return outcome;
}

// Integers far from 0 but close to each other, as points in time are: less the least of them they fit, and
// that takes the same from every assignment and from the duals of all rows. Nothing if they do not fit.
template <class S>
std::optional<Outcome> solve_less_the_least(const DenseTask<S>& task, DenseAnswer<S>& answer,
                                            HallViolator& violator, Run& run) {
  const int64_t size = task.rows * task.cols;
  if (size == 0) return {};
  const auto [least, greatest] = std::minmax_element(task.cost, task.cost + size);
  const S shift = *least;
  const double range = double(*greatest) - double(shift);
  if (!holds_sums<int64_t>(task.rows, range)) return {};
  LargeArray<int64_t> reduced{size_t(size)};
  for_rows(task.threads, task.rows, task.cols, run, [&](int, int64_t first, int64_t last) {
    for (int64_t k = first * task.cols; k < last * task.cols; ++k) reduced[k] = int64_t(task.cost[k]) - shift;
  });
  const DenseTask<int64_t> rest{reduced.data(), task.rows, task.cols, task.maximize,
                                nullptr,        nullptr,   task.plan, task.threads};
  DenseAnswer<int64_t> answer_of_rest{answer.row_ind, answer.col_ind, answer.row_dual, answer.col_dual};
  Outcome outcome;
  try {
    outcome = solve_in<int64_t, int64_t>(rest, answer_of_rest, violator, FirstRead<int64_t>{range}, 1, run);
  } catch (const DualsTooLarge&) {
    return {};
  }
  if (outcome != Outcome::optimal) return outcome;
  for (int64_t i = 0; i < task.rows; ++i)
    if (__builtin_add_overflow(answer.row_dual[i], int64_t(shift), &answer.row_dual[i])) return {};
  answer.total = answer_of_rest.total + int128(shift) * task.rows;
  return outcome;
}

// Where pairs are forbidden by a cost that sums have no room for, such as 10^18: costs beyond a gate are
// lowered to it. What is optimal then and does not pay the gate was so before, and its duals prove it.
// Nothing if it is paid, or if costs are as far on the other side.
template <class S>
std::optional<Outcome> solve_with_lowered_gates(const DenseTask<S>& task, DenseAnswer<S>& answer,
                                                HallViolator& violator, Run& run) {
  const int64_t size = task.rows * task.cols, sign = task.maximize ? -1 : 1;
  const int64_t gate = Bounds<int64_t>::largest / (16 * (task.rows + 1));  // which holds_sums()
  LargeArray<int64_t> lowered{size_t(size)};
  int64_t least = gate;
  for (int64_t k = 0; k < size; ++k) {
    const int64_t here = std::min(sign * int64_t(task.cost[k]), gate);
    least = std::min(least, here);
    lowered[k] = sign * here;
  }
  run.spend(size);
  if (least <= -gate) return {};
  const DenseTask<int64_t> rest{lowered.data(), task.rows, task.cols, task.maximize,
                                nullptr,        nullptr,   task.plan, task.threads};
  DenseAnswer<int64_t> found{answer.row_ind, answer.col_ind, answer.row_dual, answer.col_dual};
  try {
    const FirstRead<int64_t> about{double(gate)};
    if (solve_in<int64_t, int64_t>(rest, found, violator, about, 1, run) != Outcome::optimal) return {};
  } catch (const DualsTooLarge&) {
    return {};
  }
  for (int64_t k = 0; k < task.rows; ++k) {
    const int64_t at = found.row_ind[k] * task.cols + found.col_ind[k];
    if (lowered[at] != int64_t(task.cost[at])) return {};
  }
  answer.total = found.total;
  return Outcome::optimal;
}

// The largest of so large costs and of the duals of a warm start.
template <class S>
double with_duals_to_start_from(const DenseTask<S>& task, double largest) {
  if (!task.initial_col_dual) return largest;
  for (int64_t i = 0; i < task.rows; ++i)
    largest = std::max(largest, std::abs(double(task.initial_row_dual[i])));
  for (int64_t j = 0; j < task.cols; ++j)
    largest = std::max(largest, std::abs(double(task.initial_col_dual[j])));
  return largest;
}

// Solves the task in sums that hold its duals.
template <class S>
Outcome solve_in_fitting_sums(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                              const FirstRead<S>& found, Run& run) {
  if constexpr (std::is_floating_point_v<S>) {
    return solve_in<S, double>(task, answer, violator, found, divisor_of_reals(found.largest), run);
  } else {
    const double largest = with_duals_to_start_from(task, found.largest);
    const bool fits = holds_sums<int64_t>(task.rows, largest);
    if (task.initial_col_dual && !fits) {  // sums with them take more bits, and far longer than without them
      DenseTask<S> cold = task;
      cold.initial_row_dual = cold.initial_col_dual = nullptr;
      run.count("starts_dropped", int64_t(1));
      return solve_in_fitting_sums(cold, answer, violator, found, run);
    }
    if (sizeof(S) == 4 && fits && found.largest < 2147483648.0) {  // so that each has its negative
      if (holds_sums<int32_t>(task.rows, largest))
        return solve_in<S, S>(task, answer, violator, found, 1, run);
      return solve_in<S, int64_t>(task, answer, violator, found, 1, run);
    }
    if (fits || found.largest < double(kLargestDual / 4)) {
      // Duals are as a rule far below their bound.
      try {
        return solve_in<int64_t, int64_t>(task, answer, violator, found, 1, run);
      } catch (const DualsTooLarge&) {
      }
    }
    if (found.turned) found.turned->turn_all(task.threads, run);
    if (const auto outcome = solve_less_the_least(task, answer, violator, run)) return *outcome;
    if (const auto outcome = solve_with_lowered_gates(task, answer, violator, run)) return *outcome;
    return solve_as_lists(task, answer, violator, found.largest, run);
  }
}

}  // namespace konig
