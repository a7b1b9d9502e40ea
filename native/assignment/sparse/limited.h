// Lists of costs in which a row may be left alone at its limit, and a column at no cost.
//
// Duals prove it: row_dual[i] + col_dual[j] <= cost[i, j], row_dual[i] <= limit[i] and col_dual[j] <= 0, with
// equality on pairs and on what is left alone.
//
// First rows search one after the other, and a limit is a bound in the search (state.h); columns that are
// free have dual 0 all the time. Where the paths promise to be long, what has been found are the first duals
// in a square of twice the size (H. N. Gabow, R. E. Tarjan, Faster scaling algorithms for network problems,
// SIAM Journal on Computing 18, 1989): the lists, their transpose, and each row and column joined to its copy
//
//     cost             2 limit, on the diagonal
//     0, diagonal      cost, transposed
//
// in which all rows are assigned, with an auction and searches from many rows or both ends. Each copy costs
// what its pairs and limits do, so that both are optimal. Duals are the mean of those of a vertex and its
// copy, in integers rounded up for rows and down for columns: on a tight pair both are whole or none is.
//
// Where no row has been left alone so far, an ordinary square is tried before: lenient limits bind nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "assignment/sparse/augmenting_paths.h"
#include "assignment/sparse/transposed.h"
#include "core/kept.h"

namespace konig {

// The square of twice the size; the sums of its costs with duals must fit S.
template <class S>
struct DoubledCosts {
  DoubledCosts(const SparseCosts<S>& given, const S* limit) : size(given.rows + given.cols), start(1, 0) {
    const TransposedCosts<S> transposed(given);
    col.reserve(size_t(2 * given.start[given.rows] + size));
    cost.reserve(col.capacity());
    for (int64_t i = 0; i < given.rows; ++i) {
      for (int64_t e = given.start[i]; e < given.start[i + 1]; ++e) add(given.col[e], given.cost[e]);
      add(given.cols + i, 2 * limit[i]);
      start.push_back(int64_t(col.size()));
    }
    for (int64_t j = 0; j < given.cols; ++j) {
      add(j, S(0));
      for (int64_t e = transposed.start[j]; e < transposed.start[j + 1]; ++e)
        add(given.cols + transposed.col[e], transposed.cost[e]);
      start.push_back(int64_t(col.size()));
    }
  }
  SparseCosts<S> costs() const { return {size, size, start.data(), col.data(), cost.data()}; }

  int64_t size;
  std::vector<int64_t> start;
  std::vector<int32_t> col;
  std::vector<S> cost;

 private:
  void add(int64_t to, S paid) {
    col.push_back(int32_t(to));
    cost.push_back(paid);
  }
};

template <class S, class T>
class LimitedAssignment {
  using Paths = SparseAugmentingPaths<S, T>;
  using Counts = typename SparseState<S, T>::Counts;

 public:
  LimitedAssignment(const SparseCosts<S>& costs, const S* limit)
      : costs_(costs), limit_(limit), col_of_row_(size_t(costs.rows)), col_dual_(size_t(costs.cols)) {}

  void solve(Run& run) {
    Kept<Paths> kept;
    if (std::max(costs_.rows, costs_.cols) > kMostKept) kept.drop();
    Paths& paths = *kept;
    const std::vector<T> limit(limit_, limit_ + costs_.rows);
    paths.prepare(costs_, limit.data());
    const bool ended = paths.solve_within_limits(run);
    auto counts = paths.counts();
    if (ended) {
      for (int64_t i = 0; i < costs_.rows; ++i) col_of_row_[i] = std::max(paths.col_of_row(i), -1);
      for (int64_t j = 0; j < costs_.cols; ++j) col_dual_[j] = paths.col_dual(j);
    } else if (!(rows_may_all_be_assigned(paths) && solve_square(paths, counts, run))) {
      solve_doubled(paths, counts, run);
    }
    counts.report(run);
  }

  int32_t col_of_row(int64_t row) const { return col_of_row_[row]; }  // -1 if it is alone
  T col_dual(int64_t col) const { return col_dual_[col]; }

 private:
  static constexpr int64_t kMostKept = 1 << 17;  // rows or columns; 48 bytes each

  // Of a square: no row has been left alone, and each column has an entry.
  bool rows_may_all_be_assigned(const Paths& found) const {
    if (costs_.rows != costs_.cols || found.alone() > 0) return false;
    std::vector<uint8_t> has_entry(size_t(costs_.cols), 0);
    for (int64_t e = 0; e < costs_.start[costs_.rows]; ++e) has_entry[costs_.col[e]] = 1;
    return std::find(has_entry.begin(), has_entry.end(), 0) == has_entry.end();
  }

  // As if no row could be left alone; false if some row or column is better left so. A constant may move from
  // the duals of columns to those of rows: by the least that leaves none of a column above 0.
  bool solve_square(const Paths& found, Counts& counts, Run& run) {
    Paths paths;
    paths.prepare(costs_);
    for (int64_t j = 0; j < costs_.cols; ++j) paths.set_col_dual(j, found.col_dual(j));
    const bool feasible = paths.solve_by_auction(run);
    counts += paths.counts();
    if (!feasible) return false;
    T largest = paths.col_dual(0);
    for (int64_t j = 1; j < costs_.cols; ++j) largest = std::max(largest, paths.col_dual(j));
    for (int64_t i = 0; i < costs_.rows; ++i)
      if (paths.row_dual(i) + largest > T(limit_[i])) return false;
    for (int64_t i = 0; i < costs_.rows; ++i) col_of_row_[i] = paths.col_of_row(i);
    for (int64_t j = 0; j < costs_.cols; ++j) col_dual_[j] = paths.col_dual(j) - largest;
    return true;
  }

  // From the duals found, for both copies.
  void solve_doubled(Paths& found, Counts& counts, Run& run) {
    const int64_t rows = costs_.rows, cols = costs_.cols;
    const DoubledCosts<S> doubled(costs_, limit_);
    Paths paths;
    paths.prepare(doubled.costs());
    for (int64_t j = 0; j < cols; ++j) paths.set_col_dual(j, found.col_dual(j));
    for (int64_t i = 0; i < rows; ++i) paths.set_col_dual(cols + i, found.least_slack(i, run));
    paths.solve_by_auction(run);
    for (int64_t i = 0; i < rows; ++i) col_of_row_[i] = paths.col_of_row(i) < cols ? paths.col_of_row(i) : -1;
    for (int64_t j = 0; j < cols; ++j)
      col_dual_[j] = std::min(half_below(paths.col_dual(j) + paths.row_dual(rows + j)), T(0));
    counts += paths.counts();
  }

  static T half_below(T sum) {
    if constexpr (std::is_floating_point_v<T>)
      return sum / 2;
    else
      return sum >> 1;
  }

  const SparseCosts<S> costs_;
  const S* const limit_;
  std::vector<int32_t> col_of_row_;
  std::vector<T> col_dual_;
};

}  // namespace konig
