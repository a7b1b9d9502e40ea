// The entry points of konig/papers/hungarian/classical.h and hungarian_tree.h, one of them at a time:
// KONIG_TREE is 0 or 1. KONIG_COST is the type of the costs.
#include "konig/papers/hungarian/classical.h"
#include "konig/papers/hungarian/tree.h"

#include "konig/kernels/cost_tile.h"
#include "konig/kernels/entry.h"

using Cost = KONIG_COST;

// `words` holds 3 arrays of rows (the queue takes two) and a column's since; then slack and partial_slack, or
// start. `ids` holds 2 arrays of rows and 3 of cols; then partial_row, or count.
#define KONIG_HUNGARIAN(name, Variant, tree)                                                                 \
  extern "C" __global__ void __launch_bounds__(kBlockThreads, 2)                                             \
      name(long long rows, long long cols, const Cost* costs, long long stride, long long base,              \
           long long flip, long long masked, double real_base, double first, double second, int* col_of_row, \
           int* row_of_col, long long* row_dual, long long* col_dual, long long* words, int* ids,            \
           int* neighbour, konig::hungarian::Edge* edge, long long room, long long warm,                     \
           konig::hungarian::State* state, konig::bsp::Control* control, long long budget_ns) {              \
    using namespace konig;                                                                                   \
    using namespace konig::hungarian;                                                                        \
    long long* more_words = words + 3 * rows + cols;                                                         \
    int* of_cols = ids + 2 * rows;                                                                           \
    int* more_ids = of_cols + 3 * cols;                                                                      \
    const Workspace<Cost> workspace{                                                                         \
        rows,                                                                                                \
        cols,                                                                                                \
        make_tile(costs, stride, base, flip, masked, assignment::RealScale{real_base, first, second}),       \
        col_of_row,                                                                                          \
        row_of_col,                                                                                          \
        row_dual,                                                                                            \
        col_dual,                                                                                            \
        words + 2 * rows,                                                                                    \
        words + 3 * rows,                                                                                    \
        of_cols,                                                                                             \
        ids,                                                                                                 \
        (Reached*)words,                                                                                     \
        of_cols + cols,                                                                                      \
        ids + rows,                                                                                          \
        of_cols + 2 * cols,                                                                                  \
        tree ? more_words : nullptr,                                                                         \
        tree ? more_words + cols : nullptr,                                                                  \
        tree ? more_ids : nullptr,                                                                           \
        tree ? nullptr : more_words,                                                                         \
        tree ? nullptr : more_ids,                                                                           \
        neighbour,                                                                                           \
        edge,                                                                                                \
        room,                                                                                                \
        warm,                                                                                                \
        state};                                                                                              \
    bsp::CudaTeam team(control, budget_ns);                                                                  \
    Variant<bsp::CudaTeam, Cost>(team, workspace).run();                                                     \
    team.leave();                                                                                            \
  }

#if KONIG_TREE
KONIG_HUNGARIAN(hungarian_tree, Tree, true)
#else
KONIG_HUNGARIAN(hungarian_classical, Classical, false)
#endif
