// The entry point of konig/assignment/batch.h. KONIG_COST is the type of the costs, a crew has KONIG_THREADS
// threads with KONIG_STRIPS columns each, and a block holds KONIG_CREWS of them (one if it has several
// warps).
#include "konig/assignment/batch.h"
#include "konig/bsp/cuda_crew.h"

using Cost = KONIG_COST;
using Crew = konig::bsp::CudaCrew<KONIG_THREADS, KONIG_STRIPS>;

static_assert(KONIG_THREADS == 32 || KONIG_CREWS == 1, "only warps share a block");

extern "C" __global__ void __launch_bounds__(KONIG_THREADS* KONIG_CREWS)
    assignment_batch(const Cost* cost, long long problems, long long rows, long long cols, long long row_step,
                     long long col_step, long long maximize, const int* order, const long long* row_counts,
                     const long long* col_counts, long long* row_ind, long long* col_ind,
                     konig::batch::Dual<Cost>::type* row_dual, konig::batch::Dual<Cost>::type* col_dual,
                     konig::batch::Dual<Cost>::type* total, double* gap, int* outcome, int* next,
                     Cost* extremes, long long* word, long long budget_ns) {
  using namespace konig;
  constexpr int kColumns = KONIG_THREADS * KONIG_STRIPS;
  __shared__ long long boards[KONIG_CREWS][(batch::kBoardBytes * kColumns + 7) / 8];
  __shared__ Crew::Slots slots;
  const batch::Batch<Cost> task{cost,  problems,   rows,       cols,    row_step, col_step, maximize,
                                order, row_counts, col_counts, row_ind, col_ind,  row_dual, col_dual,
                                total, gap,        outcome,    next,    extremes, word};
  Crew crew(&slots, budget_ns);
  const batch::Board board = batch::board_at(boards[threadIdx.x / KONIG_THREADS], kColumns);
  batch::Solver<Crew, Cost>(crew, task, board).run();
}
