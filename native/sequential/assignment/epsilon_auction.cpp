#include "sequential/assignment/epsilon_auction.h"

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
constexpr int64_t kBidsPerRow = 20;  // in one round

}  // namespace

EpsilonAuction::EpsilonAuction(int64_t rows, int64_t cols, const int64_t* start, const Entry* entries,
                               float scale)
    : rows_(rows),
      start_(start),
      entries_(entries),
      scale_(scale),
      price_(cols, 0.0f),
      col_of_row_(rows, -1),
      row_of_col_(cols, -1) {}

void EpsilonAuction::run(Run& run) {
  for (float epsilon = kFirst; epsilon > kLast; epsilon /= kDivisor)
    if (!hold_round(epsilon * scale_, run)) return;
}

bool EpsilonAuction::hold_round(float epsilon, Run& run) {
  free_the_discontent(epsilon, run);
  int64_t bids_left = kBidsPerRow * rows_;
  for (size_t next = 0; next < free_.size() && bids_left > 0; ++next, --bids_left) {
    if (next + 16 < free_.size()) prefetch(&entries_[start_[free_[next + 16]]]);
    if (next + 6 < free_.size()) ask_for_prices_of(free_[next + 6]);
    const int32_t i = free_[next];
    const Best best = best_of(i);
    run.spend(start_[i + 1] - start_[i] + 1);
    if (best.col < 0) continue;
    price_[best.col] -= (best.second < kInfinity ? best.second - best.first : 0.0f) + epsilon;
    const int32_t loser = row_of_col_[best.col];
    row_of_col_[best.col] = i;
    col_of_row_[i] = best.col;
    if (loser < 0) continue;
    col_of_row_[loser] = -1;
    free_.push_back(loser);
  }
  bids_ += kBidsPerRow * rows_ - bids_left;
  return bids_left > 0;
}

void EpsilonAuction::free_the_discontent(float epsilon, Run& run) {
  free_.clear();
  for (int64_t i = 0; i < rows_; ++i) {
    if (i + 6 < rows_) ask_for_prices_of(i + 6);
    const int32_t held = col_of_row_[i];
    if (held >= 0) {
      float least = kInfinity, now = kInfinity;
      for (int64_t e = start_[i]; e < start_[i + 1]; ++e) {
        const float slack = entries_[e].cost - price_[entries_[e].col];
        if (entries_[e].col == held) now = slack;
        if (slack < least) least = slack;
      }
      run.spend(start_[i + 1] - start_[i] + 1);
      if (now <= least + epsilon) continue;
      col_of_row_[i] = row_of_col_[held] = -1;
    }
    free_.push_back(int32_t(i));
  }
}

EpsilonAuction::Best EpsilonAuction::best_of(int64_t row) const {
  Best best{kInfinity, kInfinity, -1};
  for (int64_t e = start_[row]; e < start_[row + 1]; ++e) {
    const float slack = entries_[e].cost - price_[entries_[e].col];
    if (slack < best.first) {
      best = {slack, best.first, entries_[e].col};
    } else if (slack < best.second) {
      best.second = slack;
    }
  }
  return best;
}

void EpsilonAuction::ask_for_prices_of(int64_t row) const {
  for (int64_t e = start_[row]; e < start_[row + 1]; ++e) prefetch(&price_[entries_[e].col]);
}

}  // namespace konig
