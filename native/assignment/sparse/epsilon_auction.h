// Duals close to optimal ones and a matching that goes with them, by an auction with epsilon scaling.
//
// D. P. Bertsekas, The auction algorithm: a distributed relaxation method for the assignment problem, Annals
// of Operations Research 14 (1988); A. V. Goldberg, R. Kennedy, An efficient cost scaling algorithm for the
// assignment problem, Mathematical Programming 71 (1995), whose double push is a bid. A free row bids for the
// column with the smallest cost minus price: the price falls by the distance to the second smallest and
// epsilon, and the row that held the column is free. Once no row is free, epsilon is divided and rows that
// are no longer within epsilon of their best column are free again. Rows that compete for columns of equal
// cost outbid each other by little more than epsilon: such price wars come back in every round, so that the
// bids of all rounds together are bounded.
//
// The first epsilon is a part of the mean reduced cost. Where some rows must take entries that are far dearer
// than most, prices have far to fall: it grows until all rows have a column after few bids. The last one is
// small against what tells the best column of a row from the next, or against 1 for whole costs.
//
// This is a start for an exact method, so a round works on float32, half the memory traffic, and its bids are
// bounded: on an infeasible problem an auction would never end. At the start of each round costs are reduced
// anew, from the costs given and prices in float64, so that what matters in it is small and nothing rounded
// adds up. Free rows bid in turn, not in chains, so that the columns of the rows to come can be prefetched.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "assignment/sparse/state.h"
#include "core/large_array.h"
#include "core/prefetch.h"
#include "core/run.h"

namespace konig {

template <class S, class T>
class EpsilonAuction {
 public:
  using State = SparseState<S, T>;

  // For the rows given, from the duals of a state.
  EpsilonAuction(const State& state, std::vector<int32_t> rows)
      : state_(state),
        rows_(std::move(rows)),
        entries_(size_t(state.costs.start[state.costs.rows])),
        columns_(size_t(state.costs.cols), Column{0.0f, -1}),
        dual_(size_t(state.costs.cols)),
        col_of_row_(size_t(state.costs.rows), -1) {
    for (size_t j = 0; j < dual_.size(); ++j) dual_[j] = double(state.columns[j].dual);
  }

  void run(Run& run) {
    reduce(0, run);
    const Scale scale = measure();
    if (!(scale.mean > 0)) return;
    const bool whole = costs_are_whole();
    const float last = std::max(scale.gap * kLast, whole ? kLastOfWhole : 0.0f);
    epsilon_ = scale.mean * kFirst;
    bool ended = hold_round(kBids, run);
    for (; !ended && epsilon_ < scale.largest; ended = hold_round(kBids, run)) epsilon_ *= kDivisor;
    settle_prices();
    const int64_t before = bids_;
    int64_t most = kMoreBids;
    for (int round = 0; ended && round < kMostRounds && epsilon_ > last; ++round) {
      epsilon_ /= kDivisor;
      most += kBids;
      reduce(epsilon_, run);
      ended = hold_round(most - (bids_ - before) / int64_t(rows_.size()), run);
      settle_prices();
    }
    if (whole) round_duals();
  }

  double dual(int64_t col) const { return dual_[col]; }  // whole if all costs are
  // The column that the row holds at the end, within epsilon of its best one but for rounding; -1 if none.
  int32_t col_of_row(int64_t row) const { return col_of_row_[row]; }
  int64_t bids() const { return bids_; }

 private:
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // Found by trial on random, geometric, crowded and tied costs, with and without a dear way out for each
  // row; half or twice as much is as good. The gap is that of Scale.
  static constexpr float kFirst = 0.2f;  // of the mean reduced cost
  static constexpr float kDivisor = 6.0f;
  static constexpr float kLast = 1.0f / 64;  // of the gap
  static constexpr float kLastOfWhole = 1.0f / 32;
  static constexpr int kMostRounds = 24;  // where the gap is 0
  // Of a row, on average: in a round, and more than that in all rounds together after the first epsilon.
  // Uniform costs take up to 7 in a round; points that have no near column left up to 25 in the first rounds
  // and dear ways out 7 in each of a dozen, and both need them. Persistence diagrams, half of whose
  // costs are 0, would take 15 to 60 in every round, and gain 1.1 to 2 x.
  static constexpr int64_t kBids = 12, kMoreBids = 32;
  static constexpr float kLeastGap = 0x1p-44f;  // of the mean; below that is the rounding of costs that tie

