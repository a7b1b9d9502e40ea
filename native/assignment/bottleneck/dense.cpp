// Bottleneck assignment of dense costs.
//
// The entries up to a threshold are bits (bit_matching.h). While candidates are many each test reads all
// costs, and a sample says where the middle is; once they are few they are listed, and a test sets the bits
// of some of them.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "assignment/bottleneck/bit_matching.h"
#include "assignment/bottleneck/search.h"
#include "assignment/scans/dense_scans.h"
#include "core/shared_loop.h"

namespace konig {
namespace bottleneck {
namespace {

template <class S, bool kMaximize>
class DenseGraph {
 public:
  DenseGraph(const DenseCosts<S>& costs, int threads, Run& run)
      : costs_(costs),
        threads_(threads),
        run_(run),
        kept_bits_(costs.rows, costs.cols),
        tested_bits_(costs.rows, costs.cols),
        kept_(costs.rows, costs.cols),
        tested_(costs.rows, costs.cols) {}

  Minima<S> minima() {
    Minima<S> minima{std::vector<S>(size_t(costs_.rows)), {}};
    std::vector<std::vector<S>> of_col(size_t(std::max(1, threads_)));
    std::vector<uint8_t> bad(of_col.size(), 0);
    for_rows(threads_, costs_.rows, costs_.cols, run_, [&](int worker, int64_t first, int64_t last) {
      std::vector<S>& least = of_col[worker];
      if (least.empty()) least.assign(size_t(costs_.cols), kForbidden);
      for (int64_t i = first; i < last; ++i)
        bad[worker] |= !lower(costs_.cost + i * costs_.cols, least.data(), minima.of_row[i]);
    });
    minima.of_col.assign(size_t(costs_.cols), kForbidden);
    for (const std::vector<S>& least : of_col)
      for (size_t j = 0; j < least.size(); ++j) minima.of_col[j] = std::min(minima.of_col[j], least[j]);
    minima.bad = std::find(bad.begin(), bad.end(), 1) != bad.end();
    return minima;
  }

  void test(S key, int64_t target) {
    if (is_listed_) {
      tested_bits_.bits.assign(kept_bits_.bits.size(), 0);
      std::copy(kept_bits_.bits.begin(), kept_bits_.bits.end(), tested_bits_.bits.begin());
      for (const Candidate& candidate : candidates_)
        if (candidate.key <= key) tested_bits_.set(candidate.row, candidate.col);
      run_.spend(int64_t(candidates_.size()) + tested_bits_.rows * tested_bits_.words / 8);
    } else {
      mark_entries(key);
    }
    tested_ = kept_;
    BitMatching matching(tested_bits_, tested_, target, run_);
    matching.grow();
    if (tested_.size < target) cover_ = matching.cover();
  }

  const Pairs& tested() const { return tested_; }
  Cover cover() { return std::move(cover_); }

  void keep() {
    std::swap(kept_, tested_);
    std::swap(kept_bits_, tested_bits_);
  }

  bool pick(const Interval<S>& interval, S& key) {
    if (!is_listed_ && pick_of_sample(interval, key)) return true;
    if (!is_listed_) list_candidates(interval);
    std::erase_if(candidates_, [&](const Candidate& candidate) { return !interval.has(candidate.key); });
    if (candidates_.empty()) return false;
    const auto middle = candidates_.begin() + candidates_.size() / 2;
    std::nth_element(candidates_.begin(), middle, candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.key < b.key; });
    key = middle->key;
    return true;
  }

 private:
  static constexpr S kForbidden = std::is_integral_v<S> ? kGreatest<S> : std::numeric_limits<S>::infinity();
  // Candidates are listed when they are one in kListed of the entries: as much memory as an eighth of the
  // costs. Five tests read all costs before that, at most.
  static constexpr int64_t kListed = 16;
  static constexpr int64_t kSample = 4096;
  // Entries up to which candidates are listed at once.
  static constexpr int64_t kSmall = 1 << 16;
  // The first threshold of the sample has one in kFirst of it below: costs near the lower bound are likelier.
  static constexpr size_t kFirst = 32;

  struct Candidate {
    S key;
    int32_t row, col;
  };

  static S key(S cost) { return key_of<S, kMaximize>(cost); }

