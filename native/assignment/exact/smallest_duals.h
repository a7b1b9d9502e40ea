// The smallest column duals that prove an assignment, in float64.
//
// Where a prohibitive cost has been paid on the way to an assignment its duals are on that scale, and have
// lost the digits that matter. As largest_duals.h does, labels fall from 0: in exact arithmetic they end as
// the largest duals up to 0, which are as small as they can be, and Dijkstra's algorithm finds them, led by
// the duals there are. Rounded labels may take some rows more than once, and their last digits may be wrong;
// whether they prove the answer is found out as for any duals. That takes a fifth of the time of exact
// labels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "assignment/exact/column_queue.h"
#include "assignment/exact/core.h"

namespace konig {

class SmallestDuals {
 public:
  // `paid` are the costs of the assigned pairs.
  SmallestDuals(const RealCosts& costs, const int32_t* col_of_row, const std::vector<double>& paid)
      : costs_(costs),
        paid_(paid),
        row_of_col_(size_t(costs.cols), -1),
        label_(size_t(costs.cols), 0.0),
        queue_(costs.cols) {
    for (int64_t i = 0; i < costs.rows; ++i) row_of_col_[col_of_row[i]] = int32_t(i);
  }

  // False if that takes more than so many scans of rows, as where the assignment is not optimal, or if a
  // column without a row would have to fall.
  bool find(const double* near, int64_t scans, Run& run) {
    for (int32_t j = 0; j < costs_.cols; ++j)
      if (row_of_col_[j] >= 0) queue_.push(j, -near[j]);
    for (int32_t j; (j = queue_.pop()) >= 0;) {
      const double row_dual = paid_[row_of_col_[j]] - label_[j];
      if (--scans < 0 || !std::isfinite(row_dual)) return false;
      for (const auto [k, cost] : costs_.find_pairs({row_of_col_[j]}, label_.data(), &row_dual, run).pair) {
        const double through = cost - row_dual;
        const double unit = 0x1p-52 * std::max({std::abs(cost), std::abs(row_dual), std::abs(label_[k])});
        if (!(label_[k] - through > unit) || k == j) continue;
        if (row_of_col_[k] < 0) return false;
        label_[k] = through;
        queue_.push(k, through - near[k]);
      }
    }
    return true;
  }

  const std::vector<double>& duals() const { return label_; }

 private:
  const RealCosts& costs_;
  const std::vector<double>& paid_;
  std::vector<int32_t> row_of_col_;
  std::vector<double> label_;
  ColumnQueue<double> queue_;
};

}  // namespace konig
