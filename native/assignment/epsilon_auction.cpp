#include "assignment/epsilon_auction.h"

#include <algorithm>
#include <limits>

#include "core/prefetch.h"

namespace konig {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Found by trial on random, geometric and tied costs: a first epsilon above a tenth of the scale or a last
// one below these makes more bids than it saves searches.
constexpr float kFirst = 0.05f;
constexpr float kLast = 2e-5f;
constexpr float kDivisor = 5.0f;
constexpr int64_t kBidsPerRow = 20;         // in one round
constexpr int64_t kWorthSorting = 1 << 17;  // columns: with fewer, what rows look at stays in the cache
constexpr int64_t kFewToSort = 32;
constexpr int64_t kLikely = 3;  // entries of a row that are looked at as a rule

}  // namespace

EpsilonAuction::EpsilonAuction(int64_t rows, int64_t cols, const int64_t* start, Entry* entries, float scale)
    : rows_(rows),
      start_(start),
      entries_(entries),
      scale_(scale),
      sorted_(cols >= kWorthSorting),
      columns_(cols, Column{0.0f, -1}),
      earlier_(cols, 0.0f) {}

void EpsilonAuction::run(Run& run) {
  for (float epsilon = kFirst; epsilon > kLast; epsilon /= kDivisor)
    if (!hold_round(epsilon * scale_, run)) return;
}

bool EpsilonAuction::hold_round(float epsilon, Run& run) {
  start_round(epsilon, run);
  const int64_t likely = sorted_ ? kLikely : std::numeric_limits<int64_t>::max();
  int64_t bids_left = kBidsPerRow * rows_;
  for (size_t next = 0; next < free_.size() && bids_left > 0; ++next, --bids_left) {
    if (next + 32 < free_.size()) prefetch(&start_[free_[next + 32]]);
    if (next + 16 < free_.size()) prefetch(&entries_[start_[free_[next + 16]]]);
    if (next + 6 < free_.size()) ask_for_columns_of(free_[next + 6], likely);
    const int32_t i = free_[next];
    const Best best = sorted_ ? best_of<true>(i) : best_of<false>(i);
    run.spend(kLikely + 1);
    if (best.col < 0) continue;
    Column& column = columns_[best.col];
    column.price -= (best.second < kInfinity ? best.second - best.first : 0.0f) + epsilon;
    if (column.row >= 0) free_.push_back(column.row);
    column.row = i;
  }
  bids_ += kBidsPerRow * rows_ - bids_left;
  return bids_left > 0;
}

void EpsilonAuction::start_round(float epsilon, Run& run) {
  free_.clear();
  LargeArray<int32_t> col_of_row(size_t(rows_), -1);
  for (size_t j = 0; j < columns_.size(); ++j)
    if (columns_[j].row >= 0) col_of_row[columns_[j].row] = int32_t(j);
  for (int64_t i = 0; i < rows_; ++i) {
    if (i + 6 < rows_) ask_for_columns_of(i + 6, std::numeric_limits<int64_t>::max());
    const int32_t held = col_of_row[i];
    float least = kInfinity, now = kInfinity;
    for (int64_t e = start_[i]; e < start_[i + 1]; ++e) {
      Entry& entry = entries_[e];
      entry.cost -= columns_[entry.col].price;
      if (entry.col == held) now = entry.cost;
      if (entry.cost < least) least = entry.cost;
    }
    if (least < kInfinity)
      for (int64_t e = start_[i]; e < start_[i + 1]; ++e) entries_[e].cost -= least;
    if (sorted_) sort_by_cost(i);
    run.spend(start_[i + 1] - start_[i] + 1);
    if (held >= 0) {
      if (now <= least + epsilon) continue;
      columns_[held].row = -1;
    }
    free_.push_back(int32_t(i));
  }
  for (size_t j = 0; j < columns_.size(); ++j) {
    earlier_[j] += columns_[j].price;
    columns_[j].price = 0.0f;
  }
}

void EpsilonAuction::sort_by_cost(int64_t row) {
  Entry* const first = entries_ + start_[row];
  Entry* const last = entries_ + start_[row + 1];
  const auto cheaper = [](const Entry& a, const Entry& b) { return a.cost < b.cost; };
  if (last - first > kFewToSort) return std::sort(first, last, cheaper);
  for (Entry* next = first; next < last; ++next) {
    const Entry entry = *next;
    Entry* at = next;
    for (; at > first && cheaper(entry, at[-1]); --at) *at = at[-1];
    *at = entry;
  }
}

template <bool kSorted>
EpsilonAuction::Best EpsilonAuction::best_of(int64_t row) const {
  Best best{kInfinity, kInfinity, -1};
  for (int64_t e = start_[row]; e < start_[row + 1]; ++e) {
    if (kSorted && !(entries_[e].cost < best.second)) break;
    const float slack = entries_[e].cost - columns_[entries_[e].col].price;
    if (slack < best.first) {
      best = {slack, best.first, entries_[e].col};
    } else if (slack < best.second) {
      best.second = slack;
    }
  }
  return best;
}

void EpsilonAuction::ask_for_columns_of(int64_t row, int64_t most) const {
  const int64_t last = start_[row] + std::min(most, start_[row + 1] - start_[row]);
  for (int64_t e = start_[row]; e < last; ++e) prefetch(&columns_[entries_[e].col]);
}

}  // namespace konig
