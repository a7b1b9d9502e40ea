// Writes the answer of a dense solver: pairs, cost, and duals that prove it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "assignment/exact/core.h"
#include "assignment/task.h"
#include "core/exact.h"
#include "core/shared_loop.h"

namespace konig {

// Turns the pairs of a transposed problem into those of the problem itself, which has `rows` rows: ascending.
// Few of many are sorted.
inline void transpose_pairs(int64_t* row_ind, int64_t* col_ind, int64_t rows, int64_t cols) {
  const int64_t size = std::min(rows, cols);
  if (rows > 64 * size) {
    std::vector<std::pair<int64_t, int64_t>> pairs;
    for (int64_t p = 0; p < size; ++p) pairs.emplace_back(col_ind[p], row_ind[p]);
    std::sort(pairs.begin(), pairs.end());
    for (int64_t p = 0; p < size; ++p) std::tie(row_ind[p], col_ind[p]) = pairs[size_t(p)];
    return;
  }
  std::vector<int64_t> col_of_row(size_t(rows), -1);
  for (int64_t p = 0; p < size; ++p) col_of_row[col_ind[p]] = row_ind[p];
  for (int64_t i = 0, p = 0; i < rows; ++i) {
    if (col_of_row[i] < 0) continue;
    row_ind[p] = i;
    col_ind[p++] = col_of_row[i];
  }
}

// The pairs, and the sum of their costs.
template <class S>
void write_pairs(const DenseTask<S>& task, const std::vector<int32_t>& col_of_row, DenseAnswer<S>& answer) {
  for (int64_t i = 0; i < task.rows; ++i) {
    answer.row_ind[i] = i;
    answer.col_ind[i] = col_of_row[i];
  }
  answer.total = total_of<S>(task.rows, [&](int64_t i) { return task.cost[i * task.cols + col_of_row[i]]; });
}

// ---- integers

template <class S, class Paths>
Outcome write_integers(const DenseTask<S>& task, const Paths& paths, DenseAnswer<S>& answer) {
  const int64_t sign = task.maximize ? -1 : 1;
  if (task.rows < task.cols) std::fill_n(answer.col_dual, task.cols, 0);
  std::vector<int32_t> col_of_row(size_t(task.rows));
  for (int64_t i = 0; i < task.rows; ++i) {  // columns without a row have no dual
    const int32_t j = col_of_row[i] = paths.col_of_row(i);
    answer.row_dual[i] = sign * paths.row_dual(i);
    answer.col_dual[j] = sign * paths.col_dual(j);
  }
  write_pairs(task, col_of_row, answer);
  return Outcome::optimal;
}

// ---- reals

// Stands for a solver without lowest_listed().
struct NoLists {};

// Dense real costs as a proof reads them (exact/core.h), on several threads. A solver that has lists of
// entries may find the smallest cost - dual of a row in them: lowest_listed(row, col_dual, largest), where
// `largest` is the largest dual, is that number rounded down, or a lower one; NaN if the whole row must be
// scanned. Not if its lists are not of these costs: `uses_lists` is false then. A solver that may not have
// read all rows has has_all_rows(), and read_row(row), to be called before a row is scanned otherwise.
template <class S, class Paths = NoLists>
class DenseRealCosts : public RealCosts {
 public:
  DenseRealCosts(int64_t rows, int64_t cols, SignedCosts<S> cost, const Paths& paths, int threads,
                 bool uses_lists = true)
      : RealCosts(rows, cols),
        cost_(cost),
        scans_(dense_scans<S, double>(cost.negated)),
        paths_(paths),
        threads_(threads),
        uses_lists_(kHasLists && uses_lists) {}

  void find_costs(const int32_t* col_of_row, double* cost) const override {
    for (int64_t i = 0; i < rows; ++i) cost[i] = double(cost_[i * cols + col_of_row[i]]);
  }

  void find_lowest(const double* col_dual, double* lowest, Run& run) const override {
    const double largest = uses_lists_ && cols ? *std::max_element(col_dual, col_dual + cols) : 0.0;
    for_rows(threads_, rows, cols, run, [&](int, int64_t first, int64_t last) {
      if constexpr (kHasLists)
        for (int64_t i = first; uses_lists_ && i < last; ++i)
          lowest[i] = paths_.lowest_listed(i, col_dual, largest);
      const int64_t count = last - first;
      const auto left = std::count_if(lowest + first, lowest + last, [](double x) { return x != x; });
      const RoundingDown down;
      // Four rows at a time take as long as two one by one.
      if (!uses_lists_ || (has_all_rows() && 2 * left > count))
        return scans_.smallest_of_rows(cost_.data + first * cols, col_dual, count, cols, lowest + first);
      for (int64_t i = first; i < last; ++i)
        if (std::isnan(lowest[i])) lowest[i] = scans_.smallest(row(i), col_dual, cols);
    });
  }

  Pairs find_pairs(const std::vector<int32_t>& asked, const double* col_dual, const double* bound,
                   Run& run) const override {
    Pairs found{std::vector<int64_t>(1, 0), {}};
    const std::unique_ptr<int32_t[]> column(new int32_t[size_t(cols + kMoreRoom)]);
    for (size_t k = 0; k < asked.size(); ++k) {
      const int64_t first = asked[k] * cols;
      const double above = std::nextafter(bound[k], std::numeric_limits<double>::infinity());
      const int64_t count = scans_.below(row(asked[k]), col_dual, above, cols, column.get(), cols);
      for (int64_t e = 0; e < count; ++e) found.pair.push_back({column[e], double(cost_[first + column[e]])});
      found.start.push_back(int64_t(found.pair.size()));
      run.spend(cols / 4 + 1);
    }
    return found;
  }

 private:
  bool has_all_rows() const {
    if constexpr (requires { paths_.has_all_rows(); }) return paths_.has_all_rows();
    return true;
  }

  const S* row(int64_t i) const {
    if constexpr (requires { paths_.read_row(i); }) paths_.read_row(i);
    return cost_.data + i * cols;
  }

  static constexpr bool kHasLists = requires(const Paths& paths) { paths.lowest_listed(0, nullptr, 0.0); };

  const SignedCosts<S> cost_;
  const DenseScans<S, double>& scans_;
  const Paths& paths_;
  const int threads_;
  const bool uses_lists_;
};

// Writes duals that prove the answer, which was found for the costs divided by `divisor`; where float64
// arithmetic has not found those, the answer is repaired without rounding.
template <class S, class Paths>
Outcome write_reals(const DenseTask<S>& task, const Paths& paths, double divisor, DenseAnswer<S>& answer,
                    Run& run) {
  const DenseRealCosts<S, Paths> costs(task.rows, task.cols, task.costs(), paths, task.threads, divisor == 1);
  std::vector<int32_t> col_of_row;
  if (!prove_answer(costs, paths, divisor, col_of_row, answer.row_dual, answer.col_dual, answer.gap, run))
    return Outcome::duals_too_large;
  const double sign = task.maximize ? -1 : 1;  // and no negative zero
  for (int64_t i = 0; i < task.rows; ++i) answer.row_dual[i] = sign * answer.row_dual[i] + 0.0;
  for (int64_t j = 0; j < task.cols; ++j) answer.col_dual[j] = sign * answer.col_dual[j] + 0.0;
  write_pairs(task, col_of_row, answer);
  return Outcome::optimal;
}

}  // namespace konig
