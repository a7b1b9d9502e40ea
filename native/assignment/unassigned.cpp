// Dense costs: reduces them, solves them as any others, and shifts the duals back.
#include "assignment/unassigned.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "assignment/answer.h"
#include "assignment/unassigned_reduction.h"
#include "core/large_array.h"
#include "core/shared_loop.h"

namespace konig {
namespace {

template <class S, class T>
class DenseUnassigned {
  using Dual = DualOf<S>;

 public:
  DenseUnassigned(const DenseTask<S>& task, const Alone<Dual>& alone, double scale = 1.0)
      : task_(task),
        alone_(alone),
        scaled_(alone.scaled(scale)),
        reduction_(scaled_, task.rows <= task.cols),
        only_limits_(reduction_.rounds_nothing && task.rows <= task.cols),
        scale_(scale),
        pairing_(task.rows, task.cols) {}

  // A bad cost shows in `check`, and so does a reduced cost that overflows.
  Outcome solve(DenseAnswer<S>& answer, int64_t& size, CostCheck& check, Run& run) {
    const int64_t rows = task_.rows, cols = task_.cols;
    if (rows == 0 || cols == 0) {
      std::copy_n(alone_.of_rows(), rows, answer.row_dual);
      std::copy_n(alone_.of_cols(), cols, answer.col_dual);
      size = write(answer);
      return Outcome::optimal;
    }
    LargeArray<T> reduced(size_t(rows * cols));
    for_rows(task_.threads, rows, cols, run, [&](int, int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) reduce(i, reduced.data() + i * cols);
    });
    DenseTask<T> task{reduced.data(), rows, cols};
    task.plan = task_.plan;
    task.threads = task_.threads;
    DenseAnswer<T> found{answer.row_ind, answer.col_ind, answer.row_dual, answer.col_dual};
    HallViolator violator;
    if (const Outcome outcome = solve_dense(task, found, violator, check, run);
        check.is_bad() || outcome != Outcome::optimal)
      return outcome;
    const int64_t full = std::min(rows, cols);
    size = 0;
    for (int64_t p = 0; p < full; ++p) {
      const int64_t i = answer.row_ind[p], j = answer.col_ind[p];
      if (!alone_.allows(cost(i, j), i, j)) continue;
      pairing_.pair(i, j);
      ++size;
    }
    if (!write_duals(answer, size == rows && size == cols, run)) return Outcome::duals_too_large;
    size = write(answer);
    return Outcome::optimal;
  }

 private:
  Dual cost(int64_t i, int64_t j) const {
    return minimised<Dual>(task_.cost[i * task_.cols + j], task_.maximize);
  }
  Dual paid(int64_t i) const {
    const int32_t j = pairing_.col_of_row(i);
    return j < 0 ? alone_.row(i) : cost(i, j);
  }

  void reduce(int64_t i, T* reduced) const {
    if (scale_ != 1.0) return reduce_scaled(i, reduced);
    if (task_.maximize) return reduce_row(i, [](S cost) { return Dual(0) - Dual(cost); }, reduced);
    reduce_row(i, [](S cost) { return Dual(cost); }, reduced);
  }

  template <class Signed>
  void reduce_row(int64_t i, const Signed& of, T* reduced) const {
    const S* const cost = task_.cost + i * task_.cols;
    const Dual *const shift = reduction_.col_shift, *const limit = reduction_.col_limit;
    const Dual row_shift = reduction_.row_shift[i], row_limit = reduction_.row_limit[i];
    const int64_t cols = task_.cols;
    if (only_limits_)  // those of rows: by far the most frequent case, and half the numbers to read
      for (int64_t j = 0; j < cols; ++j) reduced[j] = T(std::min(of(cost[j]), row_limit));
    else
      for (int64_t j = 0; j < cols; ++j)
        reduced[j] = T(std::min(of(cost[j]) - shift[j] - row_shift, limit[j] + row_limit));
  }

  void reduce_scaled(int64_t i, T* reduced) const {
    const double row_shift = double(reduction_.row_shift[i]), row_limit = double(reduction_.row_limit[i]);
    for (int64_t j = 0; j < task_.cols; ++j) {
      const double shift = double(reduction_.col_shift[j]) + row_shift;
      const double limit = double(reduction_.col_limit[j]) + row_limit;
      reduced[j] = T(std::min(scale_ * double(cost(i, j)) - shift, limit));
    }
  }

