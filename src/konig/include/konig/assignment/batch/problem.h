// A batch of dense assignment problems, the answers that its groups leave, and what they share.
#pragma once

#include "konig/assignment/batch/values.h"
#include "konig/bsp/program.h"

namespace konig::batch {

enum Status : long long { kRunning, kFinished };

// What became of a problem. Those above kOptimal are left to the caller.
enum Outcome : int { kUntouched = -2, kPaused, kOptimal, kInfeasible, kOutOfReach, kTotalTooLarge, kBadCost };

constexpr long long kNoPosition = 0x7fffffffffffffffLL;

struct State {
  long long status = kRunning;
  long long dealt = 0;  // problems of this launch
  long long left = 0;   // groups that have left this launch
  long long first_bad = kNoPosition;
  long long finished = 0;
  long long greedy_assignments = 0, searches = 0, steps = 0;
  long long launches = 0;
};

template <class Cost>
struct Dual {
  using type = long long;
};
template <>
struct Dual<float> {
  using type = double;
};
template <>
struct Dual<double> {
  using type = double;
};

// Entry (i, j) of problem b is costs[b * rows * cols + i * row_step + j * col_step]. Problem b takes the
// first row_counts[b] rows and col_counts[b] columns (all of them where these are null) and has answers at b
// times the extent of the whole array. A paused problem keeps its state where its answer will be.
template <class Cost>
struct Batch {
  using DualT = typename Dual<Cost>::type;

  long long problems;  // that are solved
  long long rows, cols, row_step, col_step;
  long long maximize;
  const Cost* costs;
  const int* order;             // in which problems are dealt; as they come where it is null
  const long long* row_counts;  // or null
  const long long* col_counts;
  long long* row_ind;  // min(rows, cols) for each problem, as col_ind
  long long* col_ind;
  DualT* row_dual;
  DualT* col_dual;
  DualT* total;
  double* gap;     // of reals
  int* outcome;    // all kUntouched at first
  int* next_row;   // of a paused problem, the first row that may be free
  Cost* extremes;  // of a paused problem, the least and the greatest finite cost
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    layout.number(KONIG_NAMED(problems, rows, cols, row_step, col_step, maximize));
    layout.given(KONIG_NAMED(costs, order, row_counts, col_counts, row_ind, col_ind, row_dual, col_dual,
                             total, gap, outcome));
    layout.own(next_row, problems);
    layout.own(extremes, 2 * problems);
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& seen, Reading& reading) const {
    reading.status(seen.status, "running", "finished");
    reading.progress(seen.finished, problems);
    reading.word("first_bad", seen.first_bad == kNoPosition ? -1 : seen.first_bad);
    reading.word("untouched", kUntouched);
    reading.word("infeasible", kInfeasible);
    reading.word("out of reach", kOutOfReach);
    reading.word("total too large", kTotalTooLarge);
    reading.statistic("greedy_assignments", seen.greedy_assignments);
    reading.statistic("searches", seen.searches);
    reading.statistic("steps", seen.steps);
    reading.statistic("launches", seen.launches);
  }
};

}  // namespace konig::batch
