// A sparse assignment problem as it comes from Python: to be minimised, with no more rows than columns, no
// pair twice, no NaN and no -inf.
#pragma once

#include <cstdint>

#include "assignment/sums.h"
#include "core/run.h"

namespace konig {

// Lists of pairs, row after row.
template <class S>
struct SparseCosts {
  int64_t rows = 0, cols = 0;
  const int64_t* start = nullptr;  // rows + 1
  const int32_t* col = nullptr;
  const S* cost = nullptr;
};

template <class S>
struct SparseTask {
  SparseCosts<S> costs;
  double largest = 0;                           // at least every finite |cost|
  const DualOf<S>* initial_col_dual = nullptr;  // a warm start, or null
  // Of reals: whether the answer is proved, and made exact where it is not. If not, it is right but for
  // rounding, and pairs and column duals are all of it.
  bool is_proved = true;
};

template <class S>
struct SparseAnswer {
  int64_t* col_of_row = nullptr;
  DualOf<S>* row_dual = nullptr;
  DualOf<S>* col_dual = nullptr;
  TotalOf<S> total = 0;
  double gap = 0;  // a proven bound on the cost less the least cost
};

// Shortest augmenting paths on lists. Costs in int32_t, and the duals to start from, must be below 2^56
// divided by the rows plus one: they are summed in 64 bits.
template <class S>
Outcome sparse_jv(const SparseTask<S>& task, SparseAnswer<S>& answer, HallViolator& violator, Run& run);

}  // namespace konig
