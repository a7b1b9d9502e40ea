// Prices close to those of an optimal assignment, by an auction with epsilon scaling.
//
// D. P. Bertsekas, The auction algorithm: a distributed relaxation method for the assignment problem, Annals
// of Operations Research 14 (1988). A free row bids for the column with the smallest cost minus price: the
// price falls by the distance to the second smallest and epsilon, and the row that held the column is free.
// Once no row is free, epsilon is divided and rows that are no longer within epsilon of their best column are
// free again.
//
// This is a start for an exact method, so everything is rounded to float32, half the memory traffic, and
// each round of bids is bounded: on an infeasible problem an auction would never end. Free rows bid in turn,
// not in chains, so that the columns of the rows to come can be prefetched. At the start of a round the
// prices are taken from the costs and start from 0 again, which keeps the sums small.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/large_array.h"
#include "core/prefetch.h"
#include "core/run.h"

namespace konig {

class EpsilonAuction {
 public:
  struct Entry {
    int32_t col;
    float cost;  // infinity forbids
  };

  // The rows that take part, of `all_rows`. Costs are at least 0; they are changed. `scale` is the order of
  // magnitude of the costs that matter.
  EpsilonAuction(std::vector<int32_t> rows, int64_t all_rows, int64_t cols, const int64_t* start,
                 Entry* entries, float scale)
      : rows_(std::move(rows)),
        all_rows_(all_rows),
        start_(start),
        entries_(entries),
        scale_(scale),
        columns_(cols, Column{0.0f, -1}),
        earlier_(cols, 0.0f) {}

  void run(Run& run) {
    for (float epsilon = kFirst; epsilon > kLast; epsilon /= kDivisor)
      if (!hold_round(epsilon * scale_, run)) return;
  }

  float price(int64_t col) const { return earlier_[col] + columns_[col].price; }  // <= 0
  int64_t bids() const { return bids_; }

 private:
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // Found by trial on random, geometric and tied costs: a first epsilon above a tenth of the scale or a last
  // one below these makes more bids than it saves searches.
  static constexpr float kFirst = 0.05f, kLast = 2e-5f, kDivisor = 5.0f;
  static constexpr int64_t kBidsPerRow = 20;  // in one round

  struct Best {
    float first, second;
    int32_t col;
  };

  // What a bid touches of a column lies together.
  struct Column {
    float price;  // of this round
    int32_t row;  // that holds it, or -1
  };

  // False if bids ran out before every row had a column.
  bool hold_round(float epsilon, Run& run) {
    start_round(epsilon, run);
    const int64_t most = kBidsPerRow * int64_t(rows_.size());
    int64_t bids_left = most;
    for (size_t next = 0; next < free_.size() && bids_left > 0; ++next, --bids_left) {
      if (next + 32 < free_.size()) prefetch(&start_[free_[next + 32]]);
      if (next + 16 < free_.size()) prefetch(&entries_[start_[free_[next + 16]]]);
      if (next + 6 < free_.size()) prefetch_columns_of(free_[next + 6]);
      const int32_t i = free_[next];
      const Best best = best_of(i);
      run.spend(start_[i + 1] - start_[i] + 1);
      if (best.col < 0) continue;
      Column& column = columns_[best.col];
      column.price -= (best.second < kInfinity ? best.second - best.first : 0.0f) + epsilon;
      if (column.row >= 0) free_.push_back(column.row);
      column.row = i;
    }
    bids_ += most - bids_left;
    return bids_left > 0;
  }

  // Rows that are within epsilon of their best column keep it.
  void start_round(float epsilon, Run& run) {
    free_.clear();
    LargeArray<int32_t> col_of_row(size_t(all_rows_), -1);
    for (size_t j = 0; j < columns_.size(); ++j)
      if (columns_[j].row >= 0) col_of_row[columns_[j].row] = int32_t(j);
    for (size_t k = 0; k < rows_.size(); ++k) {
      if (k + 6 < rows_.size()) prefetch_columns_of(rows_[k + 6]);
      const int32_t i = rows_[k];
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
      run.spend(start_[i + 1] - start_[i] + 1);
      if (held >= 0) {
        if (now <= least + epsilon) continue;
        columns_[held].row = -1;
      }
      free_.push_back(i);
    }
    for (size_t j = 0; j < columns_.size(); ++j) {
      earlier_[j] += columns_[j].price;
      columns_[j].price = 0.0f;
    }
  }

  Best best_of(int64_t row) const {
    Best best{kInfinity, kInfinity, -1};
    for (int64_t e = start_[row]; e < start_[row + 1]; ++e) {
      const float slack = entries_[e].cost - columns_[entries_[e].col].price;
      if (slack < best.first) {
        best = {slack, best.first, entries_[e].col};
      } else if (slack < best.second) {
        best.second = slack;
      }
    }
    return best;
  }

  void prefetch_columns_of(int64_t row) const {
    for (int64_t e = start_[row]; e < start_[row + 1]; ++e) prefetch(&columns_[entries_[e].col]);
  }

  const std::vector<int32_t> rows_;
  const int64_t all_rows_;
  const int64_t* start_;
  Entry* entries_;
  float scale_;
  LargeArray<Column> columns_;
  LargeArray<float> earlier_;  // prices of the rounds before
  std::vector<int32_t> free_;
  int64_t bids_ = 0;
};

}  // namespace konig
