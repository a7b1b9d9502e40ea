// The dense assignment problem in which all pairs cost the same, or more, but for a few a row.
//
// Minimises; rows <= cols, every row is assigned. Only the cheaper pairs are looked at. A row may leave them
// at the common cost: it then takes any column that no row holds by one of these pairs. State: column duals,
// at most 0, and 0 where no row holds the column; a row's dual is what its pair costs less the column's dual,
// or the common cost if it has left. Invariant: that is the least of what the row could have, the common cost
// among it. So a row's dual is never above the common cost, a pair that is not listed costs at least the sum
// of its duals, and the pairs of rows that left and columns that are free just that: the duals prove the
// answer for the whole matrix.
//
// Every row takes its best column as in augmenting row reduction (R. Jonker, A. Volgenant, Computing 38,
// 1987); for rows that are left, Dijkstra's algorithm on the reduced costs finds the nearest free column, or
// the nearest row that leaves. A row that has left stays away: duals only fall. Columns that a search has
// passed in vain are no longer tight to other rows, so that trees are not searched twice where costs tie.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "assignment/sparse/costs.h"
#include "assignment/sparse/distance_heap.h"
#include "core/exact.h"
#include "core/run.h"

namespace konig {

template <class S, class T>
class CommonCostPaths {
 public:
  struct Counts {
    int64_t bids = 0;
    int64_t reduced_rows = 0;    // assigned, or gone, before the first search
    int64_t row_reductions = 0;  // steps of augmenting row reduction
    int64_t paths = 0;           // searches
    int64_t row_scans = 0;       // rows of the matrix that were read
  };

  // `cost` is the whole matrix.
  void prepare(const SparseCosts<S>& costs, S common, SignedCosts<S> cost) {
    costs_ = costs;
    cost_ = cost;
    common_ = T(common);
    counts_ = {};
    counts_.row_scans = costs.rows;
    columns_.assign(size_t(costs.cols), Column{T(0), T(0), 0, -1, -1});
    col_of_row_.assign(size_t(costs.rows), -1);
    held_.assign(size_t(costs.rows), common_);
    left_.clear();
    stamp_ = 0;
  }

  // False if a row that left finds no free column at the common cost.
  bool solve(Run& run) {
    reduce_rows(run);
    counts_.reduced_rows = costs_.rows - int64_t(left_.size());
    run.report(counts_.reduced_rows, costs_.rows);
    for (const int32_t root : left_) augment_from(root, run);
    run.report(costs_.rows, costs_.rows);
    return pair_the_rest();
  }

  T row_dual(int64_t row) const { return held_[row] - columns_[col_of_row_[row]].dual; }
  T col_dual(int64_t col) const { return columns_[col].dual; }
  int32_t col_of_row(int64_t row) const { return col_of_row_[row]; }
  int32_t row_of_col(int64_t col) const { return columns_[col].row; }
  // Of real costs, for a proof (dense_real_costs.h): a pair that is not listed costs at least the common
  // cost, and no dual is above 0.
  double lowest_listed(int64_t i, const double* col_dual, double) const {
    double lowest = double(common_);
    for (int64_t e = costs_.start[i]; e < costs_.start[i + 1]; ++e)
      lowest = std::min(lowest, difference_below(double(costs_.cost[e]), col_dual[costs_.col[e]]));
    return lowest;
  }
  const Counts& counts() const { return counts_; }

 private:
  static constexpr T kInfinity = Bounds<T>::infinity;
  static constexpr int64_t kStepsPerRow = 3;

  struct Column {
    T dual, distance;
    int32_t stamp;  // of the search that labelled it, and one more once it is scanned
    int32_t row;    // or -1
    int32_t before;
  };
  struct Best {
    T first, second;
    int64_t entry;  // of the first
  };

  T slack(int64_t e) const { return T(costs_.cost[e]) - columns_[costs_.col[e]].dual; }

  // The common cost counts as second.
  Best best_of(int64_t i, Run& run) const {
    Best best{kInfinity, common_, -1};
    const int64_t end = costs_.start[i + 1];
    for (int64_t e = costs_.start[i]; e < end; ++e) {
      const T here = slack(e);
      if (here < best.first) {
        if (best.first < best.second) best.second = best.first;
        best.first = here;
        best.entry = e;
      } else {
        best.second = here < best.second ? here : best.second;
      }
    }
    run.spend(end - costs_.start[i] + 1);
    return best;
  }

  // A free column with this slack, or -1.
  int64_t free_tie(int64_t i, T value) const {
    for (int64_t e = costs_.start[i]; e < costs_.start[i + 1]; ++e)
      if (columns_[costs_.col[e]].row < 0 && slack(e) == value) return e;
    return -1;
  }

  void assign(int32_t i, int64_t e) {
    col_of_row_[i] = costs_.col[e];
    columns_[costs_.col[e]].row = i;
    held_[i] = T(costs_.cost[e]);
  }
  void leave(int32_t i) {
    col_of_row_[i] = -1;
    held_[i] = common_;
  }

  void reduce_rows(Run& run) {
    int64_t steps_left = kStepsPerRow * costs_.rows;
    for (int64_t next = 0; next < costs_.rows; ++next) {
      for (int32_t i = int32_t(next); i >= 0;) {
        if (steps_left-- <= 0) {
          left_.push_back(i);
          break;
        }
        const Best best = best_of(i, run);
        ++counts_.row_reductions;
        if (!(best.first < common_)) break;  // it leaves
        int64_t entry = best.entry;
        Column& first = columns_[costs_.col[entry]];
        const T lowered = first.dual - (best.second - best.first);
        if (lowered < first.dual) {
          first.dual = checked(lowered);
        } else if (first.row >= 0 && (entry = free_tie(i, best.first)) < 0) {
          left_.push_back(i);
          break;
        }
        Column& taken = columns_[costs_.col[entry]];
        const int32_t loser = taken.row;
        assign(i, entry);
        if (loser >= 0) leave(loser);
        i = loser;
      }
    }
  }

