// Bottleneck assignment of sparse costs.
//
// In each row the entries up to the kept threshold come first. A test moves those up to its own threshold
// behind them, and lists both for the matching that `auto` runs.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "assignment/bottleneck/search.h"
#include "assignment/scans/dense_scans.h"
#include "assignment/sparse/task.h"
#include "core/large_array.h"
#include "matching/solvers.h"

namespace konig {
namespace bottleneck {
namespace {

template <class S, bool kMaximize>
class SparseGraph {
 public:
  SparseGraph(const SparseCosts<S>& costs, int threads, Run& run)
      : costs_(costs),
        threads_(threads),
        run_(run),
        entries_(size_t(costs.start[costs.rows])),
        kept_end_(costs.start, costs.start + costs.rows),
        tested_end_(size_t(costs.rows)),
        list_start_(size_t(costs.rows) + 1),
        list_(entries_.size()),
        kept_(costs.rows, costs.cols),
        tested_(costs.rows, costs.cols) {
    for (size_t e = 0; e < entries_.size(); ++e)
      entries_[e] = {key_of<S, kMaximize>(costs.cost[e]), costs.col[e]};
  }

  Minima<S> minima() {
    const S forbidden = std::is_integral_v<S> ? kGreatest<S> : std::numeric_limits<S>::infinity();
    Minima<S> minima{std::vector<S>(size_t(costs_.rows), forbidden),
                     std::vector<S>(size_t(costs_.cols), forbidden)};
    for (int64_t i = 0; i < costs_.rows; ++i) {
      for (int64_t e = costs_.start[i]; e < costs_.start[i + 1]; ++e) {
        const auto [key, col] = entries_[e];
        minima.bad |= !(key >= kLeast<S>);
        minima.of_row[i] = std::min(minima.of_row[i], key);
        minima.of_col[col] = std::min(minima.of_col[col], key);
      }
      run_.spend(costs_.start[i + 1] - costs_.start[i] + 1);
    }
    return minima;
  }

  void test(S key, int64_t) {
    int64_t listed = 0;
    for (int64_t i = 0; i < costs_.rows; ++i) {
      Entry* const first = entries_.data();
      Entry* const middle = std::partition(first + kept_end_[i], first + costs_.start[i + 1],
                                           [key](const Entry& entry) { return entry.key <= key; });
      tested_end_[i] = middle - first;
      list_start_[i] = listed;
      for (int64_t e = costs_.start[i]; e < tested_end_[i]; ++e) list_[listed++] = entries_[e].col;
      run_.spend(costs_.start[i + 1] - costs_.start[i] + 1);
    }
    list_start_[costs_.rows] = listed;
    tested_ = kept_;
    match();
  }

  const Pairs& tested() const { return tested_; }

  // Searches begin at the unmatched vertices of one side. The cover is what they reached of the other side,
  // and what they did not reach of their own.
  Cover cover() {
    const std::vector<int32_t>& mate = answer_.of_rows ? tested_.col_of_row : tested_.row_of_col;
    std::vector<uint8_t> own(mate.size());
    for (size_t v = 0; v < mate.size(); ++v) own[v] = mate[v] >= 0 && !answer_.reached[mate[v]];
    if (answer_.of_rows) return {std::move(own), std::move(answer_.reached)};
    return {std::move(answer_.reached), std::move(own)};
  }

  void keep() {
    std::swap(kept_, tested_);
    std::swap(kept_end_, tested_end_);
  }

  bool pick(const Interval<S>& interval, S& key) {
    const bool is_first = !is_listed_;
    if (is_first)
      for (const Entry& entry : entries_) candidates_.push_back(entry.key);
    is_listed_ = true;
    std::erase_if(candidates_, [&](S candidate) { return !interval.has(candidate); });
    if (candidates_.empty()) return false;
    // Costs near the lower bound are likelier.
    const auto middle = candidates_.begin() + candidates_.size() / (is_first ? 32 : 2);
    std::nth_element(candidates_.begin(), middle, candidates_.end());
    key = *middle;
    return true;
  }

 private:
  struct Entry {
    S key;
    int32_t col;
  };

  // The solver's columns are our rows, whose lists are there.
  void match() {
    const Pattern<int32_t, int64_t> graph{
        int32_t(costs_.cols), int32_t(costs_.rows), {}, {list_start_.data(), list_.data()}};
    // What is counted for each matching would hide what is counted for the whole.
    Run inner([this](const Run&) { run_.spend(int64_t(1) << 16); });
    answer_ = match_stepwise(graph, Mates<int32_t>{tested_.row_of_col.data(), tested_.col_of_row.data()},
                             threads_, inner);
    tested_.size = answer_.size;
  }

  const SparseCosts<S>& costs_;
  const int threads_;
  Run& run_;
  LargeArray<Entry> entries_;
  std::vector<int64_t> kept_end_, tested_end_, list_start_;
  LargeArray<int32_t> list_;
  Pairs kept_, tested_;
  StepwiseAnswer answer_;
  bool is_listed_ = false;
  std::vector<S> candidates_;
};

}  // namespace
}  // namespace bottleneck

template <class S>
BottleneckAnswer sparse_bottleneck(const SparseCosts<S>& costs, const BottleneckOptions& options, Run& run) {
  return bottleneck::solve_in<S, bottleneck::SparseGraph>(costs, options, run);
}

#define KONIG_INSTANTIATE(S) \
  template BottleneckAnswer sparse_bottleneck(const SparseCosts<S>&, const BottleneckOptions&, Run&);
KONIG_FOR_EACH_COST(KONIG_INSTANTIATE)

}  // namespace konig
