// An assignment and its duals, both nearly optimal, made optimal.
//
// Everything is counted from the given duals: an entry by its reduced cost, which is not negative, and a dual
// by how far it has moved. A row whose column does not attain the smallest slack of the row loses it. Then
// each such row finds a column by a shortest augmenting path: Dijkstra's algorithm on the reduced costs. A
// path raises the sum of all duals by its length, and that sum never exceeds the cost of the assignment that
// was there. So all paths together are no longer than the gap between the two, and no dual moves further: a
// search ends after few columns, and an entry whose reduced cost exceeds the gap undercuts no dual at the
// end. The list of a row, of its entries within the gap, is read when a search first scans the row.
//
// On a rectangle the columns without a row belong to one spare row, to which every column costs 0: a path may
// take one of them and leave another in its place. They share one dual, the largest of all.
//
// Minimises; rows <= cols. Every row has a column. T is an integer type, so that nothing is rounded.
//
// A search of its own beside sparse/search.h: lists are read on demand and sorted, so that most of a list is
// skipped, and the spare row is one vertex with all columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "assignment/sparse/distance_heap.h"
#include "core/run.h"

namespace konig {

template <class T>
struct ReducedEntry {
  T cost;
  int32_t col;
};

// Lists has list(row), which is empty before the row is read and has the least entries first, read(rows), and
// at_a_time: how many rows it takes at a time.
template <class T, class Lists>
class Repair {
 public:
  using Entry = ReducedEntry<T>;

  // `held` is the reduced cost of each row's pair.
  Repair(Lists& lists, int64_t cols, const std::vector<int32_t>& col_of_row, std::vector<T> held)
      : lists_(lists),
        spare_row_(int32_t(col_of_row.size())),
        spare_col_(int32_t(cols)),
        is_square_(spare_row_ == spare_col_),
        columns_(size_t(cols + 1)),
        moved_(size_t(cols + 1)),
        col_of_row_(col_of_row),
        held_(std::move(held)) {
    for (Column& column : columns_) column.row = spare_row_;
    for (int32_t i = 0; i < spare_row_; ++i) columns_[col_of_row_[i]].row = i;
  }

  // On a rectangle: this column's dual, at most 0, is within the gap of the largest.
  void set_near_spare(int32_t col, const T& dual) {
    columns_[col].start = dual;
    near_spare_.push_back(col);
  }

  // `rows` are those whose pairs may not attain the smallest slack.
  void solve(const std::vector<int32_t>& rows, Run& run) {
    lists_.read(rows);
    for (const int32_t row : drop_beaten(rows, run)) augment_from(row, run);
  }

  int32_t col_of_row(int64_t row) const { return col_of_row_[row]; }
  bool has_row(int64_t col) const { return columns_[col].row != spare_row_; }
  // How far the dual of a column that has a row has moved.
  T moved(int64_t col) const { return moved_[col] - moved_[spare_col_]; }

 private:
  static constexpr T kInfinity = Bounds<T>::infinity;

  struct Column {
    T distance = T(0);
    T start = T(0);       // its dual at first, if it is near the spare ones
    T reached_at = T(0);  // the reduced cost of the entry that labelled it
    int32_t stamp = 0;    // of the search that labelled it
    int32_t row = -1;     // that it is assigned to, or -1
    int32_t before = -1;
  };

  bool is_spare(int32_t col) const { return !is_square_ && columns_[col].row == spare_row_; }
  T slack(const Entry& entry) const {
    if (is_spare(entry.col)) return entry.cost - moved_[spare_col_] + columns_[entry.col].start;
    return entry.cost - moved_[entry.col];
  }

  T smallest_slack(int32_t row, Run& run) const {
    T smallest = kInfinity;
    for (const Entry& entry : lists_.list(row)) {
      if (!(entry.cost < smallest)) break;
      smallest = std::min(smallest, slack(entry));
      run.spend(1);
    }
    return smallest;
  }

  std::vector<int32_t> drop_beaten(const std::vector<int32_t>& rows, Run& run) {
    std::vector<int32_t> beaten;
    for (const int32_t i : rows)
      if (smallest_slack(i, run) < held_[i]) beaten.push_back(i);
    for (const int32_t i : beaten) columns_[col_of_row_[i]].row = -1;
    return beaten;
  }

