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

#include "multicore/assignment/row_workers.h"
#include "sequential/assignment/dense_scans.h"
#include "sequential/assignment/sparse_costs.h"

namespace konig {

template <class S>
class CheaperPairs {
 public:
  // Whether nearly all pairs seem to cost the same, and all that cost less are found and finite. Pairs that
  // cost more, or are forbidden, do not show.
  bool find(const S* cost, int64_t rows, int64_t cols, int threads, Run& run) {
    if (rows * cols < kFewEntries || !guess_common(cost, rows, cols)) return false;
    rows_ = rows;
    cols_ = cols;
    const int64_t most = rows * (cols / kColumnsPerPair + 2);
    const int64_t block = threads > 1 ? kBlockRows : rows, blocks = (rows + block - 1) / block;
    if (int64_t(parts_.size()) < blocks) parts_.resize(size_t(blocks));
    start_.resize(size_t(rows + 1));
    for_rows(threads, blocks, block * cols, run, [&](int, int64_t first, int64_t last) {
      for (int64_t b = first; b < last; ++b)
        find_in_rows(cost, b * block, std::min(rows, (b + 1) * block), most, parts_[b]);
    });
    least_ = common_;
    int64_t count = 0;
    for (int64_t b = 0; b < blocks; ++b) {
      if (!parts_[b].is_good) return false;
      least_ = std::min(least_, parts_[b].least);
      const int64_t last = std::min(rows, (b + 1) * block);
      for (int64_t i = b * block; i < last; ++i) start_[i + 1] += count;
      count += int64_t(parts_[b].col.size());
    }
    start_[0] = 0;
    if (count > most) return false;
    for (int64_t b = 1; b < blocks; ++b) {
      parts_[0].col.insert(parts_[0].col.end(), parts_[b].col.begin(), parts_[b].col.end());
      parts_[0].cost.insert(parts_[0].cost.end(), parts_[b].cost.begin(), parts_[b].cost.end());
    }
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
  static constexpr int64_t kFirstSamples = 5, kSamples = 32;

  struct Part {
    std::vector<int32_t> col, found;
    std::vector<S> cost;
    S least;
    bool is_good;
  };

  // The largest of some costs, if most of them are that.
  bool guess_common(const S* cost, int64_t rows, int64_t cols) {
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

  void find_in_rows(const S* cost, int64_t first, int64_t last, int64_t most, Part& part) {
    part.found.resize(size_t(cols_ + 16));
    part.col.clear();
    part.cost.clear();
    part.least = common_;
    part.is_good = true;
    for (int64_t i = first; i < last; ++i) {
      const S* const row = cost + i * cols_;
      const int64_t count = scans_.cheaper(row, common_, cols_, part.found.data());
      part.col.insert(part.col.end(), part.found.data(), part.found.data() + count);
      for (int64_t k = 0; k < count; ++k) {
        const S here = row[part.found[k]];
        part.cost.push_back(here);
        part.least = here < part.least ? here : part.least;
        part.is_good = part.is_good && is_finite(here);
      }
      start_[i + 1] = int64_t(part.col.size());
      if (!part.is_good || start_[i + 1] > most) {
        part.is_good = false;
        return;
      }
    }
    if (std::numeric_limits<S>::is_integer && part.least == std::numeric_limits<S>::min())
      part.is_good = false;
  }

  const PairScans<S>& scans_ = pair_scans<S>();
  int64_t rows_ = 0, cols_ = 0;
  S common_ = 0, least_ = 0;
  std::vector<Part> parts_;
  std::vector<int64_t> start_;
};

}  // namespace konig