  void augment_from(int32_t root, Run& run) {
    const T least = best_of(root, run).first;
    if (!(least < common_)) return;
    ++counts_.paths;
    start_search();
    relax(root, least, T(0), run);
    for (int32_t j; (j = next_column()) >= 0;) {
      const Column& column = columns_[j];
      relax(column.row, held_[column.row] - column.dual, column.distance, run);
    }
    for (const int32_t j : scanned_)
      columns_[j].dual = moved(columns_[j].dual, columns_[j].distance, nearest_);
    int32_t j = end_col_;
    if (j < 0) {
      if (end_row_ == root) return;
      j = col_of_row_[end_row_];
      leave(end_row_);
    }
    while (true) {
      const int32_t i = columns_[j].before, next = col_of_row_[i];
      int64_t e = costs_.start[i];
      while (costs_.col[e] != j) ++e;
      assign(i, e);
      if (i == root) return;
      j = next;
    }
  }

  void start_search() {
    stamp_ += 2;
    if (stamp_ >= std::numeric_limits<int32_t>::max() - 2) {
      for (Column& column : columns_) column.stamp = 0;
      stamp_ = 2;
    }
    heap_.clear();
    level_.clear();
    level_next_ = 0;
    scanned_.clear();
    nearest_ = kInfinity;
    end_row_ = end_col_ = -1;
  }

  // Marked as scanned; -1 if none is nearer than the end of the path.
  int32_t next_column() {
    while (true) {
      int32_t j;
      if (level_next_ < level_.size()) {
        j = level_[level_next_++];
        // A column of this distance may have ended the search meanwhile.
        if (columns_[j].stamp != stamp_ || !(columns_[j].distance < nearest_)) continue;
      } else if (!heap_.empty() && heap_.top().distance < nearest_) {
        level_.clear();
        level_next_ = 0;
        const auto [distance, col] = heap_.top();
        j = col;
        heap_.pop();
        if (columns_[j].stamp != stamp_ || columns_[j].distance != distance) continue;
      } else {
        return -1;
      }
      columns_[j].stamp = stamp_ + 1;
      scanned_.push_back(j);
      return j;
    }
  }

  // Through a row that is itself at the given distance, to columns and out of the listed pairs.
  void relax(int32_t i, T dual, T distance, Run& run) {
    const T out = distance + std::max(T(0), T(common_ - dual));
    if (out < nearest_) {
      nearest_ = out;
      end_row_ = i;
      end_col_ = -1;
    }
    for (int64_t e = costs_.start[i]; e < costs_.start[i + 1]; ++e) {
      Column& column = columns_[costs_.col[e]];
      // Rounding must not lead back.
      const T through = distance + std::max(T(0), T(T(costs_.cost[e]) - column.dual - dual));
      if (!(through < nearest_) || column.stamp == stamp_ + 1) continue;
      if (column.stamp == stamp_ && !(through < column.distance)) continue;
      column.stamp = stamp_;
      column.distance = through;
      column.before = i;
      if (column.row < 0) {
        nearest_ = through;
        end_col_ = costs_.col[e];
        end_row_ = -1;
      } else if (through == distance) {
        level_.push_back(costs_.col[e]);
      } else {
        heap_.push({through, costs_.col[e]});
      }
    }
    run.spend(costs_.start[i + 1] - costs_.start[i] + 1);
  }

  // A pair that is not listed may cost more than the common cost, which a row that left cannot have.
  bool pair_the_rest() {
    rest_.clear();
    int64_t j = 0;
    for (int32_t i = 0; i < int32_t(costs_.rows); ++i) {
      if (col_of_row_[i] >= 0) continue;
      const int64_t row = int64_t(i) * costs_.cols;
      int32_t found = -1;
      for (size_t k = 0; k < rest_.size() && found < 0; ++k) {
        if (T(cost_[row + rest_[k]]) != common_) continue;
        found = rest_[k];
        rest_.erase(rest_.begin() + int64_t(k));
      }
      for (; j < costs_.cols && found < 0; ++j) {
        if (columns_[j].row >= 0) continue;
        if (T(cost_[row + j]) == common_)
          found = int32_t(j);
        else
          rest_.push_back(int32_t(j));
      }
      if (found < 0) return false;
      col_of_row_[i] = found;
      columns_[found].row = i;
    }
    return true;
  }

  SparseCosts<S> costs_;
  SignedCosts<S> cost_;
  T common_ = T(0);
  Counts counts_;
  std::vector<Column> columns_;
  std::vector<int32_t> col_of_row_;
  std::vector<T> held_;        // the cost of each row's pair
  std::vector<int32_t> left_;  // to the searches
  std::vector<int32_t> rest_;  // free columns that were too dear for some row
  DistanceHeap<T> heap_;
  std::vector<int32_t> level_, scanned_;
  size_t level_next_ = 0;
  int32_t stamp_ = 0;
  T nearest_ = kInfinity;  // the end of the path: a free column, or a row that leaves
  int32_t end_row_ = -1, end_col_ = -1;
};

}  // namespace konig
