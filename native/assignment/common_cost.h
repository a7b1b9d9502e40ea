// A dense assignment problem in which nearly all entries cost the same, by the entries that cost less.
//
// Such are overlaps of boxes, costs cut off at a gate, 0 or 1 with few zeros, costs that are all equal. One
// read of the matrix lists the entries below the common cost. The lists are a sparse problem in which each
// row has one more column, of its own, at the common cost; a row that is assigned to it takes any free column
// of the matrix at that cost.
//
// The duals prove the answer for the whole matrix. The dual of a row is never above the common cost, and that
// of a column never above 0, so an entry that is not listed costs at least the sum of its duals. The dual of
// a row on its own column is the common cost, which the free column that it takes attains with dual 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "assignment/sparse/augmenting_paths.h"
#include "core/exact.h"
#include "core/shared_loop.h"

namespace konig {

// The entries below the common cost, as lists. Row i begins with its own column, cols + i.
template <class S>
class CheaperEntries {
 public:
  // Lists them. False if no cost seems to be common, if they are many, or if one is not finite. Entries that
  // cost more are not checked.
  bool find(SignedCosts<S> cost, int64_t rows, int64_t cols, int threads, Run& run) {
    const std::optional<S> guess = guess_common(cost, rows, cols);
    if (!guess) return false;
    common_ = *guess;
    rows_ = rows;
    cols_ = cols;
    scans_ = &dense_scans<S, NarrowSums<S>>(cost.negated);
    const int64_t most_of_row = cols / (rows == cols ? kOfSquare : kOfRectangle) + 3;
    const int64_t block = threads > 1 ? kBlockRows : rows, blocks = (rows + block - 1) / block;
    if (int64_t(parts_.size()) < blocks) parts_.resize(size_t(blocks));
    start_.resize(size_t(rows + 1));
    for_rows(threads, blocks, block * cols, run, [&](int, int64_t first, int64_t last) {
      for (int64_t b = first; b < last; ++b)
        find_in_rows(cost, b * block, std::min(rows, (b + 1) * block), most_of_row, parts_[b]);
    });
    least_ = common_;
    int64_t count = 0;
    for (int64_t b = 0; b < blocks; ++b) {
      if (!parts_[b].is_good) return false;
      least_ = std::min(least_, parts_[b].least);
      const int64_t last = std::min(rows, (b + 1) * block);
      for (int64_t i = b * block; i < last; ++i) start_[i + 1] += count;
      count += parts_[b].count;
    }
    start_[0] = 0;
    if (count > rows * most_of_row) return false;
    if (blocks > 1) gather(blocks, count);
    return true;
  }

  S common() const { return common_; }
  // The largest |cost| of the lists.
  double largest() const { return std::max(std::abs(double(common_)), std::abs(double(least_))); }
  int64_t count() const { return start_[rows_] - rows_; }
  SparseCosts<S> costs() const {
    return {rows_, cols_ + rows_, start_.data(), parts_[0].col.data(), parts_[0].cost.data()};
  }

  // Takes the largest of a sample of costs for the common one; nothing if it is not most of the sample.
  static std::optional<S> guess_common(SignedCosts<S> cost, int64_t rows, int64_t cols) {
    if (rows * cols < kFewEntries) return {};
    S common = S(0);
    int64_t equal = 0;
    for (int64_t k = 0; k < kSamples; ++k) {
      const auto spread = uint64_t(uint32_t(uint64_t(k) * 0x9E3779B9u));  // over 32 bits
      const S here = cost[(k * rows / kSamples) * cols + int64_t((spread * uint64_t(cols)) >> 32)];
      if (k == 0 || here > common) {
        common = here;
        equal = 1;
      } else {
        equal += here == common;
      }
      if (k + 1 == kFirstSamples && 5 * equal < 3 * kFirstSamples) return {};
    }
    if (4 * equal < 3 * kSamples || !is_finite(common) || std::numeric_limits<S>::min() == common ||
        std::numeric_limits<S>::max() == common)
      return {};
    return common;
  }

 private:
  static constexpr int64_t kFewEntries = 64;
  // Columns for each entry: with more entries scans of whole rows are faster. On a rectangle one read finds
  // the minima of rows, which is often all: with an entry in 100 to 8 columns lists take 1.1 to 7 times as
  // long there, with overlaps, two costs and gates.
  static constexpr int64_t kOfSquare = 8, kOfRectangle = 128;
  static constexpr int64_t kBlockRows = 128;
  static constexpr int64_t kFirstSamples = 5, kSamples = 32;

  struct Part {
    std::vector<int32_t> col;  // longer than `count`
    std::vector<S> cost;       // likewise
    int64_t count;
    S least;
    bool is_good;
  };

  // Appends all parts to the first.
  void gather(int64_t blocks, int64_t count) {
    parts_[0].col.resize(size_t(count));
    parts_[0].cost.resize(size_t(count));
    int64_t at = parts_[0].count;
    for (int64_t b = 1; b < blocks; ++b) {
      std::copy_n(parts_[b].col.begin(), parts_[b].count, parts_[0].col.begin() + at);
      std::copy_n(parts_[b].cost.begin(), parts_[b].count, parts_[0].cost.begin() + at);
      at += parts_[b].count;
    }
  }

