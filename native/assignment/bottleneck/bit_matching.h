// A maximum matching of a dense bipartite graph whose rows are bits, one for each column.
//
// Phases of breadth-first searches from all unmatched rows at once, each column visited once, at most one
// path from each root (as Azad, Buluc and Pothen do). A row's unvisited columns are found 64 at a time, so
// that a phase reads the bits of each row once: 0.2 ms for 5,000 x 5,000, whatever the number of entries.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "assignment/bottleneck/search.h"
#include "core/large_array.h"
#include "core/run.h"

namespace konig::bottleneck {

struct BitRows {
  BitRows(int64_t rows, int64_t cols) : rows(rows), cols(cols), words((cols + 63) / 64) {}

  uint64_t* row(int64_t i) { return bits.data() + i * words; }
  const uint64_t* row(int64_t i) const { return bits.data() + i * words; }
  void set(int64_t i, int64_t j) { row(i)[j >> 6] |= uint64_t(1) << (j & 63); }
  void clear() { bits.assign(size_t(rows * words), 0); }

  int64_t rows, cols, words;
  LargeArray<uint64_t> bits;
};

class BitMatching {
 public:
  BitMatching(const BitRows& graph, Pairs& pairs, int64_t target, Run& run)
      : graph_(graph), pairs_(pairs), target_(target), run_(run) {}

  // Until the matching has `target` pairs, or is maximum.
  void grow() {
    match_greedily();
    while (pairs_.size < target_ && search()) {
    }
  }

  // After a search that found nothing: rows that it did not reach and columns that it did.
  Cover cover() const {
    Cover cover{std::vector<uint8_t>(size_t(graph_.rows), 1), std::vector<uint8_t>(size_t(graph_.cols), 0)};
    for (const int32_t row : queue_) cover.rows[row] = 0;
    for (int64_t j = 0; j < graph_.cols; ++j) cover.cols[j] = !(unvisited_[j >> 6] >> (j & 63) & 1);
    return cover;
  }

 private:
  static void mark_all(std::vector<uint64_t>& bits, int64_t count) {
    bits.assign(size_t(count + 63) / 64, ~uint64_t(0));
    if (count & 63) bits.back() = (uint64_t(1) << (count & 63)) - 1;
  }

  void match_greedily() {
    mark_all(unvisited_, graph_.cols);
    for (int64_t j = 0; j < graph_.cols; ++j)
      if (pairs_.row_of_col[j] >= 0) unvisited_[j >> 6] &= ~(uint64_t(1) << (j & 63));
    for (int64_t i = 0; i < graph_.rows && pairs_.size < target_; ++i) {
      if (pairs_.col_of_row[i] >= 0) continue;
      const uint64_t* const bits = graph_.row(i);
      for (int64_t w = 0; w < graph_.words; ++w) {
        const uint64_t open = bits[w] & unvisited_[w];
        if (!open) continue;
        unvisited_[w] &= ~(open & -open);
        pair(int32_t(i), int32_t(64 * w + std::countr_zero(open)));
        ++pairs_.size;
        break;
      }
      run_.spend(graph_.words);
    }
  }

  void pair(int32_t row, int32_t col) {
    pairs_.col_of_row[row] = col;
    pairs_.row_of_col[col] = row;
  }

  // One phase; false if there is no augmenting path.
  bool search() {
    mark_all(unvisited_, graph_.cols);
    root_of_row_.resize(size_t(graph_.rows));
    row_before_.resize(size_t(graph_.cols));
    found_.assign(size_t(graph_.rows), 0);
    queue_.clear();
    for (int64_t i = 0; i < graph_.rows; ++i) {
      if (pairs_.col_of_row[i] >= 0) continue;
      root_of_row_[i] = int32_t(i);
      queue_.push_back(int32_t(i));
    }
    bool any = false;
    for (size_t k = 0; k < queue_.size() && pairs_.size < target_; ++k) {
      if (!found_[root_of_row_[queue_[k]]]) any |= visit(queue_[k]);
      run_.spend(graph_.words);
    }
    return any;
  }

  // The row's unvisited columns; true if one of them ends an augmenting path.
  bool visit(int32_t row) {
    const uint64_t* const bits = graph_.row(row);
    for (int64_t w = 0; w < graph_.words; ++w) {
      for (uint64_t open = bits[w] & unvisited_[w]; open; open &= open - 1) {
        const auto col = int32_t(64 * w + std::countr_zero(open));
        unvisited_[w] &= ~(open & -open);
        row_before_[col] = row;
        const int32_t next = pairs_.row_of_col[col];
        if (next < 0) {
          augment(col);
          found_[root_of_row_[row]] = 1;
          return true;
        }
        root_of_row_[next] = root_of_row_[row];
        queue_.push_back(next);
      }
    }
    return false;
  }

  void augment(int32_t col) {
    while (col >= 0) {
      const int32_t row = row_before_[col], before = pairs_.col_of_row[row];
      pair(row, col);
      col = before;
    }
    ++pairs_.size;
  }

  const BitRows& graph_;
  Pairs& pairs_;
  const int64_t target_;
  Run& run_;
  std::vector<uint64_t> unvisited_;
  std::vector<int32_t> queue_, root_of_row_, row_before_;
  std::vector<uint8_t> found_;  // of a root: its path
};

}  // namespace konig::bottleneck
