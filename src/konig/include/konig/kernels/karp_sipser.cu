// The entry point of the Karp-Sipser start.
#include "konig/kernels/entry.h"
#include "konig/matching/karp_sipser.h"

extern "C" __global__ void __launch_bounds__(kBlockThreads, kResidentBlocks)
    karp_sipser(long long rows, long long cols, const Offset* row_start, const Id* row_cols,
                const Offset* col_start, const Id* col_rows, Id* col_of_row, Id* row_of_col, long long* open,
                konig::karp_sipser::Lonely<Id>* lonely, konig::karp_sipser::Piece<Id, Offset>* pieces,
                konig::karp_sipser::State* state, konig::bsp::Control* control, long long budget_ns) {
  using namespace konig;
  const konig::karp_sipser::Workspace<Id, Offset> workspace{rows,      cols,     row_start,  row_cols,
                                                            col_start, col_rows, col_of_row, row_of_col,
                                                            open,      lonely,   pieces,     state};
  bsp::CudaTeam team(control, budget_ns);
  konig::karp_sipser::Solve<bsp::CudaTeam, Id, Offset>(team, workspace).run();
  team.leave();
}
