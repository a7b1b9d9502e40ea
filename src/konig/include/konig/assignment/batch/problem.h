// A batch of dense assignment problems and the answers that its crews leave. No member is a reference: the
// struct is passed to a kernel by value.
#pragma once

#include "konig/assignment/batch/values.h"

namespace konig::batch {

// What became of a problem. Those beyond kPaused are left to the caller.
enum Outcome : int { kUntouched, kOptimal, kPaused, kInfeasible, kOutOfReach, kTotalTooLarge, kBadCost };

// Words that all crews share.
enum Word : int { kNext, kFirstBad, kFinished, kGreedy, kSearches, kSteps, kWords };

template <class Cost>
struct Dual {
  using type = long long;
};
template <>
struct Dual<float> {
  using type = double;
};
template <>
struct Dual<double> {
  using type = double;
};

// Entry (i, j) of problem b is cost[b * rows * cols + i * row_step + j * col_step]. Problem b takes the first
// row_counts[b] rows and col_counts[b] columns (all of them where these are null) and has answers at b times
// the extent of the whole batch. A paused problem keeps its state where its answer will be.
template <class Cost>
struct Batch {
  using DualT = typename Dual<Cost>::type;

  const Cost* cost;
  long long problems, rows, cols, row_step, col_step;
  long long maximize;
  const int* order;             // in which problems are dealt; as they come where it is null
  const long long* row_counts;  // or null
  const long long* col_counts;
  long long* row_ind;  // min(rows, cols) for each problem, as col_ind
  long long* col_ind;
  DualT* row_dual;
  DualT* col_dual;
  DualT* total;
  double* gap;      // of reals
  int* outcome;     // all kUntouched at first
  int* next;        // of a paused problem, the first row that may be free
  Cost* extremes;   // of a paused problem, the least and the greatest finite cost
  long long* word;  // kWords of them; kFirstBad is the greatest integer at first, the others 0
};

}  // namespace konig::batch
