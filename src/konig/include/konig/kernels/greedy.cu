// The entry point of the greedy start.
#include "konig/kernels/entry.h"
#include "konig/matching/greedy.h"

extern "C" __global__ void __launch_bounds__(kBlockThreads)
    greedy(long long cols, const Offset* col_start, const Id* col_rows, Id* col_of_row, Id* row_of_col,
           konig::greedy::State* state, konig::bsp::Control* control, long long budget_ns) {
  using namespace konig;
  const konig::greedy::Workspace<Id, Offset> workspace{cols,       col_start,  col_rows,
                                                       col_of_row, row_of_col, state};
  bsp::CudaTeam team(control, budget_ns);
  konig::greedy::Solve<bsp::CudaTeam, Id, Offset>(team, workspace).run();
  team.leave();
}
