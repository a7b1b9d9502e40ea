// Rows of a dense problem that cost the same everywhere: machines, shifts or seats of one kind.
//
// The dual of a row that has a column is the smallest slack of the row, so equal rows have the same one. In a
// search the first of them that is scanned is at least as near to the root as a later one, and has labelled
// all columns that the later one could label. The root counts as the first of its kind: its equals add
// nothing to the distances that it has labelled either. Duals of reals may differ in their last digits; the
// proof covers that.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "core/run.h"

namespace konig {

class EqualRows {
 public:
  bool are_known() const { return are_known_; }
  void forget() {
    are_known_ = false;
    kind_.clear();
  }

  // Where few rows are equal it is as if none were, and so it is where a few costs of each row do not tell
  // which are: in forbidden ones.
  template <class S>
  void find(const S* cost, int64_t rows, int64_t cols, Run& run) {
    are_known_ = true;
    kind_.resize(size_t(rows));
    digest_.resize(size_t(rows));
    table_.assign(std::bit_ceil(size_t(2 * rows)), -1);
    int64_t misses = 0;
    const auto are_equal = [&](int64_t a, int64_t b) {
      if (digest_[a] != digest_[b]) return false;
      if (std::memcmp(cost + a * cols, cost + b * cols, size_t(cols) * sizeof(S)) == 0) return true;
      ++misses;
      return false;
    };
    int32_t kinds = 0;
    for (int64_t i = 0; i < rows && 8 * misses <= rows; ++i) {
      digest_[i] = digest(cost + i * cols, cols);
      size_t at = digest_[i] % table_.size();
      while (table_[at] >= 0 && !are_equal(table_[at], i)) at = (at + 1) % table_.size();
      const bool is_equal = table_[at] >= 0;
      kind_[i] = is_equal ? kind_[table_[at]] : kinds++;
      table_[at] = int32_t(i);
      run.spend(is_equal ? cols / 4 + 1 : 1);
    }
    if (4 * kinds > 3 * rows || 8 * misses > rows) kind_.clear();
    search_of_kind_.assign(size_t(kinds), 0);
    search_ = 0;
  }

  void start_search(int32_t root) {
    ++search_;
    take_kind(root);
  }
  // Counts the row as scanned, and says whether no equal one was before it in this search.
  bool take_kind(int32_t row) {
    return kind_.empty() || std::exchange(search_of_kind_[kind_[row]], search_) != search_;
  }

 private:
  // Of a few costs.
  template <class S>
  static uint64_t digest(const S* row, int64_t cols) {
    constexpr int64_t kCompared = 4;
    uint64_t digest = 0;
    for (int64_t j = 0; j < cols; j += std::max<int64_t>(1, cols / kCompared)) {
      uint64_t bits = 0;
      std::memcpy(&bits, row + j, sizeof(S));
      digest = (digest ^ bits) * 0x9E3779B97F4A7C15u;
      digest ^= digest >> 32;
    }
    return digest;
  }

  bool are_known_ = false;
  std::vector<int32_t> kind_;  // of each row; empty if few are equal
  std::vector<uint64_t> digest_;
  std::vector<int32_t> table_;  // the last row of each kind, by its digest
  std::vector<int64_t> search_of_kind_;
  int64_t search_ = 0;
};

}  // namespace konig
