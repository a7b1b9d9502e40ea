// The entry point of konig/assignment/core_paths.h. KONIG_COST is the type of the costs.
#include "konig/assignment/core_paths.h"

#include "konig/kernels/cost_tile.h"
#include "konig/kernels/entry.h"

#ifndef KONIG_CORE_BLOCKS
#define KONIG_CORE_BLOCKS 3
#endif

using Cost = KONIG_COST;

// `words` holds the distances of rows and of columns; `ids` holds 4 arrays of rows and one of columns, and
// the keys of columns.
extern "C" __global__ void __launch_bounds__(kBlockThreads, KONIG_CORE_BLOCKS)
    core_paths(long long rows, long long cols, const Cost* costs, long long stride, long long base,
               long long flip, long long masked, double real_base, double first, double second,
               int* col_of_row, int* row_of_col, long long* row_dual, long long* col_dual, long long* words,
               int* ids, int* arc_col, long long* arc_value, long long* arc_slack, long long room,
               long long warm, konig::core_paths::State* state, konig::bsp::Control* control,
               long long budget_ns) {
  using namespace konig;
  const core_paths::Workspace<Cost> workspace{
      rows,
      cols,
      make_tile(costs, stride, base, flip, masked, assignment::RealScale{real_base, first, second}),
      col_of_row,
      row_of_col,
      row_dual,
      col_dual,
      words,
      words + rows,
      ids,
      ids + 4 * rows,
      (float*)(ids + 4 * rows + cols),
      ids + rows,
      ids + 2 * rows,
      ids + 3 * rows,
      arc_col,
      arc_value,
      arc_slack,
      room,
      warm,
      state};
  bsp::CudaTeam team(control, budget_ns);
  core_paths::Solver<bsp::CudaTeam, Cost>(team, workspace).run();
  team.leave();
}
