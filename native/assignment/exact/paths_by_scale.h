// An assignment of real costs of many scales and its duals, from nothing, in float64.
//
// Shortest augmenting paths, Dijkstra's algorithm on reduced costs (J. Edmonds, R. M. Karp, Theoretical
// improvements in algorithmic efficiency for network flow problems, Journal of the ACM 19, 1972), a row at a
// time: that of the largest cost first, unlike there. A path moves the duals of the columns that its search
// scanned by numbers of the scale of its root, and they lose the digits below. Rows of large costs come
// first, so that what is lost is what no later row needs: products of many scales, maximised, have the right
// pairs at all scales then, and only at the largest in any other order. Nothing depends on it: what is found
// is proved as any answer is.
//
// Minimises; rows <= cols. Column duals are at most 0, and 0 where no row is assigned.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "assignment/exact/core.h"
#include "core/run.h"

namespace konig {

class PathsByScale {
 public:
  explicit PathsByScale(const RealCosts& costs)
      : costs_(costs),
        col_of_row_(size_t(costs.rows), -1),
        row_of_col_(size_t(costs.cols), -1),
        before_(size_t(costs.cols), -1),
        dual_(size_t(costs.cols), 0.0),
        paid_(size_t(costs.rows), 0.0),
        reached_at_(size_t(costs.cols), 0.0),
        distance_(size_t(costs.cols), kInfinity) {}

  // False if that takes more than so many scans of rows, or if a row finds no column.
  bool solve(int64_t scans, Run& run) {
    scans_ = scans;
    for (const int32_t row : by_scale(run))
      if (!augment_from(row, run)) return false;
    return true;
  }

  const std::vector<int32_t>& col_of_row() const { return col_of_row_; }
  const std::vector<double>& col_dual() const { return dual_; }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kLargest = std::numeric_limits<double>::max();

  std::vector<int32_t> by_scale(Run& run) const {
    std::vector<double> scale;
    for (int32_t i = 0; i < costs_.rows; ++i) {
      double largest = 0;
      for (const auto [col, cost] : costs_.find_pairs({i}, dual_.data(), &kLargest, run).pair)
        largest = std::max(largest, std::abs(cost));
      scale.push_back(largest);
    }
    std::vector<int32_t> rows(size_t(costs_.rows));
    std::iota(rows.begin(), rows.end(), 0);
    std::stable_sort(rows.begin(), rows.end(), [&](int32_t a, int32_t b) { return scale[a] > scale[b]; });
    return rows;
  }

  double lowest(int32_t row, Run& run) const {
    double least = kInfinity;
    for (const auto [j, cost] : costs_.find_pairs({row}, dual_.data(), &kLargest, run).pair)
      least = std::min(least, cost - dual_[j]);
    return least;
  }

  bool augment_from(int32_t root, Run& run) {
    open_.clear();
    scanned_.clear();
    open_dual_ = dual_;
    double best = kInfinity;
    int32_t last = -1;
    for (int32_t row = root, scanned = -1;;) {
      if (--scans_ < 0) return false;
      const double from = scanned < 0 ? 0 : distance_[scanned];
      const double row_dual = scanned < 0 ? lowest(root, run) : paid_[row] - dual_[scanned];
      const double bound = std::min(best - from + row_dual, kLargest);
      for (const auto [j, cost] : costs_.find_pairs({row}, open_dual_.data(), &bound, run).pair) {
        const double through = from + std::max(cost - dual_[j] - row_dual, 0.0);  // but for rounding
        if (!(through < distance_[j]) || !(through < best)) continue;
        before_[j] = row;
        reached_at_[j] = cost;
        if (row_of_col_[j] >= 0) {
          if (distance_[j] == kInfinity) open_.push_back(j);
          distance_[j] = through;
        } else {
          best = through;
          last = j;
        }
      }
      scanned = next(best);
      if (scanned < 0) break;
      row = row_of_col_[scanned];
    }
    for (const int32_t j : scanned_) {
      dual_[j] += distance_[j] - best;
      distance_[j] = kInfinity;
    }
    for (const int32_t j : open_) distance_[j] = kInfinity;
    if (last >= 0) augment_along(root, last);
    return last >= 0 && std::isfinite(best);
  }

  // The nearest labelled column that is not scanned, if it is nearer than the best without a row; -1 if not.
  // Where distances nearly tie, columns are labelled so often that a heap takes ten times as long.
  int32_t next(double best) {
    size_t nearest = open_.size();
    for (size_t k = 0; k < open_.size(); ++k)
      if (distance_[open_[k]] < best) {
        best = distance_[open_[k]];
        nearest = k;
      }
    if (nearest == open_.size()) return -1;
    const int32_t j = open_[nearest];
    open_[nearest] = open_.back();
    open_.pop_back();
    scanned_.push_back(j);
    open_dual_[j] = -kInfinity;
    return j;
  }

  void augment_along(int32_t root, int32_t col) {
    for (int32_t row = -1; row != root;) {
      row = before_[col];
      std::swap(col_of_row_[row], col);
      const int32_t taken = col_of_row_[row];
      row_of_col_[taken] = row;
      paid_[row] = reached_at_[taken];
    }
  }

  const RealCosts& costs_;
  std::vector<int32_t> col_of_row_, row_of_col_, before_;
  std::vector<double> dual_, paid_, reached_at_, distance_;
  std::vector<double> open_dual_;  // in a search, of columns that are not scanned; -infinity for the others
  std::vector<int32_t> open_, scanned_;  // columns with a row: labelled, not scanned yet, and scanned
  int64_t scans_ = 0;
};

}  // namespace konig
