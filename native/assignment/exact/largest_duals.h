// The largest column duals that prove an assignment of real costs and are no larger than given ones.
//
// They are the lengths of shortest paths in the residual graph: every column starts at what is given, and a
// step from the column of a row to another column of the row is as long as the difference of their costs.
// Labels are exact. Which columns a row can lower is found in float64, from labels that are rounded up.
//
// From duals that are right but for their last digits few rows have anything to lower. Labels are corrected
// until no row lowers one, nearly in the order of Dijkstra's algorithm; it ends if the assignment is optimal.
// If it is not, the rows that lowered columns last come to form a cycle, which costs less than the pairs that
// it replaces (B. V. Cherkassky, A. V. Goldberg, Negative-cycle detection algorithms, Mathematical
// Programming 85, 1999).
//
// Once exact duals of any size are known, steps are not negative when counted from them, and Dijkstra's
// algorithm scans each row once. From 0 duals become as small as they can be: no dual is below minus the sum,
// over the rows, of what they pay beyond their least cost. From the largest float64, for the column and its
// row, the result tells whether any duals fit. Distances are compared exactly: counted from large duals they
// differ in digits that float64 has not.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/exact/column_queue.h"
#include "assignment/exact/core.h"
#include "assignment/exact/grid.h"
#include "core/run.h"

namespace konig {

template <class T>
class LargestDuals {
 public:
  // `paid` are the costs of the assigned pairs.
  LargestDuals(const RealCosts& costs, const Grid<T>& grid, const int32_t* col_of_row,
               const std::vector<double>& paid)
      : costs_(costs), grid_(grid), col_of_row_(col_of_row), row_of_col_(size_t(costs.cols), -1) {
    for (int64_t i = 0; i < costs.rows; ++i) {
      row_of_col_[col_of_row[i]] = int32_t(i);
      paid_.push_back(grid.at(paid[i]));
    }
    ahead_.resize(size_t(costs.cols));
    before_.resize(size_t(costs.cols), -1);
    label_.resize(size_t(costs.cols));
    rounded_.resize(size_t(costs.cols));
    start_.resize(size_t(costs.cols));
  }

  // What the pair of a row costs more than its duals: `tolerated` of that does not count, and it comes the
  // sooner the more is left.
  void set_excess(int32_t row, double excess, double tolerated) {
    paid_[row] += -grid_.at_most(tolerated);
    ahead_[col_of_row_[row]] = excess - tolerated;
  }

  enum class Outcome { done, improvable, given_up };

  // From these duals, of which only these rows may lower others. Given up after so many scans a row, or if a
  // column without a row would have to fall. The assignment is improvable if the rows that lowered columns
  // last form cycles: better_pairs() cost less.
  Outcome correct(const double* duals, const std::vector<int32_t>& rows, int64_t& rounds, Run& run) {
    ColumnQueue<double> nearly(costs_.cols);
    for (int32_t j = 0; j < costs_.cols; ++j) {
      label_[j] = start_[j] = grid_.at(duals[j]);
      rounded_[j] = duals[j];
    }
    for (const int32_t i : rows) push(nearly, col_of_row_[i]);
    while (rounds-- > 0) {
      const Outcome outcome = settle(nearly, costs_.rows + 1, run);
      if (outcome != Outcome::improvable) return outcome;
      if (find_cycles()) return outcome;
    }
    return Outcome::given_up;
  }
  struct Pair {
    int32_t row, col;
  };
  const std::vector<Pair>& better_pairs() const { return better_; }

  // Of an optimal assignment, from a bound: 0, or the largest float64. Exact duals guide the search.
  void find(double bound, const std::vector<Widest>& exact, Run& run) {
    ColumnQueue<T> nearest(costs_.cols);
    const T most = grid_.at(bound);
    for (int32_t j = 0; j < costs_.cols; ++j) {
      const int32_t i = row_of_col_[j];
      start_[j] = grid_.of(exact[j]);
      label_[j] = bound == 0 || i < 0 ? most : std::min(most, paid_[i] + most);
      rounded_[j] = grid_.above(label_[j]);
      if (i >= 0) push(nearest, j);
    }
    settle(nearest, std::numeric_limits<int64_t>::max(), run);
  }

  const std::vector<T>& duals() const { return label_; }

 private:
  void push(ColumnQueue<double>& queue, int32_t j) {
    queue.push(j, grid_.below(label_[j] - start_[j]) - ahead_[j]);
  }
  void push(ColumnQueue<T>& queue, int32_t j) { queue.push(j, label_[j] - start_[j]); }

  // Improvable if there are more scans to do than these.
  template <class Key>
  Outcome settle(ColumnQueue<Key>& queue, int64_t scans, Run& run) {
    while (take_columns(queue)) {
      scans -= int64_t(rows_.size());
      const RealCosts::Pairs found = costs_.find_pairs(rows_, rounded_.data(), bound_.data(), run);
      for (size_t k = 0; k < rows_.size(); ++k)
        for (int64_t e = found.start[k]; e < found.start[k + 1]; ++e) {
          const auto [j, cost] = found.pair[e];
          const TwoSum slack = two_sum(cost, -rounded_[j]);
          if (slack.sum > bound_[k] || (slack.sum == bound_[k] && slack.error >= 0)) continue;  // a tie
          const T through = grid_.at(cost) - row_dual_[k];
          if (!(through < label_[j])) continue;
          if (row_of_col_[j] < 0) return Outcome::given_up;
          label_[j] = through;
          rounded_[j] = grid_.above(through);
          before_[j] = rows_[k];
          push(queue, j);
        }
      if (scans < 0) return Outcome::improvable;
    }
    return Outcome::done;
  }

  // Whether there are cycles of columns and the rows that lowered them last: each row of one pays less for
  // the column that it lowered, all in all.
  bool find_cycles() {
    std::vector<int32_t> walk(size_t(costs_.cols), -1);  // in which each column was visited
    for (int32_t first = 0; first < costs_.cols; ++first) {
      int32_t j = first;
      while (before_[j] >= 0 && walk[j] < 0) {
        walk[j] = first;
        j = col_of_row_[before_[j]];
      }
      if (before_[j] < 0 || walk[j] != first) continue;
      for (const int32_t last = j;;) {
        better_.push_back({before_[j], j});
        j = col_of_row_[before_[j]];
        if (j == last) break;
      }
    }
    return !better_.empty();
  }

  // The first ones; false if there is none left.
  template <class Key>
  bool take_columns(ColumnQueue<Key>& queue) {
    rows_.clear();
    row_dual_.clear();
    bound_.clear();
    while (int64_t(rows_.size()) < costs_.rows_at_a_time) {
      const int32_t j = queue.pop();
      if (j < 0) break;
      rows_.push_back(row_of_col_[j]);
      row_dual_.push_back(paid_[row_of_col_[j]] - label_[j]);
      bound_.push_back(std::min(grid_.above(row_dual_.back()), std::numeric_limits<double>::max()));
    }
    return !rows_.empty();
  }

  const RealCosts& costs_;
  const Grid<T> grid_;
  const int32_t* const col_of_row_;
  std::vector<int32_t> row_of_col_;
  std::vector<T> paid_;
  std::vector<T> label_, start_;  // start: duals from which distances are counted
  std::vector<double> rounded_;   // labels, rounded up
  std::vector<double> ahead_;
  std::vector<int32_t> before_;  // the row that lowered a column last, or -1
  std::vector<Pair> better_;
  std::vector<int32_t> rows_;  // that are scanned together
  std::vector<T> row_dual_;
  std::vector<double> bound_;
};

}  // namespace konig
