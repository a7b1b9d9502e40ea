// The cells of a ranking, and the search for the cheapest assignment of one: Dijkstra's algorithm.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include "assignment/k_best.h"
#include "assignment/k_best_costs.h"
#include "assignment/sparse/distance_heap.h"
#include "core/run.h"

namespace konig::ranking {

// ---- nodes

constexpr int32_t kSpareRow = -1;  // owns the columns of a rectangle that have no row
constexpr int32_t kNoRow = -2;     // owns the columns that a row is looked for, before the first assignment
constexpr int32_t kForced = -1;    // the place of a row whose pair is forced

struct Pair {
  int32_t row, col;
  auto operator<=>(const Pair&) const = default;
};

template <class T>
struct Node {
  Ranking::Place from;
  T excess = T(0);          // over the first assignment
  std::vector<T> row, col;  // duals, counted from those of the start: rows' only rise, columns' only fall
  T spare = T(0);           // the dual of columns without a row
  std::vector<int32_t> col_of_row, row_of_col;
  std::vector<Pair> forbidden;  // ascending
  std::vector<int32_t> order;   // of its children: the rows that are not forced
  std::vector<int32_t> place;   // of each row in the order
  std::vector<T> bound;         // of each child: how much more it costs at least; falling

  bool forbids(int32_t row, int32_t col) const {
    return std::binary_search(forbidden.begin(), forbidden.end(), Pair{row, col});
  }
};

// ---- searches

// Dijkstra's algorithm in a node's cell, from one row to the nearest column that has no row or loses it.
template <class T, class S>
class CellSearch {
 public:
  explicit CellSearch(Lists<T, S>& lists)
      : lists_(lists),
        spare_col_(int32_t(lists.costs.task().cols)),
        columns_(size_t(spare_col_) + 1),
        stamp_of_row_(size_t(lists.costs.task().rows), 0) {}

  // The row loses its column, if it has one, and the pairs of rows placed before `position` are forced. Paths
  // of length `within` and more do not count.
  void run(const Node<T>& node, int32_t row, int32_t position, const T& within, Run& run);
  bool has_found() const { return end_ >= 0; }
  // Of the path, or `within` if there is none.
  const T& length() const { return best_; }
  int64_t count() const { return count_; }

  // How far the duals of the node move to those of the cell that was searched: rows up, others down.
  template <class OnRow, class OnCol, class OnSpare>
  void each_move(const Node<T>& node, const OnRow& on_row, const OnCol& on_col,
                 const OnSpare& on_spare) const;
  void move_duals(Node<T>& node) const;
  // Takes the path.
  void augment(Node<T>& node) const;

  std::vector<int32_t> ownerless;  // columns that no row has, not even the spare one

 private:
  struct Column {
    T distance = T(0);
    int64_t stamp = 0;  // of the search that labelled it
    int32_t before = 0;
  };

  void relax(const Node<T>& node, int32_t row, const T& distance, Run& run);
  void relax_from_spare(const Node<T>& node, Run& run);
  bool label(const Node<T>& node, int32_t col, const T& distance, int32_t before);

