// The largest column duals that prove an optimal assignment of real costs and are no larger than a bound.
//
// They are the lengths of shortest paths in the residual graph: every column starts at the bound, and a step
// from the column of a row to another column of the row is as long as the difference of their costs. Labels
// are exact. Which columns a row can lower is found in float64, from labels that are rounded up. Labels are
// corrected until no row lowers one, nearly in the order of Dijkstra's algorithm.
//
// From 0 duals become as small as they can be: no dual is below minus the sum, over the rows, of what they
// pay beyond their least cost. From the largest float64, for the column and its row, the result tells whether
// any duals fit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/exact/core.h"
#include "assignment/exact/grid.h"
#include "assignment/sparse/distance_heap.h"
#include "core/run.h"

namespace konig {

template <class T>
class LargestDuals {
 public:
  // `paid` are the costs of the assigned pairs.
  LargestDuals(const RealCosts& costs, const Grid<T>& grid, const int32_t* col_of_row,
               const std::vector<double>& paid)
      : costs_(costs),
        grid_(grid),
        row_of_col_(size_t(costs.cols), -1),
        label_(size_t(costs.cols)),
        start_(size_t(costs.cols)),
        rounded_(size_t(costs.cols)),
        key_(size_t(costs.cols), kNone) {
    for (int64_t i = 0; i < costs.rows; ++i) {
      row_of_col_[col_of_row[i]] = int32_t(i);
      paid_.push_back(grid.at(paid[i]));
    }
  }

  // From a bound: 0, or the largest float64. The given duals guide the search.
  void find(double bound, const double* duals, Run& run) {
    const T most = grid_.at(bound);
    for (int32_t j = 0; j < costs_.cols; ++j) {
      const int32_t i = row_of_col_[j];
      start_[j] = std::isfinite(duals[j]) ? grid_.at_most(duals[j]) : T(0);
      label_[j] = bound == 0 || i < 0 ? most : std::min(most, paid_[i] + most);
      rounded_[j] = grid_.above(label_[j]);
      if (i >= 0) push(j);
    }
    while (take_columns()) {
      const RealCosts::Pairs found = costs_.find_pairs(rows_, rounded_.data(), bound_.data(), run);
      for (size_t k = 0; k < rows_.size(); ++k)
        for (int64_t e = found.start[k]; e < found.start[k + 1]; ++e) {
          const auto [j, cost] = found.pair[e];
          const TwoSum slack = two_sum(cost, -rounded_[j]);
          if (slack.sum > bound_[k] || (slack.sum == bound_[k] && slack.error >= 0)) continue;  // a tie
          const T through = grid_.at(cost) - row_dual_[k];
          if (!(through < label_[j])) continue;
          label_[j] = through;
          rounded_[j] = grid_.above(through);
          push(j);
        }
    }
  }

  const std::vector<T>& duals() const { return label_; }

 private:
  static constexpr double kNone = -std::numeric_limits<double>::infinity();  // the key of what is not queued

  void push(int32_t j) {
    key_[j] = grid_.below(label_[j] - start_[j]);
    heap_.push({key_[j], j});
  }

  // The rows of the first columns; false if there is none left.
  bool take_columns() {
    rows_.clear();
    row_dual_.clear();
    bound_.clear();
    while (!heap_.empty() && int64_t(rows_.size()) < costs_.rows_at_a_time) {
      const auto [key, j] = heap_.top();
      heap_.pop();
      if (key != key_[j]) continue;
      key_[j] = kNone;
      rows_.push_back(row_of_col_[j]);
      row_dual_.push_back(paid_[row_of_col_[j]] - label_[j]);
      bound_.push_back(std::min(grid_.above(row_dual_.back()), std::numeric_limits<double>::max()));
    }
    return !rows_.empty();
  }

  const RealCosts& costs_;
  const Grid<T> grid_;
  std::vector<int32_t> row_of_col_;
  std::vector<T> paid_;
  std::vector<T> label_, start_;       // start: near what the label will be
  std::vector<double> rounded_, key_;  // labels, rounded up; in the heap
  DistanceHeap<double> heap_;
  std::vector<int32_t> rows_;  // that are scanned together
  std::vector<T> row_dual_;
  std::vector<double> bound_;
};

}  // namespace konig
