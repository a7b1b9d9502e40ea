// What a problem of a batch leaves when it is solved: pairs, duals and the total, as the caller sees them.
#pragma once

#include "konig/assignment/batch/solver.h"
#include "konig/exact.h"

namespace konig::batch {

// Reals that are not proved optimal, because their values are rounded costs, are left to the caller, and so
// are integers that do not fit.
template <class Crew, class Cost>
KONIG_FN int Solver<Crew, Cost>::write_answer() {
  write_pairs();
  if constexpr (IsReal<Cost>::value)
    return write_real_duals() ? kOptimal : kOutOfReach;
  else
    return write_integer_duals() ? kOptimal : kTotalTooLarge;
}

// Sorted by the caller's rows; where those are the solver's columns the leader counts them off.
template <class Crew, class Cost>
KONIG_FN void Solver<Crew, Cost>::write_pairs() {
  long long* row_ind = batch_.row_ind + pairs_at();
  long long* col_ind = batch_.col_ind + pairs_at();
  if (!turned_) {
    for (int row = crew_.rank(); row < rows_; row += Crew::kThreads) {
      row_ind[row] = row;
      col_ind[row] = board_.col_of_row[row];
    }
  } else if (crew_.leads()) {
    int pair = 0;
    for (int col = 0; col < cols_; ++col) {
      if (board_.row_of_col[col] < 0) continue;
      row_ind[pair] = col;
      col_ind[pair++] = board_.row_of_col[col];
    }
  }
}

// The duals of the values, moved to those of the costs: value = entry - base, or base - entry.
template <class Crew, class Cost>
KONIG_FN bool Solver<Crew, Cost>::write_integer_duals() {
  const bool maximize = batch_.maximize != 0;
  DualT* row_dual = duals(true);
  DualT* col_dual = duals(false);
  crew_.for_each(cols_, [&](int k, int col) { col_dual[col] = maximize ? -col_dual_[k] : col_dual_[k]; });
  long long values = 0;
  int fits = 1;
  for (int row = crew_.rank(); row < rows_; row += Crew::kThreads) {
    const long long dual = board_.row_dual[row];
    fits &= int(total_of(1, tile_.base, maximize ? -dual : dual, row_dual[row]));
    values += tile_.value(entry(row, board_.col_of_row[row]));
  }
  values = crew_.reduce(values, [](long long a, long long b) { return a + b; });
  fits = crew_.reduce(fits, [](int a, int b) { return a & b; });
  long long total = 0;
  fits &= int(total_of(rows_, tile_.base, maximize ? -values : values, total));
  if (crew_.leads()) batch_.total[problem_] = total;
  return fits != 0;
}

// Columns from the duals of the values; rows from those and the costs, rounded such that no pair undercuts
// its duals in exact arithmetic (native/assignment/exact/real_proof.h). Where no column is left over a
// constant may move between the sides: smaller numbers round less. False if that leaves too large a gap.
template <class Crew, class Cost>
KONIG_FN bool Solver<Crew, Cost>::write_real_duals() {
  const long long middle = rows_ == cols_ ? middle_of_col_duals() : 0;
  const double sign = batch_.maximize ? -1.0 : 1.0;
  DualT* row_dual = duals(true);
  DualT* col_dual = duals(false);
  double dual[Crew::kStrips];  // as if the costs were minimised
  crew_.for_each(cols_, [&](int k, int col) {
    col_dual[col] = double(col_dual_[k] - middle) / tile_.scale.first / tile_.scale.second;
    dual[k] = sign * col_dual[col];
  });
  for (int row = 0; row < rows_; ++row) {
    double lowest = double_of(0x7ff0000000000000LL);
    crew_.for_each(cols_, [&](int k, int col) {
      const double here = difference_below(sign * double(entry(row, col)), dual[k]);
      lowest = here < lowest ? here : lowest;
    });
    lowest = crew_.reduce(lowest, [](double a, double b) { return b < a ? b : a; });
    if (crew_.leads()) row_dual[row] = sign * lowest;
  }
  crew_.barrier();
  double gap = 0;
  Size size;
  for (int row = crew_.rank(); row < rows_; row += Crew::kThreads) {
    const int col = board_.col_of_row[row];
    const double cost = double(entry(row, col));
    gap += excess_of(sign * cost, sign * row_dual[row], sign * col_dual[col]);
    size.add(cost);
    board_.row_dual[row] = bits_of(cost);
  }
  // At most 2048 sums, none of them negative: the rounding error is below that.
  gap = crew_.reduce(gap, [](double a, double b) { return a + b; }) * (1 + 0x1p-41);
  size.exponents = crew_.reduce(size.exponents, [](long long a, long long b) { return a + b; });
  size.count = crew_.reduce(size.count, [](long long a, long long b) { return a + b; });
  if (crew_.leads()) {
    batch_.total[problem_] = sum_of_costs();
    batch_.gap[problem_] = gap;
  }
  return gap <= kProvenGap * size.value();
}

template <class Crew, class Cost>
KONIG_FN long long Solver<Crew, Cost>::middle_of_col_duals() {
  long long least = kInfinite, greatest = -kInfinite;
  crew_.for_each(cols_, [&](int k, int) {
    least = col_dual_[k] < least ? col_dual_[k] : least;
    greatest = col_dual_[k] > greatest ? col_dual_[k] : greatest;
  });
  least = crew_.reduce(least, [](long long a, long long b) { return b < a ? b : a; });
  greatest = crew_.reduce(greatest, [](long long a, long long b) { return b > a ? b : a; });
  return (least + greatest) / 2;
}

// With Neumaier's compensation, of the costs that write_real_duals left.
template <class Crew, class Cost>
KONIG_FN double Solver<Crew, Cost>::sum_of_costs() const {
  double sum = 0, rest = 0;
  for (int row = 0; row < rows_; ++row) {
    const double cost = double_of(board_.row_dual[row]), next = sum + cost;
    const bool sum_is_larger = (sum < 0 ? -sum : sum) >= (cost < 0 ? -cost : cost);
    rest += sum_is_larger ? (sum - next) + cost : (cost - next) + sum;
    sum = next;
  }
  return is_finite(rest) ? sum + rest : sum;
}

}  // namespace konig::batch
