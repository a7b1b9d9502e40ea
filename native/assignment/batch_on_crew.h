// A batch of small dense problems solved by the crew of one worker: konig/assignment/batch.h without a GPU.
#pragma once

#include "core/run.h"
#include "konig/assignment/batch/problem.h"

namespace konig {

// Rows and columns are at most 2048 (SoloCrew::kStrips). `batch.order` and the arrays that crews share among
// themselves (next, extremes, word) are made here; the outcome is kept by the caller. A solve pauses after
// `patience` looks at the clock and goes on; 0 is never. Counts: launches, greedy_assignments, searches,
// steps. Returns the position of the first bad cost, or -1.
template <class Cost>
int64_t batch_on_crew(batch::Batch<Cost> batch, int64_t patience, Run& run);

}  // namespace konig