  void augment_from(int32_t root, Run& run) {
    ++epoch_;
    heap_.clear();
    scanned_.clear();
    labelled_.clear();
    best_ = kInfinity;
    relax(root, smallest_slack(root, run), T(0), run);
    while (!heap_.empty() && heap_.top().distance < best_) {
      const auto [distance, j] = heap_.top();
      heap_.pop();
      const Column& column = columns_[j];
      if (column.distance != distance) continue;
      scanned_.push_back(j);
      if (j == spare_col_) {
        relax_from_spare(run);
      } else {
        if (lists_.list(column.row).empty()) read_with_others(column.row);
        relax(column.row, held_[column.row] - moved_[j], distance, run);
      }
    }
    for (const int32_t j : scanned_) moved_[j] += columns_[j].distance - best_;
    augment_along(root);
  }

  // Also those that the search may scan next, if they come together.
  void read_with_others(int32_t row) {
    wanted_.assign(1, row);
    while (int64_t(wanted_.size()) < lists_.at_a_time && !labelled_.empty()) {
      const int32_t other = columns_[labelled_.back()].row;
      labelled_.pop_back();
      if (other != row && other != spare_row_ && lists_.list(other).empty()) wanted_.push_back(other);
    }
    lists_.read(wanted_);
  }

  void relax(int32_t row, const T& dual, const T& distance, Run& run) {
    const auto list = lists_.list(row);
    const T base = distance - dual;
    int64_t read = 0;
    for (const Entry& entry : list) {
      if (!(base + entry.cost < best_)) break;  // duals only fall: no slack is below its reduced cost
      ++read;
      const T through = base + slack(entry);
      if (!is_spare(entry.col)) {
        label(entry.col, through, row, entry.cost);
        if (best_ == distance) break;  // no path is shorter
      } else if (label(spare_col_, through, row, entry.cost)) {
        entry_to_spare_ = entry.col;
      }
    }
    run.spend(read + 1);
  }

  void relax_from_spare(Run& run) {
    const T base = columns_[spare_col_].distance + moved_[spare_col_];
    for (const int32_t j : near_spare_)
      if (columns_[j].row != spare_row_) label(j, base - moved_[j] - columns_[j].start, spare_row_, T(0));
    run.spend(int64_t(near_spare_.size()) + 1);
  }

  // Labels the column if this is the shortest path to it so far; returns whether it is.
  bool label(int32_t j, const T& distance, int32_t before, const T& cost) {
    Column& column = columns_[j];
    if (!(distance < best_) || (column.stamp == epoch_ && !(distance < column.distance))) return false;
    column.stamp = epoch_;
    column.distance = distance;
    column.reached_at = cost;
    column.before = before;
    if (column.row >= 0) {
      heap_.push({distance, j});
      if (lists_.at_a_time > 1) labelled_.push_back(j);
    } else {
      best_ = distance;
      best_col_ = j;
    }
    return true;
  }

  void augment_along(int32_t root) {
    for (int32_t j = best_col_, row = -1; row != root;) {
      row = columns_[j].before;
      T cost = columns_[j].reached_at;
      if (row == spare_row_) {
        columns_[j].row = spare_row_;
        j = entry_to_spare_;
        row = columns_[spare_col_].before;
        cost = columns_[spare_col_].reached_at;
        moved_[j] = moved_[spare_col_] - columns_[j].start;
        near_spare_.push_back(j);
      }
      const int32_t next = col_of_row_[row];
      columns_[j].row = row;
      col_of_row_[row] = j;
      held_[row] = cost;
      j = next;
    }
  }

  Lists& lists_;
  const int32_t spare_row_, spare_col_;  // beyond the others
  const bool is_square_;
  std::vector<Column> columns_;
  std::vector<T> moved_;  // the duals, from where they were
  std::vector<int32_t> col_of_row_;
  std::vector<T> held_;              // the reduced cost of each row's pair
  std::vector<int32_t> near_spare_;  // columns whose dual could become the largest
  int32_t epoch_ = 0;
  DistanceHeap<T> heap_;
  std::vector<int32_t> scanned_, labelled_, wanted_;
  T best_ = kInfinity;  // distance of the nearest column without a row
  int32_t best_col_ = -1;
  int32_t entry_to_spare_ = -1;  // the column of the spare row that the search reached first
};

}  // namespace konig
