// The entry points of matching/multi_source_bfs.h.
#include "konig/kernels/entry.h"
#include "konig/matching/ms_bfs.h"

// `ids` holds a word for each row and one for each column; `frontiers` two arrays of pieces.
extern "C" __global__ void __launch_bounds__(kBlockThreads, kResidentBlocks)
    multi_source_bfs(long long rows, long long cols, const Offset* col_start, const Id* col_rows,
                     Id* col_of_row, Id* row_of_col, long long pieces, long long most_steps,
                     konig::multi_source_bfs::Branch<Id>* branch, Id* ids,
                     konig::multi_source_bfs::Piece<Id>* frontiers, konig::multi_source_bfs::State* state,
                     konig::bsp::Control* control, long long budget_ns) {
  using namespace konig;
  const multi_source_bfs::Workspace<Id, Offset> workspace{
      rows,       cols,       pieces, most_steps, col_start,  col_rows,
      col_of_row, row_of_col, branch, ids,        ids + rows, {frontiers, frontiers + pieces},
      state};
  bsp::CudaTeam team(control, budget_ns);
  multi_source_bfs::Solve<KONIG_COUNTED != 0, bsp::CudaTeam, Id, Offset>(team, workspace).run();
  team.leave();
}
