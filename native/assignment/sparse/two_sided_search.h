// The shortest augmenting path from one free row of a square sparse problem, searched from both ends.
//
// T. A. J. Nicholson, Finding the shortest route between two points in a network, The Computer Journal 9
// (1966): Dijkstra's algorithm from the row and, on the transposed lists, from all free columns, until the
// two radii add up to the length of the best path seen. In a graph without locality a search from one end
// goes through much of it when few columns are free; two searches meet after about the square root of that.
//
// Duals. Let F and B be radii with F + B the length of the shortest path, such that every column nearer than
// F to the row, or nearer than B to a free column, has been scanned. A column's dual moves by
//   -max(0, F - distance from the row) + max(0, B - distance to a free column).
// No slack gets negative. Each term alone takes at most its slack from a pair. Both terms take from a pair
// (i, j) only if the row i is nearer than F and j nearer than B, and then they take at most F + B less the
// two distances: no more than the slack, or the path through this pair would be shorter than the shortest.
// Pairs on the path lose all their slack.
//
// Free columns move up, so this is for squares: on a rectangle a free column's dual is 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "assignment/sparse/distance_heap.h"
#include "assignment/sparse/state.h"
#include "core/large_array.h"

namespace konig {

template <class S, class T>
class TwoSidedSearch {
 public:
  using State = SparseState<S, T>;
  using Column = typename State::Column;

  explicit TwoSidedSearch(State& state) : state_(state) {}

  // Transposes the lists. To be called again when costs or, by another search, free columns have changed.
  void prepare(Run& run) {
    const auto& costs = state_.costs;
    const int64_t entries = costs.start[costs.rows];
    in_start_.assign(costs.cols + 1, 0);
    in_ = LargeArray<Entry>(size_t(entries));
    for (int64_t i = 0; i < costs.rows; ++i) {
      if (state_.is_forced(i)) continue;
      for (int64_t e = costs.start[i]; e < costs.start[i + 1]; ++e) ++in_start_[costs.col[e] + 1];
    }
    for (int64_t j = 0; j < costs.cols; ++j) in_start_[j + 1] += in_start_[j];
    for (int64_t i = 0; i < costs.rows; ++i) {
      if (i + State::kAhead < costs.rows)
        for (int64_t e = costs.start[i + State::kAhead]; e < costs.start[i + State::kAhead + 1]; ++e)
          prefetch_to_write(&in_start_[costs.col[e]]);
      if (state_.is_forced(i)) continue;
      for (int64_t e = costs.start[i]; e < costs.start[i + 1]; ++e)
        in_[in_start_[costs.col[e]]++] = {int32_t(i), costs.cost[e]};
      state_.count_scan(i, run);
    }
    std::copy_backward(in_start_.begin(), in_start_.end() - 1, in_start_.end());
    in_start_[0] = 0;
    free_columns_.clear();
    for (int64_t j = 0; j < costs.cols; ++j)
      if (state_.columns[j].row < 0) free_columns_.push_back(int32_t(j));
    labels_ = LargeArray<Labels>(size_t(costs.cols), Labels{});
    epoch_ = 0;
  }

  // Whether a path was found; if not, the violator says why.
  bool augment_from(int32_t root, Run& run) {
    start(root, run);
    while (next_of(from_row_)) {
      const bool some_back = next_of(to_free_);
      const T ahead = from_row_.heap.top().distance;
      if (some_back && !(ahead + to_free_.heap.top().distance < length_)) break;
      if (!some_back && length_ < kInfinity) break;
      if (!some_back || from_row_.work <= to_free_.work)
        scan_from_row(run);
      else
        scan_to_free(run);
    }
    if (!(length_ < kInfinity)) return state_.refuse_tree(root, from_row_.scanned);
    move_duals();
    augment(root);
    ++state_.counts.paths;
    ++state_.counts.two_sided_paths;
    return true;
  }

 private:
  static constexpr T kInfinity = State::kInfinity;

  // A column's label in one of the two searches. `stamp` is the number of the last search that labelled it,
  // twice, and one more when it is scanned.
  struct Label {
    T distance = T(0);
    int32_t stamp = 0;
    int32_t link = -1;  // from the row: the row before; to a free column: the column after
  };
  struct Labels {
    Label from_row, to_free;
  };
  struct Side {
    Label Labels::* label;
    DistanceHeap<T> heap;
    std::vector<int32_t> scanned;
    int64_t work = 0;  // entries read
  };
  struct Entry {
    int32_t row;
    S cost;
  };

  void start(int32_t root, Run& run) {
    if (++epoch_ == std::numeric_limits<int32_t>::max() / 2 - 1) {
      std::fill(labels_.begin(), labels_.end(), Labels{});
      epoch_ = 1;
    }
    length_ = kInfinity;
    meeting_ = -1;
    for (Side* side : {&from_row_, &to_free_}) {
      side->heap.clear();
      side->scanned.clear();
      side->work = 0;
    }
    for (const int32_t j : free_columns_) improve(to_free_, from_row_, j, T(0), -1);
    const T least = state_.two_smallest(root, run).first;
    if (least < kInfinity) relax_from_row(root, least, T(0), run);
  }

  bool is_labelled(const Label& label) const { return label.stamp >= 2 * epoch_; }
  bool is_scanned(const Label& label) const { return label.stamp == 2 * epoch_ + 1; }

