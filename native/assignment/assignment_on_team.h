// The Hungarian methods and core-paths of konig/assignment/ on a CPU team.
#pragma once

#include <cstdint>
#include <string>

#include "core/knobs.h"
#include "core/run.h"
#include "konig/assignment/costs.h"

namespace konig {

// At least one row and at most as many as columns, which are below 2^31. The assignment holds -1 on entry.
// Duals are those of the tile's values; with `warm` col_dual holds some to start from (with fewer rows than
// columns they are at most 0, and a column left over keeps its own). Where not all rows can be assigned, the
// rows and columns reached are a Hall violator.
template <class Cost>
struct TeamProblem {
  int64_t rows;
  int64_t cols;
  assignment::Tile<Cost> costs;
  int32_t* col_of_row;
  int32_t* row_of_col;
  int64_t* row_dual;
  int64_t* col_dual;
  uint8_t* row_reached;
  uint8_t* col_reached;
  bool warm;
};

// Knobs: variant ("classical" or "tree"), threads, team ("threads" or "shuffled"), seed. Counts are listed in
// the source. Returns whether all rows could be assigned.
template <class Cost>
bool hungarian_on_team(const TeamProblem<Cost>& problem, const Knobs& knobs, Run& run);

// The same for core-paths; variant is "core".
template <class Cost>
bool core_paths_on_team(const TeamProblem<Cost>& problem, const Knobs& knobs, Run& run);

#define KONIG_INSTANTIATE_ASSIGNMENT_ON_TEAM(solver)                     \
  template bool solver(const TeamProblem<int32_t>&, const Knobs&, Run&); \
  template bool solver(const TeamProblem<int64_t>&, const Knobs&, Run&); \
  template bool solver(const TeamProblem<float>&, const Knobs&, Run&);   \
  template bool solver(const TeamProblem<double>&, const Knobs&, Run&);

}  // namespace konig
