// A maximum matching of a dense bipartite graph whose rows are bits, one for each column.
//
// Phases of depth-first searches with lookahead (Pothen and Fan), one from each unmatched row, through
// columns that no search of the phase has visited. Unvisited and unmatched columns of a row are found 64 at a
// time, and a phase reads the bits of each row twice at most, whatever the number of entries. Breadth-first
// searches visit all columns of the first rows that they reach, and where the columns of rows are nested
// (costs x * y, x + y, |x - y|) find one path in a phase: 2 to 5 times as long at 5,000 x 5,000.
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
      : graph_(graph),
        pairs_(pairs),
        target_(target),
        run_(run),
        row_before_(size_t(graph.cols)),
        first_word_(size_t(graph.rows)) {}

  // Until the matching has `target` pairs, or is maximum.
  void grow() {
    match_greedily();
    while (pairs_.size < target_ && search()) {
    }
  }

  // After a search that found nothing: rows that it did not reach and columns that it did.
  Cover cover() const {
    Cover cover{std::vector<uint8_t>(size_t(graph_.rows), 1), std::vector<uint8_t>(size_t(graph_.cols), 0)};
    for (const int32_t row : reached_) cover.rows[row] = 0;
    for (int64_t j = 0; j < graph_.cols; ++j) cover.cols[j] = !(unvisited_[j >> 6] >> (j & 63) & 1);
    return cover;
  }

 private:
  static void mark_all(std::vector<uint64_t>& bits, int64_t count) {
    bits.assign(size_t(count + 63) / 64, ~uint64_t(0));
    if (count & 63) bits.back() = (uint64_t(1) << (count & 63)) - 1;
  }

  void match_greedily() {
    mark_all(unmatched_, graph_.cols);
    for (int64_t j = 0; j < graph_.cols; ++j)
      if (pairs_.row_of_col[j] >= 0) unmatched_[j >> 6] &= ~(uint64_t(1) << (j & 63));
    for (int64_t i = 0; i < graph_.rows && pairs_.size < target_; ++i) {
      if (pairs_.col_of_row[i] >= 0) continue;
      if (const int32_t col = unmatched_col(int32_t(i)); col >= 0) {
        row_before_[col] = int32_t(i);
        augment(col);
      }
      run_.spend(graph_.words);
    }
  }

  void pair(int32_t row, int32_t col) {
    pairs_.col_of_row[row] = col;
    pairs_.row_of_col[col] = row;
  }

  // One phase: from each unmatched row a search through what no search before it has visited; false if no
  // path was found, and so there is none.
  bool search() {
    mark_all(unvisited_, graph_.cols);
    reached_.clear();
    bool any = false;
    for (int64_t i = 0; i < graph_.rows && pairs_.size < target_; ++i)
      if (pairs_.col_of_row[i] < 0) any |= search_from(int32_t(i));
    return any;
  }

  bool search_from(int32_t root) {
    path_.clear();
    int32_t row = root;
    while (true) {
      if (row >= 0) {
        reached_.push_back(row);
        run_.spend(2 * graph_.words);
        if (const int32_t col = unmatched_col(row); col >= 0) {
          row_before_[col] = row;
          augment(col);
          return true;
        }
        path_.push_back(row);
        first_word_[row] = 0;
      } else {
        path_.pop_back();
        if (path_.empty()) return false;
      }
      row = row_behind(path_.back());
    }
  }

  int32_t unmatched_col(int32_t row) const {
    const uint64_t* const bits = graph_.row(row);
    for (int64_t w = 0; w < graph_.words; ++w)
      if (const uint64_t open = bits[w] & unmatched_[w]) return int32_t(64 * w + std::countr_zero(open));
    return -1;
  }

  // The partner of an unvisited column of the row, which is visited now; -1 if there is none left.
  int32_t row_behind(int32_t row) {
    const uint64_t* const bits = graph_.row(row);
    for (int32_t& w = first_word_[row]; w < graph_.words; ++w) {
      const uint64_t open = bits[w] & unvisited_[w];
      if (!open) continue;
      unvisited_[w] &= ~(open & -open);
      const auto col = int32_t(64 * w + std::countr_zero(open));
      row_before_[col] = row;
      return pairs_.row_of_col[col];
    }
    return -1;
  }

  // Along the path that ends in an unmatched column.
  void augment(int32_t col) {
    unmatched_[col >> 6] &= ~(uint64_t(1) << (col & 63));
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
  std::vector<uint64_t> unvisited_, unmatched_;  // columns
  std::vector<int32_t> reached_;                 // rows, in this phase
  std::vector<int32_t> path_;                    // its rows
  std::vector<int32_t> row_before_;              // of a column on the path to it
  std::vector<int32_t> first_word_;              // of a row on the path: columns before it are visited
};

}  // namespace konig::bottleneck