  Lists<T, S>& lists_;
  const int32_t spare_col_;  // stands for all columns of the spare row
  std::vector<Column> columns_;
  std::vector<int64_t> stamp_of_row_;  // of the search, if pairs of the row are forbidden
  DistanceHeap<T> heap_;
  std::vector<int32_t> scanned_;
  int32_t root_ = -1, lost_ = -1, position_ = 0;
  int32_t end_ = -1, entry_to_spare_ = -1;
  T best_ = T(0);
  int64_t count_ = 0;  // of searches
};

template <class T, class S>
void CellSearch<T, S>::run(const Node<T>& node, int32_t row, int32_t position, const T& within, Run& run) {
  ++count_;
  heap_.clear();
  scanned_.clear();
  root_ = row;
  lost_ = node.col_of_row[row];
  position_ = position;
  end_ = -1;
  best_ = within;
  for (const Pair& pair : node.forbidden) stamp_of_row_[pair.row] = count_;
  relax(node, row, T(0), run);
  while (!heap_.empty() && heap_.top().distance < best_) {
    const auto [distance, j] = heap_.top();
    heap_.pop();
    if (columns_[j].distance != distance) continue;
    scanned_.push_back(j);
    if (j == spare_col_)
      relax_from_spare(node, run);
    else
      relax(node, node.row_of_col[j], distance, run);
  }
}

template <class T, class S>
void CellSearch<T, S>::relax(const Node<T>& node, int32_t row, const T& distance, Run& run) {
  const T base = distance - node.row[row];
  const bool has_forbidden = stamp_of_row_[row] == count_;
  size_t read = 0;
  for (const Entry<T>* entry; (entry = lists_.in_row(row, read, run)) != nullptr; ++read) {
    if (!(base + entry->cost < best_)) break;  // duals of columns only fall
    const int32_t j = entry->other, owner = node.row_of_col[j];
    if (owner >= 0 && node.place[owner] < position_) continue;  // its pair is forced
    if ((row == root_ && j == lost_) || (has_forbidden && node.forbids(row, j))) continue;
    const T through = base + entry->cost - node.col[j];
    if (owner != kSpareRow)
      label(node, j, through, row);
    else if (label(node, spare_col_, through, row))
      entry_to_spare_ = j;
  }
  run.spend(int64_t(read) + 1);
}

// The spare row may leave its column for any other: each costs it nothing.
template <class T, class S>
void CellSearch<T, S>::relax_from_spare(const Node<T>& node, Run& run) {
  const T base = columns_[spare_col_].distance + node.spare;
  const auto relax_column = [&](int32_t j) {
    label(node, j, base - lists_.costs.col_dual()[j] - node.col[j], kSpareRow);
  };
  for (size_t i = 0; i < node.col_of_row.size(); ++i)
    if (node.col_of_row[i] >= 0 && node.place[i] >= position_) relax_column(node.col_of_row[i]);
  for (const int32_t j : ownerless) relax_column(j);
  run.spend(int64_t(node.col_of_row.size()) + 1);
}

// Labels the column if this is the shortest path to it so far; returns whether it is.
template <class T, class S>
bool CellSearch<T, S>::label(const Node<T>& node, int32_t col, const T& distance, int32_t before) {
  Column& column = columns_[col];
  if (!(distance < best_) || (column.stamp == count_ && !(distance < column.distance))) return false;
  column.stamp = count_;
  column.distance = distance;
  column.before = before;
  if (col == lost_ || (col != spare_col_ && node.row_of_col[col] == kNoRow)) {
    best_ = distance;
    end_ = col;
  } else {
    heap_.push({distance, col});
  }
  return true;
}

template <class T, class S>
template <class OnRow, class OnCol, class OnSpare>
void CellSearch<T, S>::each_move(const Node<T>& node, const OnRow& on_row, const OnCol& on_col,
                                 const OnSpare& on_spare) const {
  on_row(root_, best_);
  for (const int32_t j : scanned_) {
    const T by = best_ - columns_[j].distance;
    if (j != spare_col_) {
      on_col(j, by);
      on_row(node.row_of_col[j], by);
      continue;
    }
    on_spare(by);
    for (int32_t spare = 0; spare < spare_col_; ++spare)
      if (node.row_of_col[spare] == kSpareRow) on_col(spare, by);
  }
}

template <class T, class S>
void CellSearch<T, S>::move_duals(Node<T>& node) const {
  each_move(
      node, [&](int32_t i, const T& by) { node.row[i] += by; },
      [&](int32_t j, const T& by) { node.col[j] += -by; }, [&](const T& by) { node.spare += -by; });
}

template <class T, class S>
void CellSearch<T, S>::augment(Node<T>& node) const {
  for (int32_t j = end_, row = -1; row != root_;) {
    row = columns_[j].before;
    if (row == kSpareRow) {
      node.row_of_col[j] = kSpareRow;
      j = entry_to_spare_;
      row = columns_[spare_col_].before;
    }
    node.row_of_col[j] = row;
    std::swap(node.col_of_row[row], j);
  }
}

}  // namespace konig::ranking
