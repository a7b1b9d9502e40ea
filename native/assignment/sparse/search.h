// Shortest augmenting paths in the sparse assignment problem: Dijkstra's algorithm on the reduced costs, from
// one free row or from all of them together.
//
// A search from one row may give up after so many columns. Up to the distance that it has reached the duals
// move all the same: they stay feasible, pairs stay tight, and the next search of the row begins where this
// one ended. It keeps the length of the shortest path to a free column that it has seen, and puts
// nothing on the heap that is not shorter; columns at the distance that is being scanned wait in a queue
// instead, so that trees grow evenly where costs tie. In a search from all free rows, which is for squares,
// trees grow in the order of distance, and every tree that has reached a free column gives a path.
//
// With limits (state.h) a path from one row may also end at a row that is left alone in its stead: at the
// distance of that row and what its limit exceeds its dual by.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/sparse/distance_heap.h"
#include "assignment/sparse/state.h"

namespace konig {

template <class S, class T>
class SparseSearch {
 public:
  using State = SparseState<S, T>;
  using Column = typename State::Column;

  explicit SparseSearch(State& state) : state_(state) {}

  // To be called after State::prepare, and whenever stamps up to `largest_stamp` are not of a search.
  void reset(int64_t largest_stamp = 0) { epoch_ = int32_t(largest_stamp / 2); }

  // Whether a path was found; if not, the violator says why.
  bool augment_from(int32_t root, Run& run) {
    return augment_near(root, state_.costs.cols, run) || state_.refuse_tree(root, scanned_);
  }

  // The end of the last path found from one row: a column, or ~i for a row i that is left alone.
  int32_t end() const { return end_; }

  // Whether a path was found by scanning no more columns than these.
  bool augment_near(int32_t root, int64_t most_columns, Run& run) {
    start_search();
    const T least = state_.two_smallest(root, run).first;
    if (least < kInfinity) relax<false>(root, least, T(0), 0, run);
    for (int32_t j; (j = next_column()) >= 0;) {
      const Column& column = state_.columns[j];
      if (int64_t(scanned_.size()) > most_columns) {
        move_duals(column.distance);
        return false;
      }
      relax<false>(column.row, state_.held[column.row] - column.dual, column.distance, 0, run);
    }
    if (end_ == kNoEnd) return false;
    move_duals(best_free_);
    augment_to(root, end_);
    ++state_.counts.paths;
    return true;
  }

  // One phase: trees from all free rows, until no tree has ended for a while. Rows that found a path are no
  // longer among State::free. Returns the columns scanned per path, or 0 if none was found: some tree may
  // reach nothing then.
  int64_t augment_from_all(Run& run) {
    auto& free = state_.free;
    start_search();
    tree_end_.assign(free.size(), -1);
    for (size_t tree = 0; tree < free.size(); ++tree) {
      const T least = state_.two_smallest(free[tree], run).first;
      if (least < kInfinity) relax<true>(free[tree], least, T(0), int32_t(tree), run);
    }
    T reached = T(0);
    size_t found = 0, scanned_when_found = 0;
    int32_t j;
    while (found < free.size() &&
           (found == 0 || scanned_.size() <= kPatience * (scanned_when_found + free.size() + 64)) &&
           (j = next_column()) >= 0) {
      Column& column = state_.columns[j];
      reached = column.distance;
      if (column.row >= 0) {
        relax<true>(column.row, state_.held[column.row] - column.dual, column.distance, column.tree, run);
      } else if (tree_end_[column.tree] < 0) {
        tree_end_[column.tree] = j;
        ++found;
        scanned_when_found = scanned_.size();
      }
    }
    if (found == 0) return 0;
    ++state_.counts.phases;
    state_.counts.paths += int64_t(found);
    move_duals(reached);
    size_t kept = 0;
    for (size_t tree = 0; tree < free.size(); ++tree) {
      if (tree_end_[tree] < 0)
        free[kept++] = free[tree];
      else
        augment_along(free[tree], tree_end_[tree]);
    }
    free.resize(kept);
    return int64_t(scanned_.size() / found) + 1;
  }