  struct Entry {
    int32_t col;
    float cost;  // reduced at the start of the round; infinity forbids
  };
  // What a bid touches of a column lies together.
  struct Column {
    float price;  // of this round
    int32_t row;  // that holds it, or -1
  };
  // Of reduced costs. The gap of a row is that from its best column to the next: of those above 0, but for
  // rounding, the smallest tenth, since rows that have one cheap column only tell nothing about the others.
  // Rounding taken for a gap has 15 rounds more: costs of three decimals take up to 3 x as long.
  struct Scale {
    float mean = 0, largest = 0, gap = 0;
  };
  struct Best {
    float first = kInfinity, second = kInfinity;
    int32_t col = -1;
  };

  // Costs less the duals and prices of columns, then less the smallest of their row. Rows that are within
  // epsilon of their best column keep it; the others are free.
  void reduce(float epsilon, Run& run) {
    const auto& costs = state_.costs;
    free_.clear();
    for (size_t k = 0; k < rows_.size(); ++k) {
      if (k + State::kAhead < rows_.size()) prefetch_duals_of(rows_[k + State::kAhead]);
      const int32_t i = rows_[k], held = col_of_row_[i];
      double least = std::numeric_limits<double>::infinity(), now = least;
      for (int64_t e = costs.start[i]; e < costs.start[i + 1]; ++e) {
        const int32_t j = costs.col[e];
        const double slack = double(costs.cost[e]) - dual_[j];
        least = std::min(least, slack);
        now = j == held ? slack : now;
      }
      for (int64_t e = costs.start[i]; e < costs.start[i + 1]; ++e) {
        const int32_t j = costs.col[e];
        const float cost = float(double(costs.cost[e]) - dual_[j] - least);
        entries_[e] = {j, cost >= 0 ? cost : kInfinity};  // not if it is infinity less infinity
      }
      run.spend(costs.start[i + 1] - costs.start[i] + 1);
      if (held >= 0) {
        if (now <= least + epsilon) continue;
        columns_[held].row = -1;
      }
      free_.push_back(i);
    }
  }

  // False if bids ran out before every row had a column.
  bool hold_round(int64_t bids_per_row, Run& run) {
    const int64_t* const start = state_.costs.start;
    const int64_t most = bids_per_row * int64_t(rows_.size());
    int64_t bids_left = most;
    size_t next = 0;
    for (; next < free_.size() && bids_left > 0; ++next, --bids_left) {
      if (next + 32 < free_.size()) prefetch(&start[free_[next + 32]]);
      if (next + 16 < free_.size()) prefetch(&entries_[start[free_[next + 16]]]);
      if (next + 6 < free_.size()) prefetch_columns_of(free_[next + 6]);
      const int32_t i = free_[next];
      const Best best = best_of(i);
      run.spend(start[i + 1] - start[i] + 1);
      if (best.col < 0) continue;
      Column& column = columns_[best.col];
      column.price -= (best.second < kInfinity ? best.second - best.first : 0.0f) + epsilon_;
      if (column.row >= 0) free_.push_back(column.row);
      column.row = i;
    }
    bids_ += most - bids_left;
    free_.erase(free_.begin(), free_.begin() + int64_t(next));
    return free_.empty();
  }

  void settle_prices() {
    for (const int32_t i : rows_) col_of_row_[i] = -1;
    for (size_t j = 0; j < columns_.size(); ++j) {
      dual_[j] += columns_[j].price;
      columns_[j].price = 0.0f;
      if (columns_[j].row >= 0) col_of_row_[columns_[j].row] = int32_t(j);
    }
  }

