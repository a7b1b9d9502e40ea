// The largest column duals that prove an optimal assignment of real costs and are no larger than a bound.
//
// They are the lengths of shortest paths in the residual graph: every column starts at its bound, and a step
// from the column of a row to another column of the row is as long as the difference of their costs. Labels
// are exact. Which columns a row can lower is found in float64, from labels that are rounded up; the order in
// which rows are scanned, that of Dijkstra's algorithm with the given duals as potentials, is rounded, too,
// so that a row may be scanned again.
//
// With a bound of 0 duals are as small as they can be: no dual is below minus the sum, over the rows, of what
// they pay beyond their least cost. On a rectangle columns without a row stay at 0, since no path to them is
// negative. With the largest float64 as the bound, for the column and its row, the result tells whether any
// duals fit.
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
      : costs_(costs), grid_(grid), row_of_col_(size_t(costs.cols), -1) {
    for (int64_t i = 0; i < costs.rows; ++i) {
      row_of_col_[col_of_row[i]] = int32_t(i);
      paid_.push_back(grid.at(paid[i]));
    }
  }

  std::vector<T> find(double bound, const double* potential, Run& run) {
    label_.resize(size_t(costs_.cols));
    rounded_.resize(size_t(costs_.cols));
    key_.resize(size_t(costs_.cols));
    for (int32_t j = 0; j < costs_.cols; ++j) {
      const int32_t i = row_of_col_[j];
      const T most = grid_.at(bound);
      set_label(j, bound == 0 || i < 0 ? most : std::min(most, paid_[i] + most), potential);
    }
    while (take_columns()) {
      const RealCosts::Pairs found = costs_.find_pairs(rows_, rounded_.data(), bound_.data(), run);
      for (size_t k = 0; k < rows_.size(); ++k)
        for (int64_t e = found.start[k]; e < found.start[k + 1]; ++e) {
          const auto [col, cost] = found.pair[e];
          const T through = grid_.at(cost) - row_dual_[k];
          if (through < label_[col]) set_label(col, through, potential);
        }
    }
    return label_;
  }

 private:
  // Of a column without a row a label leads nowhere.
  void set_label(int32_t j, const T& label, const double* potential) {
    label_[j] = label;
    rounded_[j] = grid_.above(label);
    if (row_of_col_[j] < 0) return;
    key_[j] = rounded_[j] - potential[j];
    if (std::isnan(key_[j])) key_[j] = 0;
    heap_.push({key_[j], j});
  }

  // The nearest ones; false if there is none left.
  bool take_columns() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    rows_.clear();
    row_dual_.clear();
    bound_.clear();
    while (!heap_.empty() && int64_t(rows_.size()) < costs_.rows_at_a_time) {
      const auto [key, j] = heap_.top();
      heap_.pop();
      if (key != key_[j]) continue;
      key_[j] = std::numeric_limits<double>::quiet_NaN();  // taken
      rows_.push_back(row_of_col_[j]);
      row_dual_.push_back(paid_[row_of_col_[j]] - label_[j]);
      bound_.push_back(std::min(std::nextafter(grid_.above(row_dual_.back()), kInfinity),
                                std::numeric_limits<double>::max()));
    }
    return !rows_.empty();
  }

  const RealCosts& costs_;
  const Grid<T> grid_;
  std::vector<int32_t> row_of_col_;
  std::vector<T> paid_;
  std::vector<T> label_;
  std::vector<double> rounded_, key_;  // of labels, not below them; in the heap, NaN if it is not there
  DistanceHeap<double> heap_;
  std::vector<int32_t> rows_;  // that are scanned together
  std::vector<T> row_dual_;
  std::vector<double> bound_;
};

}  // namespace konig