  // The duals of the reduced costs become those of the costs; false if none fit.
  bool write_duals(DenseAnswer<S>& answer, bool all_assigned, Run& run) {
    Dual *const row_dual = answer.row_dual, *const col_dual = answer.col_dual;
    const Dual shift = dual_shift(scaled_, reduction_, row_dual, col_dual, all_assigned);
    if constexpr (std::is_floating_point_v<S>) {
      if (scale_ == 1.0 && reduction_.rounds_nothing) {
        const Proved proved =
            prove_by_reduced(alone_, shift, pairing_, [&](int64_t i) { return paid(i); }, row_dual, col_dual);
        answer.gap = proved.gap;
        if (proved.holds) return true;
      } else {
        for (int64_t j = 0; j < task_.cols; ++j)
          col_dual[j] = (col_dual[j] + reduction_.col_shift[j] + shift) / scale_;
      }
      const DenseRealCosts<S> costs(task_.rows, task_.cols, task_.costs(), NoLists(), task_.threads);
      UnassignedAnswer proved{pairing_.col_of_row(), row_dual, col_dual};
      const bool fits = prove_unassigned(costs, {alone_.of_rows(), alone_.of_cols()}, proved, {}, run);
      pairing_.find_rows_of_cols();
      answer.gap = proved.gap;
      return fits;
    }
    for (int64_t i = 0; i < task_.rows; ++i) row_dual[i] += reduction_.row_shift[i] - shift;
    for (int64_t j = 0; j < task_.cols; ++j) col_dual[j] += reduction_.col_shift[j] + shift;
    return true;
  }

  // Pairs, cost and duals as they are asked for; returns how many pairs there are.
  int64_t write(DenseAnswer<S>& answer) const {
    int64_t size = 0;
    for (int64_t i = 0; i < task_.rows; ++i) {
      const int32_t j = pairing_.col_of_row(i);
      if (j < 0) continue;
      answer.row_ind[size] = i;
      answer.col_ind[size++] = j;
    }
    answer.total = total_cost<S>(alone_, pairing_, [&](int64_t i) { return paid(i); });
    if (!task_.maximize) return size;
    answer.total = 0 - answer.total;
    for (int64_t i = 0; i < task_.rows; ++i) answer.row_dual[i] = 0 - answer.row_dual[i];
    for (int64_t j = 0; j < task_.cols; ++j) answer.col_dual[j] = 0 - answer.col_dual[j];
    return size;
  }

  const DenseTask<S>& task_;
  const Alone<Dual>& alone_;
  const Alone<Dual> scaled_;
  const Reduction<Dual> reduction_;  // of scaled costs
  const bool only_limits_;           // reduced costs are min(cost, row_limit)
  const double scale_;               // so that no difference overflows float64
  Pairing pairing_;
};

}  // namespace

template <class S>
Outcome solve_dense_unassigned(const DenseTask<S>& task, const UnassignedCosts<S>& given,
                               DenseAnswer<S>& answer, int64_t& size, CostCheck& check, Run& run) {
  const auto check_given = [&] {
    check = check_costs(task.cost, task.rows * task.cols, task.maximize, task.threads, run);
  };
  const Alone<DualOf<S>> alone(given.row, given.col, task.rows, task.cols, task.maximize);
  if constexpr (std::is_floating_point_v<S>) {
    // Bad costs stay bad when they are reduced; then, or where differences overflow, the costs are read
    // again.
    if (alone.largest < kLargestAsGiven) {
      const Outcome outcome = DenseUnassigned<S, double>(task, alone).solve(answer, size, check, run);
      if (!check.is_bad()) return outcome;
    }
    check_given();
    if (check.is_bad()) return Outcome::infeasible;
    return DenseUnassigned<S, double>(task, alone, kScaleOfLarge).solve(answer, size, check, run);
  } else {
    check_given();
    if (check.is_bad()) return Outcome::infeasible;
    const double largest = check.largest + 2 * alone.largest;
    if (largest >= kMostReduced) return Outcome::duals_too_large;
    if (largest < 0x1p30) return DenseUnassigned<S, int32_t>(task, alone).solve(answer, size, check, run);
    return DenseUnassigned<S, int64_t>(task, alone).solve(answer, size, check, run);
  }
}

#define KONIG_INSTANTIATE(S)                                                                               \
  template Outcome solve_dense_unassigned(const DenseTask<S>&, const UnassignedCosts<S>&, DenseAnswer<S>&, \
                                          int64_t&, CostCheck&, Run&);
KONIG_FOR_EACH_COST(KONIG_INSTANTIATE)

}  // namespace konig
