// The entry point of matching/transpose.h.
#include "konig/kernels/entry.h"
#include "konig/matching/transpose.h"

extern "C" __global__ void __launch_bounds__(kBlockThreads)
    transpose(long long rows, long long cols, const Offset* col_start, const Id* col_rows, Offset* row_start,
              Id* row_cols, konig::transpose::State* state, konig::bsp::Control* control,
              long long budget_ns) {
  using namespace konig;
  const konig::transpose::Workspace<Id, Offset> workspace{rows,      cols,     col_start, col_rows,
                                                          row_start, row_cols, state};
  bsp::CudaTeam team(control, budget_ns);
  konig::transpose::Solve<bsp::CudaTeam, Id, Offset>(team, workspace).run();
  team.leave();
}
