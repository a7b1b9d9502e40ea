// Prices close to those of an optimal assignment, by an auction with epsilon scaling.
//
// D. P. Bertsekas, The auction algorithm: a distributed relaxation method for the assignment problem, Annals
// of Operations Research 14 (1988). A free row bids for the column with the smallest cost minus price: the
// price falls by the distance to the second smallest and epsilon, and whoever held the column is free. Once
// no row is free, epsilon is divided and rows that are no longer within epsilon of their best column are free
// again.
//
// This is a start for an exact method, so everything is rounded to float32, half the memory traffic, and
// each round of bids is bounded: on an infeasible problem an auction would never end. Free rows bid in turn,
// not in chains, so that the columns of the rows to come can be asked for in time.
//
// At the start of a round the prices are taken from the costs and start from 0 again. On large problems,
// which wait for memory, each row's entries are then put in order of what is left of their costs: as prices
// fall, a row need not look further once that exceeds the second smallest slack seen.
#pragma once

#include <cstdint>
#include <vector>

#include "core/large_array.h"
#include "core/run.h"

namespace konig {

class EpsilonAuction {
 public:
  struct Entry {
    int32_t col;
    float cost;  // infinity forbids
  };

  // Costs are at least 0; they are changed. `scale` is the order of magnitude of the costs that matter.
  EpsilonAuction(int64_t rows, int64_t cols, const int64_t* start, Entry* entries, float scale);

  void run(Run& run);

  float price(int64_t col) const { return earlier_[col] + columns_[col].price; }  // <= 0
  int64_t bids() const { return bids_; }

 private:
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
  bool hold_round(float epsilon, Run& run);
  // Rows that are within epsilon of their best column keep it.
  void start_round(float epsilon, Run& run);
  void sort_by_cost(int64_t row);
  template <bool kSorted>
  Best best_of(int64_t row) const;
  void ask_for_columns_of(int64_t row, int64_t most) const;  // of so many entries

  int64_t rows_;
  const int64_t* start_;
  Entry* entries_;
  float scale_;
  bool sorted_;
  LargeArray<Column> columns_;
  LargeArray<float> earlier_;  // prices of the rounds before
  std::vector<int32_t> free_;
  int64_t bids_ = 0;
};

}  // namespace konig