  // Lowers the columns' least keys to those of a row, finds the row's; false if a cost is none.
  bool lower(const S* cost, S* least, S& least_of_row) const {
    constexpr int64_t kLanes = 8;  // their minima are independent, so the compiler makes vectors of them
    S lanes[kLanes];
    std::fill(lanes, lanes + kLanes, kForbidden);
    uint8_t bad[kLanes] = {};
    const auto look = [&](int64_t j, int64_t lane) {
      const S here = key(cost[j]);
      if constexpr (!std::is_integral_v<S>) bad[lane] |= !(here >= kLeast<S>);
      least[j] = here < least[j] ? here : least[j];
      lanes[lane] = here < lanes[lane] ? here : lanes[lane];
    };
    int64_t j = 0;
    for (; j + kLanes <= costs_.cols; j += kLanes)
      for (int64_t lane = 0; lane < kLanes; ++lane) look(j + lane, lane);
    for (; j < costs_.cols; ++j) look(j, 0);
    least_of_row = *std::min_element(lanes, lanes + kLanes);
    return std::find(bad, bad + kLanes, 1) == bad + kLanes;
  }

  void mark_entries(S most) {
    if (!tested_bits_.bits.size()) tested_bits_.clear();
    for_rows(threads_, costs_.rows, costs_.cols, run_, [&](int, int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) mark_row(i, most);
    });
  }

  void mark_row(int64_t i, S most) {
    const S* const cost = costs_.cost + i * costs_.cols;
    uint64_t* const bits = tested_bits_.row(i);
    for (int64_t w = 0; w < tested_bits_.words; ++w) {
      const S* const first = cost + 64 * w;
      const int64_t count = std::min<int64_t>(64, costs_.cols - 64 * w);
      uint64_t word = 0;
      for (int64_t k = 0; k < count; ++k) word |= uint64_t(key(first[k]) <= most) << k;
      bits[w] = word;
    }
  }

  bool pick_of_sample(const Interval<S>& interval, S& key) {
    const int64_t entries = costs_.rows * costs_.cols;
    if (entries <= kSmall) return false;
    const bool is_first = sample_.empty();
    if (is_first) draw_sample(entries);
    std::erase_if(sample_, [&](S drawn) { return !interval.has(drawn); });
    if (int64_t(sample_.size()) * kListed <= kSample) return false;
    key = sample_[sample_.size() / (is_first ? kFirst : 2)];
    return true;
  }

  void draw_sample(int64_t entries) {
    uint64_t state = 0x9E3779B97F4A7C15;
    for (int64_t k = 0; k < kSample; ++k) {
      state = state * 6364136223846793005 + 1442695040888963407;
      sample_.push_back(this->key(costs_.cost[int64_t((state >> 11) % uint64_t(entries))]));
    }
    std::sort(sample_.begin(), sample_.end());
  }

  void list_candidates(const Interval<S>& interval) {
    is_listed_ = true;
    if (!kept_bits_.bits.size()) kept_bits_.clear();
    std::vector<std::vector<Candidate>> lists(size_t(std::max(1, threads_)));
    for_rows(threads_, costs_.rows, costs_.cols, run_, [&](int worker, int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) list_row(i, interval, lists[worker]);
    });
    candidates_ = std::move(lists[0]);
    for (size_t k = 1; k < lists.size(); ++k)
      candidates_.insert(candidates_.end(), lists[k].begin(), lists[k].end());
  }

  void list_row(int64_t i, const Interval<S>& interval, std::vector<Candidate>& list) const {
    const S* const cost = costs_.cost + i * costs_.cols;
    for (int64_t j = 0; j < costs_.cols; ++j)
      if (const S here = key(cost[j]); interval.has(here)) list.push_back({here, int32_t(i), int32_t(j)});
  }

  const DenseCosts<S>& costs_;
  const int threads_;
  Run& run_;
  BitRows kept_bits_, tested_bits_;
  Pairs kept_, tested_;
  Cover cover_;
  std::vector<S> sample_;
  bool is_listed_ = false;
  std::vector<Candidate> candidates_;
};

}  // namespace
}  // namespace bottleneck

template <class S>
BottleneckAnswer dense_bottleneck(const DenseCosts<S>& costs, const BottleneckOptions& options, Run& run) {
  return bottleneck::solve_in<S, bottleneck::DenseGraph>(costs, options, run);
}

#define KONIG_INSTANTIATE(S) \
  template BottleneckAnswer dense_bottleneck(const DenseCosts<S>&, const BottleneckOptions&, Run&);
KONIG_FOR_EACH_COST(KONIG_INSTANTIATE)

}  // namespace konig
