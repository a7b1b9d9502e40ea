// The entry points of konig/matching/augmenting_paths.h.
#include "konig/papers/augmenting_paths.h"

#include "konig/kernels/entry.h"

// Of CT, which is 256 blocks, an H200 holds two on each multiprocessor. The compiler alone would aim at four
// and keep words of the search in memory, for 7.3 in place of 5 microseconds a level.
constexpr int kResident = 2;

#define KONIG_AUGMENTING_PATHS(name, shortest, with_roots)                                              \
  extern "C" __global__ void __launch_bounds__(kBlockThreads, kResident)                                \
      name(long long rows, long long cols, const Offset* col_start, const Id* col_rows, Id* col_of_row, \
           Id* row_of_col, Id* level, Id* predecessor, Id* root, konig::augmenting_paths::State* state, \
           konig::bsp::Control* control, long long budget_ns) {                                         \
    using namespace konig;                                                                              \
    using V = augmenting_paths::Variant<shortest, with_roots, KONIG_COUNTED != 0>;                      \
    const augmenting_paths::Workspace<Id, Offset> workspace{                                            \
        rows, cols, col_start, col_rows, col_of_row, row_of_col, level, predecessor, root, state};      \
    bsp::CudaTeam team(control, budget_ns);                                                             \
    augmenting_paths::Solve<V, bsp::CudaTeam, Id, Offset>(team, workspace).run();                       \
    team.leave();                                                                                       \
  }

KONIG_AUGMENTING_PATHS(apfb_gpubfs, false, false)
KONIG_AUGMENTING_PATHS(apfb_gpubfs_wr, false, true)
KONIG_AUGMENTING_PATHS(apsb_gpubfs, true, false)
KONIG_AUGMENTING_PATHS(apsb_gpubfs_wr, true, true)
