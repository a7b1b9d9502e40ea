// Where nearly all pairs cost the same: the pairs that cost less.
//
// Boxes by overlap, costs behind a gate with a price, 0 or 1 with few zeros, costs that are all equal: the
// common cost stands in most of the matrix, and what matters are lists of a few pairs a row
// (common_cost_paths.h). One read of the matrix finds them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "assignment/sparse/costs.h"
#include "core/row_workers.h"

namespace konig {

template <class S>
class CheaperPairs {
 public:
  // Whether nearly all pairs seem to cost the same, and all that cost less are found and finite. Pairs that
  // cost more, or are forbidden, do not show.
  bool find(SignedCosts<S> cost, int64_t rows, int64_t cols, int threads, Run& run) {
    if (rows * cols < kFewEntries || !guess_common(cost, rows, cols)) return false;
    rows_ = rows;
    cols_ = cols;
    scans_ = &pair_scans<S>(cost.negated);
    const int64_t most = rows * (cols / kColumnsPerPair + 2);
    const int64_t block = threads > 1 && rows * cols >= kWorthThreads ? kBlockRows : rows,
                  blocks = (rows + block - 1) / block;
    if (int64_t(parts_.size()) < blocks) parts_.resize(size_t(blocks));
    start_.resize(size_t(rows + 1));
    if (blocks == 1)
      find_in_rows(cost, 0, rows, most, parts_[0]);
    else
      for_rows(threads, blocks, block * cols, run, [&](int, int64_t first, int64_t last) {
        for (int64_t b = first; b < last; ++b)
          find_in_rows(cost, b * block, std::min(rows, (b + 1) * block), most, parts_[b]);
      });
    run.spend(rows * (cols / 4 + 1));
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
    if (count > most) return false;
    if (blocks > 1) gather(blocks, count);
    return true;
  }

  S common() const { return common_; }
  // Of the common cost and what is below.
  double largest() const { return std::max(std::abs(double(common_)), std::abs(double(least_))); }
  int64_t count() const { return start_[rows_]; }
  SparseCosts<S> costs() const {
    return {rows_, cols_, start_.data(), parts_[0].col.data(), parts_[0].cost.data()};
  }

 private:
  static constexpr int64_t kFewEntries = 64;
  static constexpr int64_t kColumnsPerPair = 8;  // with more pairs than that scans of whole rows are faster
  static constexpr int64_t kBlockRows = 128;
  static constexpr int64_t kWorthThreads = 3 << 20;  // entries, of which a thread reads ten in a nanosecond
  static constexpr int64_t kFirstSamples = 5, kSamples = 32;

  struct Part {
    std::vector<int32_t> col;  // these two are longer than what is in them
    std::vector<S> cost;
    int64_t count;
    S least;
    bool is_good;
  };

  // All parts in the first.
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

  // The largest of some costs, if most of them are that.
  bool guess_common(SignedCosts<S> cost, int64_t rows, int64_t cols) {
    int64_t equal = 0;
    for (int64_t k = 0; k < kSamples; ++k) {
      const auto spread = uint64_t(uint32_t(uint64_t(k) * 0x9E3779B9u));  // over 32 bits
      const S here = cost[(k * rows / kSamples) * cols + int64_t((spread * uint64_t(cols)) >> 32)];
      if (k == 0 || here > common_) {
        common_ = here;
        equal = 1;
      } else {
        equal += here == common_;
      }
      if (k + 1 == kFirstSamples && 5 * equal < 3 * kFirstSamples) return false;
    }
    return 4 * equal >= 3 * kSamples && is_finite(common_) && std::numeric_limits<S>::min() != common_ &&
           std::numeric_limits<S>::max() != common_;
  }

  static bool is_finite(S cost) { return std::numeric_limits<S>::is_integer || cost - cost == S(0); }

  void find_in_rows(SignedCosts<S> cost, int64_t first, int64_t last, int64_t most, Part& part) {
    part.count = 0;
    part.least = common_;
    part.is_good = true;
    for (int64_t i = first; i < last; ++i) {
      if (part.count + cols_ + kMoreRoom > int64_t(part.col.size())) {
        part.col.resize(size_t(2 * (part.count + cols_ + kMoreRoom)));
        part.cost.resize(part.col.size());
      }
      const int64_t row = i * cols_;
      int32_t* const found = part.col.data() + part.count;
      S* const costs = part.cost.data() + part.count;
      const int64_t count = scans_->cheaper(cost.data + row, common_, cols_, found);
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

  const PairScans<S>* scans_ = nullptr;
  int64_t rows_ = 0, cols_ = 0;
  S common_ = 0, least_ = 0;
  std::vector<Part> parts_;
  std::vector<int64_t> start_;
};

}  // namespace konig
