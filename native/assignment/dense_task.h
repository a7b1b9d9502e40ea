// A dense assignment problem as Python hands it over, and the answer that goes back.
//
// Python has checked the costs: no NaN, no infinity but those that forbid a pair (+inf, or -inf when
// maximising), integers above the least of their type.
#pragma once

#include <cstdint>
#include <type_traits>

#include "assignment/duals.h"
#include "assignment/scans/cost_survey.h"
#include "assignment/shortest_augmenting_paths.h"

namespace konig {

// `adaptive` is jv that turns to an auction where reductions leave most rows free.
enum class DenseMethod { jv, auction, core, adaptive };

template <class S>
struct DenseTask {
  const S* cost = nullptr;  // rows * cols, row after row
  int64_t rows = 0, cols = 0;
  bool maximize = false;
  double largest = 0;                           // at least every finite |cost|
  const DualOf<S>* initial_row_dual = nullptr;  // a warm start, or null; both or none
  const DualOf<S>* initial_col_dual = nullptr;
  DenseMethod method = DenseMethod::jv;  // a warm start is always finished by shortest augmenting paths
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

// Where it is infeasible the violator is about the columns if there are fewer of them.
template <class S>
Outcome solve_dense(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator, Run& run);

// The same for costs that nobody has looked at yet; `task.largest` is not read. A bad cost shows in `seen`,
// and the outcome then means nothing.
template <class S>
Outcome survey_and_solve_dense(DenseTask<S> task, DenseAnswer<S>& answer, HallViolator& violator,
                               CostSurvey& seen, Run& run);

}  // namespace konig
