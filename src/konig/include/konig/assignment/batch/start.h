// How a problem of a batch begins: its costs are surveyed and become whole numbers, and rows take their least
// columns.
#pragma once

#include "konig/assignment/batch/solver.h"

namespace konig::batch {

// What reductions keep of two. Not generic lambdas: NVRTC takes those for code of the host before CUDA 13.
struct Smaller {
  template <class T>
  KONIG_FN T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Larger {
  template <class T>
  KONIG_FN T operator()(T a, T b) const {
    return b > a ? b : a;
  }
};

// kUntouched if there is something to search.
template <class Crew, class Cost>
KONIG_FN int Solver<Crew, Cost>::begin() {
  Cost best[Crew::kStrips];
  if (!survey(best)) return kBadCost;
  if (!in_reach(least_cost_, greatest_cost_, rows_)) return kOutOfReach;
  make_tile();
  crew_.for_each(cols_, [&](int k, int col) {
    const long long value = tile_.value(best[k]);
    col_dual_[k] = rows_ == cols_ && value < kInfinite ? value : 0;
    board_.row_of_col[col] = -1;
  });
  crew_.barrier();
  for (int row = 0; row < rows_; ++row) take_least_column(row);
  next_ = 0;
  return kUntouched;
}

// The extremes of all finite costs and the best cost of each column; whether no cost is bad.
template <class Crew, class Cost>
KONIG_FN bool Solver<Crew, Cost>::survey(Cost (&best)[Crew::kStrips]) {
  const bool maximize = batch_.maximize != 0;
  const Cost none_least = worst_cost<Cost>(false), none_greatest = worst_cost<Cost>(true);
  Cost least = none_least, greatest = none_greatest;
  long long first_bad = kNoPosition;
  crew_.for_each(cols_, [&](int k, int col) {
    Cost seen = worst_cost<Cost>(maximize);
    crew_.each_row(rows_, [&](int row) {
      const Cost cost = entry(row, col);
      const bool finite = is_finite(cost);
      least = finite && cost < least ? cost : least;
      greatest = finite && cost > greatest ? cost : greatest;
      seen = (maximize ? cost > seen : cost < seen) ? cost : seen;
      if (is_bad(cost, maximize)) {
        const long long where = position(row, col);
        first_bad = where < first_bad ? where : first_bad;
      }
    });
    best[k] = seen;
  });
  first_bad = crew_.reduce(first_bad, Smaller{});
  least = crew_.reduce(least, Smaller{});
  greatest = crew_.reduce(greatest, Larger{});
  const bool some = least <= greatest;  // a finite cost
  least_cost_ = some ? least : Cost(0);
  greatest_cost_ = some ? greatest : Cost(0);
  if (first_bad == kNoPosition) return true;
  if (crew_.leads()) bsp::fetch_min(&batch_.state->first_bad, first_bad);
  return false;
}

template <class Crew, class Cost>
KONIG_FN void Solver<Crew, Cost>::make_tile() {
  tile_ = tile_of(cost_, stride_, least_cost_, greatest_cost_, rows_, batch_.maximize != 0);
}

// The row's dual is its least slack; it takes a column that has it if one is free.
template <class Crew, class Cost>
KONIG_FN void Solver<Crew, Cost>::take_least_column(int row) {
  Least mine = bsp::kNoPick;
  crew_.for_each(cols_, [&](int k, int col) {
    const long long slack = tile_.value(entry(row, col)) - col_dual_[k];
    const unsigned tie = unsigned(col) | (board_.row_of_col[col] >= 0 ? kTaken : 0);
    if (bsp::before(slack, tie, mine)) mine = {slack, tie};
  });
  const Least least = crew_.least(mine);
  const bool allowed = least.value < kInfinite;
  const bool takes = allowed && !(least.tie & kTaken);
  const int col = int(least.tie & kColumn);
  if (crew_.leads()) {
    board_.row_dual[row] = allowed ? least.value : 0;
    board_.col_of_row[row] = takes ? col : -1;
    if (takes) board_.row_of_col[col] = row;
  }
  greedy_ += takes;
  crew_.barrier();
}

}  // namespace konig::batch
