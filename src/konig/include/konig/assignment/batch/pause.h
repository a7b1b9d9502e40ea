// A problem of a batch that pauses: the bits of its duals and the mates wait in the arrays of the answer.
#pragma once

#include "konig/assignment/batch/solver.h"

namespace konig::batch {

template <class Crew, class Cost>
KONIG_FN void Solver<Crew, Cost>::pause(int next) {
  crew_.for_each(cols_, [&](int k, int col) { keep(duals(false) + col, col_dual_[k]); });
  for (int row = crew_.rank(); row < rows_; row += Crew::kThreads) {
    keep(duals(true) + row, board_.row_dual[row]);
    batch_.col_ind[pairs_at() + row] = board_.col_of_row[row];
  }
  if (crew_.leads()) {
    batch_.next_row[place_] = next;
    batch_.extremes[2 * place_] = least_cost_;
    batch_.extremes[2 * place_ + 1] = greatest_cost_;
  }
  crew_.barrier();  // the board is another problem's from here
}

template <class Crew, class Cost>
KONIG_FN int Solver<Crew, Cost>::resume() {
  next_ = batch_.next_row[place_];
  least_cost_ = batch_.extremes[2 * place_];
  greatest_cost_ = batch_.extremes[2 * place_ + 1];
  make_tile();
  crew_.for_each(cols_, [&](int k, int col) {
    col_dual_[k] = kept(duals(false) + col);
    board_.row_of_col[col] = -1;
  });
  crew_.barrier();
  for (int row = crew_.rank(); row < rows_; row += Crew::kThreads) {
    const int col = int(batch_.col_ind[pairs_at() + row]);
    board_.row_dual[row] = kept(duals(true) + row);
    board_.col_of_row[row] = col;
    if (col >= 0) board_.row_of_col[col] = row;
  }
  crew_.barrier();
  return kUntouched;
}

template <class Crew, class Cost>
KONIG_FN void Solver<Crew, Cost>::keep(DualT* place, long long value) {
  if constexpr (IsReal<Cost>::value)
    *place = double_of(value);
  else
    *place = value;
}
template <class Crew, class Cost>
KONIG_FN long long Solver<Crew, Cost>::kept(const DualT* place) {
  if constexpr (IsReal<Cost>::value)
    return bits_of(*place);
  else
    return *place;
}

}  // namespace konig::batch
