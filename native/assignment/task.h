// A dense assignment problem as it comes from Python, the plan of its solve, and its answer.
//
// Infinities forbid a pair (+inf, or -inf when maximising). NaN, other infinities and the ends of 64-bit
// integers are bad costs.
#pragma once

#include <cstdint>
#include <type_traits>

#include "assignment/scans/cost_check.h"
#include "assignment/sums.h"
#include "core/run.h"

namespace konig {

// When an auction is held: where paths promise to be long, or always, in place of transfer and row reduction.
// A rectangle gets one as the square that it is padded to.
enum class Auction { never, if_paths_are_long, always };

// The stages of a solve, and their limits. src/konig/assignment/auto.py makes it and gives the reasons.
struct DensePlan {
  bool common_cost = false;  // solve by the entries below a common cost, where nearly all entries have that
  bool extended = false;     // solve a square that extends a smaller problem as that (extended_square.h)
  bool core = false;         // price a sparse core, and solve the whole matrix only where that fails
  bool reduce_before_core = false;  // before a core, try whether reductions leave few rows or short paths
  Auction auction = Auction::never;
  int64_t path_scans = 0;   // paths are long: they promise to scan more rows than so many for each row
  int64_t padded_cols = 0;  // columns for each row up to which a rectangle may be padded to a square
  int64_t easy_scans = 0;   // before a core, paths may scan so many rows for each row
  int64_t pricing_rounds = 0;
  int64_t added = 0;  // entries that a row gets in one round of pricing, at most
};

template <class S>
struct DenseTask {
  SignedCosts<S> costs() const { return {cost, maximize}; }  // to minimise

  const S* cost = nullptr;  // rows * cols, row after row
  int64_t rows = 0, cols = 0;
  bool maximize = false;
  const DualOf<S>* initial_row_dual = nullptr;  // a warm start, or null; both or none
  const DualOf<S>* initial_col_dual = nullptr;
  DensePlan plan{};  // of a solve without a warm start, or where that is no help
  int threads = 1;
};

template <class S>
struct DenseAnswer {
  int64_t* row_ind = nullptr;  // min(rows, cols) pairs, rows ascending
  int64_t* col_ind = nullptr;
  DualOf<S>* row_dual = nullptr;
  DualOf<S>* col_dual = nullptr;
  TotalOf<S> total = 0;
  double gap = 0;  // a proven bound on the cost less the least cost (maximising, the other way round)
};

// Where it is infeasible the violator is about the columns if there are fewer of them. A bad cost shows in
// `check`, and the outcome then means nothing.
template <class S>
Outcome solve_dense(DenseTask<S> task, DenseAnswer<S>& answer, HallViolator& violator, CostCheck& check,
                    Run& run);

}  // namespace konig
