// An assignment of sparse costs and its column duals, both nearly optimal, made optimal.
//
// A row whose column does not attain the smallest slack of the row loses it. Then each such row finds a
// column by a shortest augmenting path: Dijkstra's algorithm on the reduced costs. A path raises the sum of
// all duals by its length, and that sum never exceeds the cost of the assignment that was there. So all paths
// together are no longer than the gap between the two, and no dual moves further: a search ends after few
// columns, and a pair whose reduced cost exceeds the gap at the start undercuts no dual at the end.
//
// On a rectangle the columns without a row belong to one spare row, to which every column costs 0: a path may
// take one of them and leave another in its place. They share one dual, the largest of all.
//
// Minimises; rows <= cols. Every row has a column, one of its entries. T is an integer type, so that nothing
// is rounded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "assignment/sparse/distance_heap.h"
#include "assignment/sparse/task.h"
#include "core/run.h"

namespace konig {

template <class T>
class SparseRepair {
 public:
  // Column duals of a rectangle are at most 0, and 0 without a row.
  SparseRepair(const SparseCosts<T>& costs, const int32_t* col_of_row, const std::vector<T>& col_dual)
      : costs_(costs),
        spare_row_(int32_t(costs.rows)),
        spare_col_(int32_t(costs.cols)),
        columns_(size_t(costs.cols + 1)),
        col_of_row_(col_of_row, col_of_row + costs.rows),
        held_(size_t(costs.rows)) {
    for (int64_t j = 0; j < costs.cols; ++j) columns_[j].dual = col_dual[j];
    for (Column& column : columns_) column.row = spare_row_;
    for (int32_t i = 0; i < spare_row_; ++i) assign(i, col_of_row_[i]);
  }

  void solve(Run& run) {
    const std::vector<int32_t> beaten = drop_beaten_rows(run);
    for (const int32_t row : beaten) augment_from(row, run);
  }

  int32_t col_of_row(int64_t row) const { return col_of_row_[row]; }
  int32_t row_of_col(int64_t col) const {
    const int32_t row = columns_[col].row;
    return row == spare_row_ ? -1 : row;
  }
  T col_dual(int64_t col) const { return columns_[at(col)].dual - columns_[spare_col_].dual; }
  T row_dual(int64_t row) const { return held_[row] - col_dual(col_of_row_[row]); }

 private:
  static constexpr T kInfinity = Bounds<T>::infinity;

  struct Column {
    T dual = T(0);
    T distance = T(0);
    int32_t stamp = 0;  // of the search that labelled it
    int32_t row = -1;   // that it is assigned to, or -1
    int32_t before = -1;
  };

  // The columns of the spare row share a place.
  int32_t at(int64_t col) const { return columns_[col].row == spare_row_ ? spare_col_ : int32_t(col); }
  T slack(int64_t entry) const { return costs_.cost[entry] - columns_[at(costs_.col[entry])].dual; }

  T smallest_slack(int32_t row, Run& run) const {
    T smallest = kInfinity;
    for (int64_t e = costs_.start[row]; e < costs_.start[row + 1]; ++e)
      smallest = std::min(smallest, slack(e));
    run.spend(costs_.start[row + 1] - costs_.start[row] + 1);
    return smallest;
  }

  void assign(int32_t row, int32_t col) {
    int64_t entry = costs_.start[row];
    while (costs_.col[entry] != col) ++entry;
    columns_[col].row = row;
    col_of_row_[row] = col;
    held_[row] = costs_.cost[entry];
  }

  std::vector<int32_t> drop_beaten_rows(Run& run) {
    std::vector<int32_t> beaten;
    T gap = T(0);
    for (int32_t i = 0; i < spare_row_; ++i) {
      const T above = held_[i] - columns_[col_of_row_[i]].dual - smallest_slack(i, run);
      if (above == T(0)) continue;
      gap += above;
      beaten.push_back(i);
    }
    if (costs_.rows < costs_.cols)
      for (const int32_t j : col_of_row_)
        if (!(columns_[j].dual < -gap)) near_spare_.push_back(j);
    for (const int32_t i : beaten) columns_[col_of_row_[i]].row = -1;
    return beaten;
  }

  void augment_from(int32_t root, Run& run) {
    ++epoch_;
    heap_.clear();
    scanned_.clear();
    best_ = kInfinity;
    relax(root, smallest_slack(root, run), T(0), run);
    while (!heap_.empty() && heap_.top().distance < best_) {
      const auto [distance, j] = heap_.top();
      heap_.pop();
      const Column& column = columns_[j];
      if (column.distance != distance) continue;
      scanned_.push_back(j);
      if (j == spare_col_)
        relax_from_spare(run);
      else
        relax(column.row, held_[column.row] - column.dual, distance, run);
    }
    for (const int32_t j : scanned_) columns_[j].dual += columns_[j].distance - best_;
    augment_along(root);
  }

  void relax(int32_t row, const T& dual, const T& distance, Run& run) {
    for (int64_t e = costs_.start[row]; e < costs_.start[row + 1]; ++e)
      if (label(at(costs_.col[e]), distance + (slack(e) - dual), row) && at(costs_.col[e]) == spare_col_)
        entry_to_spare_ = costs_.col[e];
    run.spend(costs_.start[row + 1] - costs_.start[row] + 1);
  }

  void relax_from_spare(Run& run) {
    const Column& spare = columns_[spare_col_];
    for (const int32_t j : near_spare_)
      if (columns_[j].row != spare_row_)
        label(j, spare.distance + (spare.dual - columns_[j].dual), spare_row_);
    run.spend(int64_t(near_spare_.size()) + 1);
  }

  // Labels the column if this is the shortest path to it so far; returns whether it is.
  bool label(int32_t j, const T& distance, int32_t before) {
    Column& column = columns_[j];
    if (!(distance < best_) || (column.stamp == epoch_ && !(distance < column.distance))) return false;
    column.stamp = epoch_;
    column.distance = distance;
    column.before = before;
    if (column.row >= 0) {
      heap_.push({distance, j});
    } else {
      best_ = distance;
      best_col_ = j;
    }
    return true;
  }

  void augment_along(int32_t root) {
    for (int32_t j = best_col_, row = -1; row != root;) {
      row = columns_[j].before;
      if (row == spare_row_) {
        columns_[j].row = spare_row_;
        j = entry_to_spare_;
        row = columns_[spare_col_].before;
        columns_[j].dual = columns_[spare_col_].dual;
        near_spare_.push_back(j);
      }
      const int32_t next = col_of_row_[row];
      assign(row, j);
      j = next;
    }
  }

  const SparseCosts<T> costs_;
  const int32_t spare_row_, spare_col_;  // beyond the others
  std::vector<Column> columns_;
  std::vector<int32_t> col_of_row_;
  std::vector<T> held_;              // the cost of each row's pair
  std::vector<int32_t> near_spare_;  // columns whose dual could become the largest
  int32_t epoch_ = 0;
  DistanceHeap<T> heap_;
  std::vector<int32_t> scanned_;
  T best_ = kInfinity;  // distance of the nearest column without a row
  int32_t best_col_ = -1;
  int32_t entry_to_spare_ = -1;  // the column of the spare row that the search reached first
};

}  // namespace konig
