// An assignment of real costs in integers alone: every pair is read, and nothing is rounded.
//
// Near the largest float64 differences of costs and duals overflow, so that no float64 can tell which pairs
// matter. Here all do: shortest augmenting paths, one row after the other, by Dijkstra's algorithm without a
// heap. It is slow, a matter of n**3 sums at worst, and right whatever the costs are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "assignment/exact/core.h"
#include "assignment/exact/grid.h"
#include "core/run.h"

namespace konig {

// All pairs of all rows.
inline RealCosts::Pairs all_pairs(const RealCosts& costs, Run& run) {
  std::vector<int32_t> asked(size_t(costs.rows));
  std::iota(asked.begin(), asked.end(), 0);
  const std::vector<double> zeros(size_t(costs.cols), 0.0);
  const std::vector<double> bound(size_t(costs.rows), std::numeric_limits<double>::max());
  return costs.find_pairs(asked, zeros.data(), bound.data(), run);
}

// Throws GridTooCoarse unless the pairs are on the grid, which holds sums of four costs for each row.
template <class T>
class AllPairs {
 public:
  AllPairs(const RealCosts& costs, const RealCosts::Pairs& pairs, const Grid<T>& grid, Run& run)
      : rows_(costs.rows),
        cols_(costs.cols),
        run_(run),
        grid_(grid),
        pairs_(pairs),
        col_dual_(size_t(cols_), T(0)),
        paid_(size_t(rows_), T(0)),
        row_of_col_(size_t(cols_), -1),
        col_of_row_(size_t(rows_), -1),
        distance_(size_t(cols_), T(0)),
        before_(size_t(cols_), -1),
        state_(size_t(cols_), State::unseen) {
    for (const RealCosts::Pair& pair : pairs.pair) grid.at(pair.cost);
  }

  // From these column duals on a square, and from 0 on a rectangle, whose columns without a row have none.
  // There is an assignment.
  void solve(const double* start) {
    for (int64_t j = 0; rows_ == cols_ && j < cols_; ++j)
      if (std::isfinite(start[j])) col_dual_[j] = grid_.at_most(start[j]);
    for (int32_t i = 0; i < rows_; ++i) assign_if_free(i);
    for (int32_t i = 0; i < rows_; ++i)
      if (col_of_row_[i] < 0) augment_from(i);
  }

  // The largest duals of the columns up to a bound: 0, or the largest float64, which is then that of rows,
  // too. Steps are not negative when counted from the duals that are known.
  std::vector<T> largest_duals(double bound) {
    const T most = grid_.at(bound);
    begin();
    for (int64_t j = 0; j < cols_; ++j) {
      const int32_t i = row_of_col_[j];
      const T label = bound == 0 || i < 0 ? most : std::min(most, paid_[i] + most);
      distance_[j] = label - col_dual_[j];
      state_[j] = State::labelled;
    }
    for (int32_t j; (j = nearest()) >= 0;)
      if (row_of_col_[j] >= 0) relax(row_of_col_[j], paid_[row_of_col_[j]] - col_dual_[j], distance_[j]);
    std::vector<T> dual;
    for (int64_t j = 0; j < cols_; ++j) dual.push_back(col_dual_[j] + distance_[j]);
    return dual;
  }

  const std::vector<T>& col_dual() const { return col_dual_; }
  int32_t col_of_row(int64_t row) const { return col_of_row_[row]; }

 private:
  enum class State : uint8_t { unseen, labelled, scanned };

  // A row takes the column of its least slack if no other row has it.
  void assign_if_free(int32_t row) {
    const Least least = least_of(row);
    if (row_of_col_[least.col] >= 0) return;
    row_of_col_[least.col] = row;
    col_of_row_[row] = least.col;
    paid_[row] = grid_.at(least.cost);
  }
  struct Least {
    T slack = T(0);
    int32_t col = -1;
    double cost = 0;
  };
  Least least_of(int32_t row) {
    Least least;
    for (int64_t e = pairs_.start[row]; e < pairs_.start[row + 1]; ++e) {
      const auto [j, cost] = pairs_.pair[e];
      const T slack = grid_.at(cost) - col_dual_[j];
      if (least.col < 0 || slack < least.slack) least = {slack, j, cost};
    }
    return least;
  }

  void augment_from(int32_t root) {
    begin();
    relax(root, least_of(root).slack, T(0));
    int32_t end;
    while (row_of_col_[end = nearest()] >= 0)
      relax(row_of_col_[end], paid_[row_of_col_[end]] - col_dual_[end], distance_[end]);
    for (int64_t j = 0; j < cols_; ++j)
      if (state_[j] == State::scanned) col_dual_[j] += distance_[j] - distance_[end];
    for (int32_t j = end, i; j >= 0;) {
      i = before_[j];
      row_of_col_[j] = i;
      std::swap(col_of_row_[i], j);
      paid_[i] = grid_.at(cost_of(i, col_of_row_[i]));
      if (i == root) break;
    }
  }
  double cost_of(int32_t row, int32_t col) const {
    int64_t e = pairs_.start[row];
    while (pairs_.pair[e].col != col) ++e;
    return pairs_.pair[e].cost;
  }

  void begin() { std::fill(state_.begin(), state_.end(), State::unseen); }

  // The labelled column that is nearest, which is scanned now; -1 if there is none.
  int32_t nearest() {
    int32_t found = -1;
    for (int32_t j = 0; j < cols_; ++j)
      if (state_[j] == State::labelled && (found < 0 || distance_[j] < distance_[found])) found = j;
    if (found >= 0) state_[found] = State::scanned;
    run_.spend(cols_ + 1);
    return found;
  }

  // Distances through a row of this dual that is itself at the given distance.
  void relax(int32_t row, const T& dual, const T& distance) {
    for (int64_t e = pairs_.start[row]; e < pairs_.start[row + 1]; ++e) {
      const auto [j, cost] = pairs_.pair[e];
      if (state_[j] == State::scanned) continue;
      const T through = distance + (grid_.at(cost) - col_dual_[j] - dual);
      if (state_[j] == State::labelled && !(through < distance_[j])) continue;
      state_[j] = State::labelled;
      distance_[j] = through;
      before_[j] = row;
    }
    run_.spend(8 * (pairs_.start[row + 1] - pairs_.start[row]) + 1);
  }

  const int64_t rows_, cols_;
  Run& run_;
  const Grid<T> grid_;
  const RealCosts::Pairs& pairs_;
  std::vector<T> col_dual_, paid_;  // paid: by each row for its column
  std::vector<int32_t> row_of_col_, col_of_row_;
  std::vector<T> distance_;
  std::vector<int32_t> before_;  // the row that labelled a column last
  std::vector<State> state_;
};

}  // namespace konig
