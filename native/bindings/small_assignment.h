// The result of a small assignment problem.
#pragma once

#include <algorithm>
#include <cstdint>

#include "assignment/sums.h"
#include "bindings/arrays.h"
#include "bindings/new_result.h"
#include "bindings/small.h"
#include "bindings/solved_assignment.h"
#include "core/run.h"
#include "core/stopwatch.h"

namespace konig {

// The arrays of an Assignment of `rows` and `cols` in a problem that may be transposed.
template <class S>
struct SmallArrays {
  SmallArrays(int64_t rows, int64_t cols)
      : row_ind(std::min(rows, cols)),
        col_ind(std::min(rows, cols)),
        found(SolvedAssignment::of(rows, cols)),
        solved(nb::inst_ptr<SolvedAssignment>(found)) {}
  DualOf<S>* row_dual() const { return solved->row_dual<DualOf<S>>(); }
  DualOf<S>* col_dual() const { return solved->col_dual<DualOf<S>>(); }

  const NewArray<int64_t> row_ind, col_ind;
  const nb::object found;
  SolvedAssignment* const solved;
};

// The Assignment of a small problem. Fields that not all read are made of `found` when they are read (Result
// in results.py).
template <class S, class Answer>
FoundResult small_answer(nb::handle result, const Answer& answer, const SmallArrays<S>& arrays, bool maximize,
                         Run& run, Stopwatch& watch) {
  const AssignmentFields& names = AssignmentFields::here();
  arrays.solved->template finish<S>(answer.gap, run, watch.lap());
  NewResult made(result);
  made.set(names.row_ind, arrays.row_ind.object);
  made.set(names.col_ind, arrays.col_ind.object);
  made.set(names.cost, as_number(answer.total));
  made.set(names.found, arrays.found);
  if (maximize) made.set(names.maximize, nb::handle(Py_True));
  return made.object();
}

}  // namespace konig