 private:
  static constexpr T kInfinity = State::kInfinity;
  static constexpr size_t kPatience = 2;
  static constexpr int32_t kNoEnd = std::numeric_limits<int32_t>::min();

  // The column to scan next, marked as scanned; -1 if none is nearer than the nearest free column of a search
  // from one row.
  int32_t next_column() {
    auto& columns = state_.columns;
    while (true) {
      int32_t j;
      if (level_next_ < level_.size() && level_distance_ < best_free_) {
        j = level_[level_next_++];
        if (columns[j].stamp == scanned_stamp()) continue;
      } else if (!heap_.empty() && heap_.top().distance < best_free_) {
        level_.clear();
        level_next_ = 0;
        const auto [distance, col] = heap_.top();
        j = col;
        heap_.pop();
        level_distance_ = distance;
        if (columns[j].stamp == scanned_stamp() || columns[j].distance != distance) continue;
      } else {
        return -1;
      }
      columns[j].stamp = scanned_stamp();
      scanned_.push_back(j);
      return j;
    }
  }

  void start_search() {
    if (++epoch_ >= std::numeric_limits<int32_t>::max() / 2 - 1) {
      for (Column& column : state_.columns) column.stamp = 0;
      epoch_ = 1;
    }
    heap_.clear();
    level_.clear();
    level_next_ = 0;
    level_distance_ = T(0);
    scanned_.clear();
    best_free_ = kInfinity;
    end_ = kNoEnd;
  }
  int32_t labelled_stamp() const { return 2 * epoch_; }
  int32_t scanned_stamp() const { return 2 * epoch_ + 1; }

  // Distances through a row that is itself at the given distance. A search from one row ends at the nearest
  // free column; in a search from many rows free columns wait for their turn like others.
  template <bool kMany>
  void relax(int32_t row, T dual, T distance, int32_t tree, Run& run) {
    const auto& costs = state_.costs;
    state_.prefetch_columns_of(row);
    for (int64_t e = costs.start[row]; e < costs.start[row + 1]; ++e) {
      const int32_t j = costs.col[e];
      Column& column = state_.columns[j];
      T through = distance + (T(costs.cost[e]) - column.dual - dual);
      if (through < distance) through = distance;  // rounding must not lead back
      if (!(through < best_free_)) continue;
      if (column.stamp == scanned_stamp()) continue;
      if (column.stamp == labelled_stamp() && !(through < column.distance)) continue;
      column.stamp = labelled_stamp();
      column.distance = through;
      column.before = row;
      column.tree = tree;
      if (!kMany && column.row < 0) {
        best_free_ = through;
        end_ = j;
      } else if (through == distance) {
        level_.push_back(j);
      } else {
        heap_.push({through, j});
      }
    }
    if (!kMany && state_.limit) relax_alone(row, dual, distance);
    state_.count_scan(row, run);
  }

  void move_duals(T radius) {
    for (const int32_t j : scanned_) {
      Column& column = state_.columns[j];
      column.dual = moved(column.dual, column.distance, radius);
    }
  }

  void relax_alone(int32_t row, T dual, T distance) {
    const T more = state_.limit[row] - dual, through = more > T(0) ? distance + more : distance;
    if (!(through < best_free_)) return;
    best_free_ = through;
    end_ = ~row;
  }

  void augment_to(int32_t root, int32_t end) {
    if (end >= 0) return augment_along(root, end);
    const int32_t row = ~end, col = state_.col_of_row[row];
    state_.leave_alone(row);
    if (row != root) augment_along(root, col);
  }

  void augment_along(int32_t root, int32_t end) {
    for (int32_t j = end; j >= 0;) {
      const int32_t i = state_.columns[j].before, next = state_.col_of_row[i];
      state_.assign_pair(i, j);
      j = i == root ? -1 : next;
    }
  }

  State& state_;
  int32_t epoch_ = 0;
  DistanceHeap<T> heap_;
  std::vector<int32_t> level_, scanned_, tree_end_;
  size_t level_next_ = 0;
  T level_distance_ = T(0);
  T best_free_ = kInfinity;
  int32_t end_ = kNoEnd;  // of the shortest path seen from one row
};

}  // namespace konig
