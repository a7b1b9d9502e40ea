// A search of a problem of a batch, in the manner of Dijkstra's, and what it changes.
#pragma once

#include "konig/assignment/batch/solver.h"

namespace konig::batch {

// A shortest path from a free row to a free column; false if there is none.
template <class Crew, class Cost>
KONIG_FN bool Solver<Crew, Cost>::search(int root) {
  const long long root_dual = board_.row_dual[root];
  crew_.for_each(cols_, [&](int k, int col) {
    distance_[k] = tile_.value(entry(root, col)) - root_dual - col_dual_[k];
    pred_[k] = root;
    tie_[k] = unsigned(col) | (board_.row_of_col[col] >= 0 ? kTaken : 0);
  });
  Least nearest = nearest_column();
  while (nearest.value < kInfinite && (nearest.tie & kTaken)) {
    scan(nearest);
    nearest = nearest_column();
    ++steps_;
  }
  if (nearest.value >= kInfinite) return false;
  const int last = int(nearest.tie & kColumn);
  move_duals(root, last, nearest.value);
  crew_.barrier();
  if (crew_.leads()) flip_path(root, last);
  crew_.barrier();
  return true;
}

template <class Crew, class Cost>
KONIG_FN Least Solver<Crew, Cost>::nearest_column() {
  Least mine = bsp::kNoPick;
  crew_.for_each(cols_, [&](int k, int) {
    if (tie_[k] != kScanned && bsp::before(distance_[k], tie_[k], mine)) mine = {distance_[k], tie_[k]};
  });
  return crew_.least(mine);
}

// Goes on from the row of the nearest column, which has its final distance.
template <class Crew, class Cost>
KONIG_FN void Solver<Crew, Cost>::scan(const Least& nearest) {
  const int left = int(nearest.tie & kColumn);
  const int row = board_.row_of_col[left];
  const long long so_far = nearest.value - board_.row_dual[row];
  crew_.for_each(cols_, [&](int k, int col) {
    const long long distance = so_far + tile_.value(entry(row, col)) - col_dual_[k];
    if (col == left) {
      tie_[k] = kScanned;
      board_.pred_of[col] = pred_[k];
    } else if (tie_[k] != kScanned && distance < distance_[k]) {
      distance_[k] = distance;
      pred_[k] = row;
    }
  });
}

// What was scanned moves so far that the path becomes tight, and nothing goes below zero.
template <class Crew, class Cost>
KONIG_FN void Solver<Crew, Cost>::move_duals(int root, int last, long long length) {
  crew_.for_each(cols_, [&](int k, int col) {
    if (tie_[k] == kScanned) {
      const long long ahead = length - distance_[k];
      col_dual_[k] -= ahead;
      board_.row_dual[board_.row_of_col[col]] += ahead;
    } else if (col == last) {
      board_.pred_of[col] = pred_[k];
    }
  });
  if (crew_.leads()) board_.row_dual[root] += length;
}

template <class Crew, class Cost>
KONIG_FN void Solver<Crew, Cost>::flip_path(int root, int col) {
  for (int row = -1; row != root;) {
    row = board_.pred_of[col];
    const int before = board_.col_of_row[row];
    board_.col_of_row[row] = col;
    board_.row_of_col[col] = row;
    col = before;
  }
}

}  // namespace konig::batch
