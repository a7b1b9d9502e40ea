// Answers of programs on a team in the caller's terms: pairs by ascending row, and duals. Costs are summed by
// who calls this.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>

#include "assignment/answer.h"

namespace konig {

// What was found. The solver has the shorter side as rows; if these are the caller's columns it is
// `transposed`.
template <class S, class Dual>
struct TeamAnswer {
  int64_t rows, cols;
  const int32_t* col_of_row;
  const S* paid;
  const Dual *row_dual, *col_dual;
  bool maximize, transposed;
};

// Where it goes: the pairs, and the duals of the solver's sides.
template <class Dual>
struct AnswerPlaces {
  int64_t *row_ind, *col_ind;
  Dual *of_rows, *of_cols;
};

template <class S, class Dual>
void write_pairs(const TeamAnswer<S, Dual>& found, const AnswerPlaces<Dual>& places) {
  for (int64_t i = 0; i < found.rows; ++i) {
    const int32_t col = found.col_of_row[i];
    if (col < 0 || col >= found.cols) throw std::invalid_argument("a row has no column");
    places.row_ind[i] = i;
    places.col_ind[i] = col;
  }
  if (found.transposed) transpose_pairs(places.row_ind, places.col_ind, found.cols, found.rows);
}

// Of integers: value = cost - base, or base - cost when maximising. Returns whether the duals fit; if not,
// other ones have to be found and written.
template <class S>
bool write_rows(const TeamAnswer<S, int64_t>& found, int64_t base, const AnswerPlaces<int64_t>& places) {
  write_pairs(found, places);
  const int64_t sign = found.maximize ? -1 : 1;
  bool fits = true;
  for (int64_t i = 0; i < found.rows; ++i) {
    const int128 dual = int128(base) + sign * found.row_dual[i];
    fits =
        fits && dual <= std::numeric_limits<int64_t>::max() && dual >= -std::numeric_limits<int64_t>::max();
    places.of_rows[i] = int64_t(dual);
  }
  return fits;
}
template <class S>
bool write_answer(const TeamAnswer<S, int64_t>& found, int64_t base, const AnswerPlaces<int64_t>& places) {
  const int64_t sign = found.maximize ? -1 : 1;
  for (int64_t j = 0; j < found.cols; ++j) places.of_cols[j] = sign * found.col_dual[j];
  return write_rows(found, base, places);
}

// Of reals, whose duals are to be minimised.
template <class S>
void write_rows(const TeamAnswer<S, double>& found, const AnswerPlaces<double>& places) {
  write_pairs(found, places);
  const double sign = found.maximize ? -1 : 1;  // and no negative zero
  for (int64_t i = 0; i < found.rows; ++i) places.of_rows[i] = sign * found.row_dual[i] + 0.0;
}
template <class S>
void write_answer(const TeamAnswer<S, double>& found, const AnswerPlaces<double>& places) {
  const double sign = found.maximize ? -1 : 1;
  for (int64_t j = 0; j < found.cols; ++j) places.of_cols[j] = sign * found.col_dual[j] + 0.0;
  write_rows(found, places);
}

// Whether a column that no row has has a dual.
template <class Dual>
bool has_leftover_duals(int64_t cols, const int32_t* row_of_col, const Dual* col_dual) {
  bool some = false;
  for (int64_t j = 0; j < cols; ++j) some |= row_of_col[j] < 0 && col_dual[j] != 0;
  return some;
}

}  // namespace konig