  // Whether there is a column to scan: it is on top of the heap then.
  bool next_of(Side& side) {
    while (!side.heap.empty()) {
      const auto [distance, j] = side.heap.top();
      const Label& label = labels_[j].*side.label;
      if (!is_scanned(label) && label.distance == distance) return true;
      side.heap.pop();
    }
    return false;
  }

  int32_t take(Side& side) {
    const int32_t j = side.heap.top().col;
    side.heap.pop();
    (labels_[j].*side.label).stamp = 2 * epoch_ + 1;
    side.scanned.push_back(j);
    return j;
  }

  // A path of this distance between column j and this side's end; with one to the other end it makes a whole.
  void improve(Side& side, const Side& other, int32_t j, T distance, int32_t link) {
    Label& label = labels_[j].*side.label;
    if (!(distance < length_)) return;
    if (is_labelled(label) && (is_scanned(label) || !(distance < label.distance))) return;
    label = {distance, 2 * epoch_, link};
    side.heap.push({distance, j});
    const Label& onward = labels_[j].*other.label;
    if (!is_labelled(onward) || !(distance + onward.distance < length_)) return;
    length_ = distance + onward.distance;
    meeting_ = j;
  }

  void scan_from_row(Run& run) {
    const int32_t j = take(from_row_);
    const Column& column = state_.columns[j];
    if (column.row < 0) return;
    relax_from_row(column.row, state_.held[column.row] - column.dual, labels_[j].from_row.distance, run);
  }

  void relax_from_row(int32_t row, T dual, T distance, Run& run) {
    const auto& costs = state_.costs;
    state_.prefetch_columns_of(row);
    for (int64_t e = costs.start[row]; e < costs.start[row + 1]; ++e) prefetch(&labels_[costs.col[e]]);
    for (int64_t e = costs.start[row]; e < costs.start[row + 1]; ++e) {
      const int32_t j = costs.col[e];
      const T slack = T(costs.cost[e]) - state_.columns[j].dual - dual;
      improve(from_row_, to_free_, j, slack > T(0) ? distance + slack : distance, row);
    }
    from_row_.work += costs.start[row + 1] - costs.start[row] + 1;
    state_.count_scan(row, run);
  }

  // A row is on a path to a free column through its own column.
  void scan_to_free(Run& run) {
    const int32_t j = take(to_free_);
    const T distance = labels_[j].to_free.distance, dual = state_.columns[j].dual;
    const int64_t first = in_start_[j], last = in_start_[j + 1];
    for (int64_t e = first; e < last; ++e) {
      const int32_t own = state_.col_of_row[in_[e].row];
      if (own < 0) continue;
      prefetch(&state_.columns[own]);
      prefetch(&labels_[own]);
    }
    for (int64_t e = first; e < last; ++e) {
      const int32_t i = in_[e].row, own = state_.col_of_row[i];
      if (own < 0 || own == j) continue;
      const T slack = T(in_[e].cost) - dual - (state_.held[i] - state_.columns[own].dual);
      improve(to_free_, from_row_, own, slack > T(0) ? distance + slack : distance, j);
    }
    to_free_.work += 2 * (last - first) + 1;
    state_.count_entries(last - first, run);
  }

  void move_duals() {
    const T ahead = next_of(from_row_) ? std::min(from_row_.heap.top().distance, length_) : length_;
    const T back = length_ - ahead;
    for (const int32_t j : from_row_.scanned) {
      const T distance = labels_[j].from_row.distance;
      if (distance < ahead) state_.columns[j].dual = checked(state_.columns[j].dual - (ahead - distance));
    }
    for (const int32_t j : to_free_.scanned) {
      const T distance = labels_[j].to_free.distance;
      if (distance < back) state_.columns[j].dual = checked(state_.columns[j].dual + (back - distance));
    }
  }

  // The pairs of the path, from the root on. Both halves are simple; where costs tie they may cross, and what
  // lies between the crossings is left out.
  void augment(int32_t root) {
    path_.clear();
    for (int32_t j = meeting_;;) {
      const int32_t i = labels_[j].from_row.link;
      path_.push_back({i, j});
      if (i == root) break;
      j = state_.col_of_row[i];
    }
    std::reverse(path_.begin(), path_.end());
    size_t first_half = path_.size();
    for (int32_t j = meeting_; labels_[j].to_free.link >= 0;) {
      const int32_t next = labels_[j].to_free.link;
      path_.push_back({state_.columns[j].row, next});
      j = next;
      if (!is_labelled(labels_[j].from_row)) continue;
      for (size_t k = 0; k < first_half; ++k) {
        if (path_[k].second != j) continue;
        path_.resize(first_half = k + 1);
        break;
      }
    }
    const int32_t end = path_.back().second;
    for (const auto& [i, j] : path_) state_.assign_pair(i, j);
    free_columns_.erase(std::find(free_columns_.begin(), free_columns_.end(), end));
  }

  State& state_;
  std::vector<int64_t> in_start_;
  LargeArray<Entry> in_;
  LargeArray<Labels> labels_;
  std::vector<int32_t> free_columns_;
  int32_t epoch_ = 0;
  Side from_row_{&Labels::from_row, {}, {}, 0}, to_free_{&Labels::to_free, {}, {}, 0};
  T length_ = kInfinity;  // of the shortest path seen
  int32_t meeting_ = -1;  // a column on it
  std::vector<std::pair<int32_t, int32_t>> path_;
};

}  // namespace konig
