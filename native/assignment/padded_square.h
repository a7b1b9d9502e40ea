// A rectangle as a square: below its rows stand others, which cost the same in every column and take the
// columns that its rows leave.
//
// On the rectangle no dual may fall before its column is assigned, so that where rows rank the columns alike
// each search leads through most of those that are assigned. On the square columns have duals from the start,
// by their minima, and an auction may be held.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/line_minima.h"
#include "assignment/scans/dense_scans.h"
#include "assignment/state.h"
#include "core/large_array.h"
#include "core/run.h"

namespace konig {

template <class S>
class PaddedSquare {
 public:
  // The rows below cost as much as the least column minimum beyond those that the rectangle has rows for:
  // dearer columns are theirs from the start, and cheaper ones those of the rectangle.
  PaddedSquare(SignedCosts<S> rectangle, int64_t rows, int64_t cols, Run& run)
      : rows_(rows), cols_(cols), negated_(rectangle.negated), costs_(size_t(cols * cols)) {
    col_minima.find_of_columns(rectangle, rows, cols, run);
    const S common = common_cost();
    const S stored = SignedCosts<S>(&common, negated_)[0];
    for (int64_t i = 0; i < cols; ++i) {
      S* const row = costs_.data() + i * cols;
      if (i < rows)
        std::copy_n(rectangle.data + i * cols, cols, row);
      else
        std::fill_n(row, cols, stored);
      run.spend(cols / 4 + 1);
    }
    int64_t below = rows;
    for (int64_t j = 0; j < cols; ++j) {
      if (!(col_minima.least[j] > common)) continue;
      col_minima.least[j] = common;
      col_minima.place[j] = int32_t(below < cols ? below++ : rows);
    }
  }

  SignedCosts<S> costs() const { return {costs_.data(), negated_}; }

  // The pairs and duals of the rectangle from those of the square. Its rows below have one dual together, so
  // that no column dual is above those of their columns, which are 0 in the rectangle.
  template <class T>
  void write(const DenseState<S, T>& square, DenseState<S, T>& rectangle) const {
    const T most = square.col_dual[square.col_of_row[rows_]];
    rectangle.unassign_all();
    rectangle.free.clear();
    for (int64_t j = 0; j < cols_; ++j) {
      const int32_t i = square.row_of_col[j];
      if (i < rows_) rectangle.assign(i, int32_t(j));
      rectangle.col_dual[j] = i < rows_ ? std::min(T(square.col_dual[j] - most), T(0)) : T(0);
    }
  }

  LineMinima<S> col_minima;  // of the square

 private:
  // Finite.
  S common_cost() const {
    std::vector<S> minima = col_minima.least;
    const auto beyond = minima.begin() + rows_;
    std::nth_element(minima.begin(), beyond, minima.end());
    if (*beyond < std::numeric_limits<S>::infinity() || !std::numeric_limits<S>::has_infinity) return *beyond;
    S greatest = 0;
    for (auto least = minima.begin(); least != beyond; ++least)
      if (*least < std::numeric_limits<S>::infinity()) greatest = std::max(greatest, *least);
    return greatest;
  }

  const int64_t rows_, cols_;
  const bool negated_;
  LargeArray<S> costs_;
};

}  // namespace konig
