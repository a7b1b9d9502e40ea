// Shortest augmenting paths between points, searched near one free row at a time.
//
// Dijkstra's algorithm on the reduced costs, which gives up after so many columns. Up to the distance that it
// has reached the duals move all the same: they stay feasible, pairs stay tight, and the next search of the
// row begins where this one ended. Rows lie in the order of a tree, so that a search and the next one share
// their columns: in a search from all free rows together, in the order of distance, every scan would wait
// for memory.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/sparse/distance_heap.h"
#include "assignment/sparse/state.h"

namespace konig {

class LocalSearch {
 public:
  using State = SparseState<double, double>;
  using Column = State::Column;

  explicit LocalSearch(State& state) : state_(state) {}

  // To be called when another search may have left its stamps.
  void reset() {
    for (Column& column : state_.columns) column.stamp = 0;
    epoch_ = 0;
  }

  // Whether a path was found by scanning no more columns than these.
  bool augment_from(int32_t root, int64_t most_columns, Run& run) {
    start();
    relax(root, state_.two_smallest(root, run).first, 0, run);
    for (int32_t j; (j = next_column()) >= 0;) {
      Column& column = state_.columns[j];
      if (int64_t(scanned_.size()) == most_columns) {
        move_duals(column.distance);
        return false;
      }
      column.stamp = scanned_stamp();
      scanned_.push_back(j);
      relax(column.row, state_.held[column.row] - column.dual, column.distance, run);
    }
    if (best_col_ < 0) return false;
    move_duals(best_free_);
    augment_along(root);
    ++state_.counts.paths;
    return true;
  }

 private:
  static constexpr double kInfinity = State::kInfinity;

  void start() {
    if (++epoch_ == std::numeric_limits<int32_t>::max() / 2 - 1) {
      reset();
      epoch_ = 1;
    }
    heap_.clear();
    level_.clear();
    scanned_.clear();
    best_free_ = kInfinity;
    best_col_ = -1;
  }
  int32_t labelled_stamp() const { return 2 * epoch_; }
  int32_t scanned_stamp() const { return 2 * epoch_ + 1; }

  // The nearest column that is not yet scanned; -1 if none is nearer than the nearest free one.
  int32_t next_column() {
    while (!level_.empty()) {
      const int32_t j = level_.back();
      level_.pop_back();
      if (state_.columns[j].stamp == labelled_stamp()) return j;
    }
    while (!heap_.empty() && heap_.top().distance < best_free_) {
      const auto [distance, j] = heap_.top();
      heap_.pop();
      if (state_.columns[j].stamp == labelled_stamp() && state_.columns[j].distance == distance) return j;
    }
    return -1;
  }

  void relax(int32_t row, double dual, double distance, Run& run) {
    const auto& costs = state_.costs;
    for (int64_t e = costs.start[row]; e < costs.start[row + 1]; ++e) {
      const int32_t j = costs.col[e];
      Column& column = state_.columns[j];
      double through = distance + (costs.cost[e] - column.dual - dual);
      if (through < distance) through = distance;  // rounding must not lead back
      if (!(through < best_free_) || column.stamp == scanned_stamp()) continue;
      if (column.stamp == labelled_stamp() && !(through < column.distance)) continue;
      column.stamp = labelled_stamp();
      column.distance = through;
      column.before = row;
      if (column.row < 0) {
        best_free_ = through;
        best_col_ = j;
      } else if (through == distance) {
        level_.push_back(j);
      } else {
        heap_.push({through, j});
      }
    }
    state_.count_scan(row, run);
  }

  void move_duals(double radius) {
    for (const int32_t j : scanned_) {
      Column& column = state_.columns[j];
      column.dual = moved(column.dual, column.distance, radius);
    }
  }

  void augment_along(int32_t root) {
    for (int32_t j = best_col_; j >= 0;) {
      const int32_t i = state_.columns[j].before, next = state_.col_of_row[i];
      state_.assign_pair(i, j);
      j = i == root ? -1 : next;
    }
  }

  State& state_;
  int32_t epoch_ = 0;
  DistanceHeap<double> heap_;
  std::vector<int32_t> level_, scanned_;  // level: columns at the distance that is being scanned
  double best_free_ = kInfinity;
  int32_t best_col_ = -1;
};

}  // namespace konig