  static bool is_finite(S cost) { return std::numeric_limits<S>::is_integer || cost - cost == S(0); }

  void find_in_rows(SignedCosts<S> cost, int64_t first, int64_t last, int64_t most_of_row, Part& part) {
    // So many entries there may be after a row: those before its block of rows, and `most_of_row` for each
    // row of the block so far and for half a block ahead. Long lists end early, after the same row on any
    // number of threads.
    const int64_t ahead = std::min(rows_, kBlockRows) / 2;
    int64_t most = 0;
    part.count = 0;
    part.least = common_;
    part.is_good = true;
    for (int64_t i = first; i < last; ++i) {
      if (i % kBlockRows == 0) most = part.count + ahead * most_of_row;
      most += most_of_row;
      if (part.count + 1 + cols_ + kMoreRoom > int64_t(part.col.size())) {
        part.col.resize(size_t(2 * (part.count + 1 + cols_ + kMoreRoom)));
        part.cost.resize(part.col.size());
      }
      part.col[part.count] = int32_t(cols_ + i);
      part.cost[part.count++] = common_;
      const int64_t row = i * cols_;
      int32_t* const found = part.col.data() + part.count;
      S* const costs = part.cost.data() + part.count;
      const int64_t count = scans_->below(cost.data + row, nullptr, common_, cols_, found, cols_);
      S least = part.least;
      bool is_good = true;
      for (int64_t k = 0; k < count; ++k) {
        const S here = cost[row + found[k]];
        costs[k] = here;
        least = here < least ? here : least;
        is_good = is_good && is_finite(here);
      }
      part.least = least;
      part.count += count;
      start_[i + 1] = part.count;
      if (!is_good || part.count > most) {
        part.is_good = false;
        return;
      }
    }
    if (std::numeric_limits<S>::is_integer && part.least == std::numeric_limits<S>::min())
      part.is_good = false;
  }

  const DenseScans<S, NarrowSums<S>>* scans_ = nullptr;
  int64_t rows_ = 0, cols_ = 0;
  S common_ = 0, least_ = 0;
  std::vector<Part> parts_;
  std::vector<int64_t> start_;
};

template <class S, class T>
class CommonCostPaths {
 public:
  // False if a row on its own column finds no free column at the common cost. `cost` is the matrix.
  bool solve(const CheaperEntries<S>& entries, SignedCosts<S> cost, Run& run) {
    costs_ = entries.costs();
    common_ = entries.common();
    paths_.prepare(costs_);
    if (!paths_.solve(run)) return false;
    return assign_free_columns(cost);
  }

  T row_dual(int64_t row) const { return on_own_column(row) ? T(common_) : paths_.row_dual(row); }
  T col_dual(int64_t col) const { return paths_.col_dual(col); }
  int32_t col_of_row(int64_t row) const { return col_of_row_[row]; }
  // For a proof (answer.h): an entry that is not listed costs at least the common cost, and no dual is above
  // 0.
  double lowest_listed(int64_t i, const double* col_dual, double) const {
    LowestDifference lowest{double(common_)};
    for (int64_t e = costs_.start[i] + 1; e < costs_.start[i + 1]; ++e)
      lowest.see(double(costs_.cost[e]), col_dual[costs_.col[e]]);
    return lowest.value();
  }
  const typename SparseState<S, T>::Counts& counts() const { return paths_.counts(); }

 private:
  int64_t cols() const { return costs_.cols - costs_.rows; }
  bool on_own_column(int64_t row) const { return paths_.col_of_row(row) >= cols(); }

  // An entry that is not listed may cost more than the common cost; rows do not take those.
  bool assign_free_columns(SignedCosts<S> cost) {
    col_of_row_.resize(size_t(costs_.rows));
    skipped_.clear();
    int64_t j = 0;
    for (int64_t i = 0; i < costs_.rows; ++i) {
      col_of_row_[i] = paths_.col_of_row(i);
      if (!on_own_column(i)) continue;
      const auto fits = [&](int64_t col) { return cost[i * cols() + col] == common_; };
      const auto kept = std::find_if(skipped_.begin(), skipped_.end(), fits);
      if (kept != skipped_.end()) {
        col_of_row_[i] = *kept;
        skipped_.erase(kept);
        continue;
      }
      for (; j < cols() && (paths_.row_of_col(j) >= 0 || !fits(j)); ++j)
        if (paths_.row_of_col(j) < 0) skipped_.push_back(int32_t(j));
      if (j == cols()) return false;
      col_of_row_[i] = int32_t(j++);
    }
    return true;
  }

  SparseCosts<S> costs_;
  S common_ = 0;
  SparseAugmentingPaths<S, T> paths_;
  std::vector<int32_t> col_of_row_;
  std::vector<int32_t> skipped_;  // free columns that cost some row more than the common cost
};

}  // namespace konig
