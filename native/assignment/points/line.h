// As many points as others on a line: sorted, the first goes to the first, and so on.
//
// Every metric is a convex function of |x - y| there. So costs are Monge (A. J. Hoffman, On simple linear
// programming problems, 1963): the pairs in sorted order are optimal, and duals that hold for neighbours hold
// for all pairs. From one column to the next a dual may change by
//   c(x', y') - c(x', y)   to   c(x, y') - c(x, y)
// where (x, y) and (x', y') are the two pairs; the middle leaves most room for rounding. Costs are rounded,
// so that this holds but for last places, which the proof makes good.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "assignment/points/queries.h"
#include "core/exact.h"

namespace konig {

inline std::vector<int32_t> sorted_on_line(const PointSet& set) {
  std::vector<int32_t> order(size_t(set.count), 0);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return set.at(a, 0) < set.at(b, 0) || (set.at(a, 0) == set.at(b, 0) && a < b);
  });
  return order;
}

// The sum of many numbers, rounded once.
class LineDual {
 public:
  void add(double term) {
    const TwoSum sum = two_sum(sum_, term);
    sum_ = sum.sum;
    error_ += sum.error;
  }
  double value() const { return sum_ + error_; }

 private:
  double sum_ = 0, error_ = 0;
};

// The column of each row, and the dual of each column; there are as many.
inline void assign_on_line(const PointQueries& queries, Metric metric, const PointSet& x, const PointSet& y,
                           int32_t* col_of_row, double* col_dual, Run& run) {
  const std::vector<int32_t> row_at = sorted_on_line(x), col_at = sorted_on_line(y);
  const bool is_distance = metric != Metric::sqeuclidean && metric != Metric::cosine;
  LineDual dual;
  const auto add = [&](int64_t k, int64_t l, double factor) {
    if (!is_distance) return dual.add(factor * queries.cost(x, row_at[k], y, col_at[l]));
    const TwoSum difference = two_sum(x.at(row_at[k], 0), -y.at(col_at[l], 0));
    const double signed_factor = difference.sum < 0 ? -factor : factor;
    dual.add(signed_factor * difference.sum);
    dual.add(signed_factor * difference.error);
  };
  for (int64_t k = 0; k < x.count; ++k) {
    if (k > 0) {
      add(k, k, 0.5);
      add(k, k - 1, -0.5);
      add(k - 1, k, 0.5);
      add(k - 1, k - 1, -0.5);
    }
    col_of_row[row_at[k]] = col_at[k];
    col_dual[col_at[k]] = dual.value();
    run.spend(8);
  }
}

}  // namespace konig
