// Many dense assignment problems of one array, on several threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assignment/task.h"
#include "core/run.h"

namespace konig {

// Problem b takes the first row_counts[b] rows and col_counts[b] columns of its (rows, cols) block; what lies
// beyond them is not looked at.
template <class S>
struct DenseBatch {
  const S* cost = nullptr;
  int64_t problems = 0, rows = 0, cols = 0;
  const int64_t* row_counts = nullptr;
  const int64_t* col_counts = nullptr;
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
};

// What became of each problem.
enum class BatchOutcome : uint8_t { optimal, infeasible, duals_too_large, bad_cost, total_too_large };

// Problems with bad costs (NaN, an infinity that forbids nothing, the least integer) are not solved.
// `first_bad` is the position of the first one in the whole array, or -1; if there is one, nothing is solved.
template <class S>
std::vector<BatchOutcome> solve_batch(const DenseBatch<S>& batch, const BatchAnswer<S>& answer,
                                      int64_t& first_bad, Run& run);

}  // namespace konig
