// The entry points of konig/papers/g_pr.h: g_pr_first, and g_pr_lists for NoShr and Shr.
#include "konig/papers/g_pr.h"

#include "konig/kernels/entry.h"

#define KONIG_PUSH_RELABEL(name, with_lists)                                                                \
  extern "C" __global__ void __launch_bounds__(kBlockThreads) name(                                         \
      long long rows, long long cols, const Offset* row_start, const Id* row_cols, const Offset* col_start, \
      const Id* col_rows, Id* col_of_row, Id* row_of_col, Id* row_label, Id* col_label, Id* candidate,      \
      Id* shadow_row_label, Id* shadow_col_label, Id* level_seen, Id* active_in, Id* lists,                 \
      long long capacity, long long shrink, long long gap, long long concurrent, long long adaptive,        \
      double k, konig::push_relabel::State* state, konig::bsp::Control* control, long long budget_ns) {     \
    using namespace konig;                                                                                  \
    using V = push_relabel::Variant<with_lists, KONIG_COUNTED != 0>;                                        \
    const push_relabel::Workspace<Id, Offset> workspace{rows,                                               \
                                                        cols,                                               \
                                                        row_start,                                          \
                                                        row_cols,                                           \
                                                        col_start,                                          \
                                                        col_rows,                                           \
                                                        col_of_row,                                         \
                                                        row_of_col,                                         \
                                                        row_label,                                          \
                                                        col_label,                                          \
                                                        candidate,                                          \
                                                        shadow_row_label,                                   \
                                                        shadow_col_label,                                   \
                                                        level_seen,                                         \
                                                        active_in,                                          \
                                                        lists,                                              \
                                                        capacity,                                           \
                                                        {shrink, gap, concurrent, adaptive, k},             \
                                                        state};                                             \
    bsp::CudaTeam team(control, budget_ns);                                                                 \
    push_relabel::Solve<V, bsp::CudaTeam, Id, Offset>(team, workspace).run();                               \
    team.leave();                                                                                           \
  }

KONIG_PUSH_RELABEL(g_pr_first, false)
KONIG_PUSH_RELABEL(g_pr_lists, true)
