// The entry points of matching/multi_source_bfs.h.
#include "konig/kernels/entry.h"
#include "konig/matching/multi_source_bfs.h"

// `ids` holds two arrays of rows, three of cols and two frontiers of four arrays of pieces; `firsts` holds
// two arrays of pieces.
extern "C" __global__ void __launch_bounds__(kBlockThreads)
    multi_source_bfs(long long rows, long long cols, const Offset* col_start, const Id* col_rows,
                     Id* col_of_row, Id* row_of_col, long long pieces, Id* ids, Offset* firsts,
                     konig::multi_source_bfs::State* state, konig::bsp::Control* control,
                     long long budget_ns) {
  using namespace konig;
  Id* of_rows = ids;
  Id* of_cols = of_rows + 2 * rows;
  Id* even = of_cols + 3 * cols;
  Id* odd = even + 4 * pieces;
  const multi_source_bfs::Workspace<Id, Offset> workspace{
      rows,
      cols,
      pieces,
      col_start,
      col_rows,
      col_of_row,
      row_of_col,
      of_rows,
      of_rows + rows,
      of_cols,
      of_cols + cols,
      of_cols + 2 * cols,
      {{even, even + pieces, even + 2 * pieces, even + 3 * pieces, firsts},
       {odd, odd + pieces, odd + 2 * pieces, odd + 3 * pieces, firsts + pieces}},
      state};
  bsp::CudaTeam team(control, budget_ns);
  multi_source_bfs::Solve<KONIG_COUNTED != 0, bsp::CudaTeam, Id, Offset>(team, workspace).run();
  team.leave();
}