  // Whole costs have whole duals: up from one fraction, the same for all, they are rounded up, else down. Let
  // row i hold column j within epsilon, and k be another of its columns: dual[k] - dual[j] exceeds a whole
  // number, the difference of their costs, by at most epsilon. What they are rounded to does not, unless the
  // fraction of dual[j] is within epsilon of the next whole number. That interval is placed where the fewest
  // duals are.
  void round_duals() {
    constexpr int64_t kParts = 1024;
    std::vector<int64_t> count(size_t(kParts), 0);
    for (size_t j = 0; j < dual_.size(); ++j) {
      const double fraction = dual_[j] - std::floor(dual_[j]);
      if (columns_[j].row >= 0) ++count[std::min(int64_t(fraction * kParts), kParts - 1)];
    }
    const int64_t width = std::min(int64_t(std::min(epsilon_, 1.0f) * float(kParts)) + 2, kParts);
    int64_t inside = 0, emptiest = 0;
    for (int64_t part = 0; part < width; ++part) inside += count[part];
    for (int64_t first = 0, fewest = inside; first < kParts; ++first) {
      if (inside < fewest) {
        fewest = inside;
        emptiest = first;
      }
      inside += count[(first + width) % kParts] - count[first];
    }
    const double raised = 1.0 - double((emptiest + width) % kParts) / double(kParts);
    for (size_t j = 0; j < dual_.size(); ++j)
      dual_[j] = std::floor(dual_[j] + (columns_[j].row >= 0 ? raised : 0.0));
  }

  bool costs_are_whole() const {
    if constexpr (std::is_integral_v<S>) return true;
    const auto is_whole = [](auto x) {
      return std::abs(double(x)) < 0x1p52 && double(int64_t(x)) == double(x);
    };
    const auto& costs = state_.costs;
    for (const int32_t i : rows_)
      for (int64_t e = costs.start[i]; e < costs.start[i + 1]; ++e)
        if (!is_whole(costs.cost[e]) || !is_whole(state_.columns[costs.col[e]].dual)) return false;
    return true;
  }

  Scale measure() const {
    constexpr size_t kRows = 4096;
    const auto& costs = state_.costs;
    Scale scale;
    double sum = 0;
    int64_t counted = 0;
    std::vector<float> gaps;
    for (const int32_t i : rows_) {
      for (int64_t e = costs.start[i]; e < costs.start[i + 1]; ++e) {
        const float cost = entries_[e].cost;
        if (!(cost < kInfinity)) continue;
        sum += cost;
        ++counted;
        scale.largest = std::max(scale.largest, cost);
      }
    }
    if (counted > 0) scale.mean = float(sum / double(counted));
    for (size_t k = 0; k < rows_.size(); k += rows_.size() / kRows + 1)
      if (const float gap = best_of(rows_[k]).second; gap > kLeastGap * scale.mean && gap < kInfinity)
        gaps.push_back(gap);
    if (gaps.empty()) return scale;
    const auto small = gaps.begin() + int64_t(gaps.size() / 10);
    std::nth_element(gaps.begin(), small, gaps.end());
    scale.gap = *small;
    return scale;
  }

  // Without a branch, as SparseState::two_smallest: solves with an auction are 1.2 to 1.4 x as fast. Of a
  // conditional in place of the mask compilers make a branch in some callers.
  Best best_of(int64_t row) const {
    Best best;
    for (int64_t e = state_.costs.start[row]; e < state_.costs.start[row + 1]; ++e) {
      const float slack = entries_[e].cost - columns_[entries_[e].col].price;
      const int32_t is_less = -int32_t(slack < best.first);
      best.second = std::min(best.second, std::max(best.first, slack));
      best.first = std::min(best.first, slack);
      best.col ^= (best.col ^ entries_[e].col) & is_less;
    }
    return best;
  }

  void prefetch_columns_of(int64_t row) const {
    for (int64_t e = state_.costs.start[row]; e < state_.costs.start[row + 1]; ++e)
      prefetch(&columns_[entries_[e].col]);
  }
  void prefetch_duals_of(int64_t row) const {
    for (int64_t e = state_.costs.start[row]; e < state_.costs.start[row + 1]; ++e)
      prefetch(&dual_[state_.costs.col[e]]);
  }

  const State& state_;
  const std::vector<int32_t> rows_;
  LargeArray<Entry> entries_;
  LargeArray<Column> columns_;
  LargeArray<double> dual_;  // at the start of the round
  LargeArray<int32_t> col_of_row_;
  std::vector<int32_t> free_;
  float epsilon_ = 0;
  int64_t bids_ = 0;
};

}  // namespace konig
