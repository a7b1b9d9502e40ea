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
#pragma once

#include <cstdint>
#include <vector>

#include "core/run.h"

namespace konig {

class EpsilonAuction {
 public:
  struct Entry {
    int32_t col;
    float cost;  // infinity forbids
  };

  // Costs are at least 0. `scale` is the order of magnitude of the costs that matter.
  EpsilonAuction(int64_t rows, int64_t cols, const int64_t* start, const Entry* entries, float scale);

  void run(Run& run);

  const std::vector<float>& price() const { return price_; }  // <= 0
  int64_t bids() const { return bids_; }

 private:
  struct Best {
    float first, second;
    int32_t col;
  };

  // False if bids ran out before every row had a column.
  bool hold_round(float epsilon, Run& run);
  void free_the_discontent(float epsilon, Run& run);
  Best best_of(int64_t row) const;
  void ask_for_prices_of(int64_t row) const;

  int64_t rows_;
  const int64_t* start_;
  const Entry* entries_;
  float scale_;
  std::vector<float> price_;
  std::vector<int32_t> col_of_row_, row_of_col_;
  std::vector<int32_t> free_;
  int64_t bids_ = 0;
};

}  // namespace konig
