// Many dense assignment problems of one array, on several threads.
#pragma once

#include <cstdint>

#include "assignment/task.h"
#include "assignment/unassigned.h"
#include "core/run.h"

namespace konig {

// Problem b takes the first row_counts[b] rows and col_counts[b] columns of its (rows, cols) block; what lies
// beyond them is not read.
template <class S>
struct DenseBatch {
  const S* cost = nullptr;
  int64_t problems = 0, rows = 0, cols = 0;
  const int64_t* row_counts = nullptr;
  const int64_t* col_counts = nullptr;
  UnassignedCosts<S> alone{};  // problems * rows and problems * cols, or null: all are to be assigned
  bool maximize = false;
  DensePlan plan{};
  int threads = 1;
};

// Pairs padded with -1, duals with 0; all of them cleared by the caller.
template <class S>
struct BatchAnswer {
  int64_t* row_ind = nullptr;  // problems * min(rows, cols)
  int64_t* col_ind = nullptr;
  DualOf<S>* row_dual = nullptr;
  DualOf<S>* col_dual = nullptr;
  DualOf<S>* total = nullptr;
  double* gap = nullptr;
  uint8_t* unsolved = nullptr;  // 1 where there is no answer, or its cost does not fit the type of `total`
};

// Returns the position of the first bad cost (NaN, an infinity that forbids nothing, an end of the integers)
// in the whole array, or -1; if there is one, the answer means nothing.
template <class S>
int64_t solve_batch(const DenseBatch<S>& batch, const BatchAnswer<S>& answer, Run& run);

}  // namespace konig
