// The Hungarian methods of konig/assignment/ on a CPU team.
#pragma once

#include <cstdint>
#include <string>

#include "core/knobs.h"
#include "core/run.h"
#include "konig/assignment/costs.h"

namespace konig {

// At most as many rows as columns, both below 2^31. The assignment holds -1 on entry. Duals are those of the
// tile's values. `unmatchable` is set for the rows of a Hall violator where there is no assignment.
template <class Cost>
struct HungarianProblem {
  int64_t rows;
  int64_t cols;
  assignment::Tile<Cost> costs;
  int32_t* col_of_row;
  int32_t* row_of_col;
  int64_t* row_dual;
  int64_t* col_dual;
  uint8_t* unmatchable;
};

// Knobs: variant ("classical" or "tree"), threads, team ("threads" or "shuffled"), seed. Counts are listed in
// the source. Returns whether all rows could be assigned.
template <class Cost>
bool hungarian_on_team(const HungarianProblem<Cost>& problem, const Knobs& knobs, Run& run);

}  // namespace konig
