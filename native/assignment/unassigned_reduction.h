// Reduced costs of assignments in which rows and columns may be left alone (unassigned.h), and how duals of
// reduced costs become those of the costs: what dense costs and lists have in common.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "assignment/exact/core.h"
#include "assignment/sums.h"
#include "core/exact.h"

namespace konig {

// Reduced costs of integers, sums of three numbers, and duals, sums of two of them and a cost, fit 64 bits.
inline constexpr double kMostReduced = 0x1p60;
// Reals above it are scaled, so that no difference is beyond float64.
inline constexpr double kLargestAsGiven = 0x1p1000, kScaleOfLarge = 0x1p-64;

// What leaving rows and columns alone costs, to be minimised.
template <class T>
class Alone {
 public:
  Alone(const T* of_rows, const T* of_cols, int64_t row_count, int64_t col_count, bool negated)
      : rows(row_count), cols(col_count), numbers_(size_t(rows + cols)) {
    std::copy_n(of_rows, rows, numbers_.data());
    std::copy_n(of_cols, cols, numbers_.data() + rows);
    for (T& number : numbers_) {
      largest = std::max(largest, std::abs(double(number)));
      number = negated ? T(0) - number : number;
    }
  }

  // Times a power of two that is at most 1.
  Alone scaled(double scale) const {
    Alone copy = *this;
    if (scale == 1.0) return copy;
    for (T& number : copy.numbers_) number = T(scale * double(number));
    copy.largest *= scale;
    return copy;
  }

  T row(int64_t i) const { return numbers_[i]; }
  T col(int64_t j) const { return numbers_[rows + j]; }
  const T* of_rows() const { return numbers_.data(); }
  const T* of_cols() const { return numbers_.data() + rows; }

  // Whether a pair of this cost is no dearer than leaving both alone, exactly.
  bool allows(T cost, int64_t i, int64_t j) const {
    if constexpr (std::is_integral_v<T>) {
      return cost - row(i) - col(j) <= 0;
    } else {
      const TwoSum both = two_sum(row(i), col(j));
      return std::isfinite(cost) && (cost < both.sum || (cost == both.sum && both.error >= 0));
    }
  }

  const int64_t rows, cols;
  double largest = 0;

 private:
  std::vector<T> numbers_;
};

template <class T>
bool are_equal(const T* numbers, int64_t count) {
  return std::all_of(numbers, numbers + count, [&](T number) { return number == numbers[0]; });
}

// Reduced costs are min(cost - row_shift[i] - col_shift[j], row_limit[i] + col_limit[j]), all to be
// minimised. `by_rows` if all rows are to be assigned, not all columns.
template <class T>
class Reduction {
 public:
  Reduction(const Alone<T>& alone, bool by_rows) : numbers_(size_t(2 * (alone.rows + alone.cols)), T(0)) {
    T* const row_limits = numbers_.data();
    T* const col_limits = row_limits + alone.rows;
    T* const row_shifts = col_limits + alone.cols;
    T* const col_shifts = row_shifts + alone.rows;
    row_limit = row_limits, col_limit = col_limits, row_shift = row_shifts, col_shift = col_shifts;
    const T *const of_rows = alone.of_rows(), *const of_cols = alone.of_cols();
    if constexpr (std::is_integral_v<T>) {
      std::copy_n(of_rows, alone.rows, row_shifts);
      std::copy_n(of_cols, alone.cols, col_shifts);
      rounds_nothing = alone.largest == 0;
      return;
    }
    const T* const longer = by_rows ? of_cols : of_rows;
    const int64_t extent = by_rows ? alone.cols : alone.rows;
    const bool equal = extent > 0 && are_equal(longer, extent);
    rounds_nothing = extent == 0 || equal;
    if (!equal) std::copy_n(longer, extent, by_rows ? col_shifts : row_shifts);
    const T constant = equal ? longer[0] : T(0);
    if (by_rows)
      std::transform(of_rows, of_rows + alone.rows, row_limits, [&](T number) { return number + constant; });
    else
      std::transform(of_cols, of_cols + alone.cols, col_limits, [&](T number) { return number + constant; });
  }
  Reduction(const Reduction&) = delete;
  Reduction& operator=(const Reduction&) = delete;

  const T *row_limit, *col_limit, *row_shift, *col_shift;
  bool rounds_nothing = false;  // reduced costs of pairs worth making are the costs themselves

 private:
  std::vector<T> numbers_;
};

// A cost as it is minimised, in a type that has the negative of each.
template <class T, class S>
T minimised(S cost, bool negated) {
  return negated ? T(0) - T(cost) : T(cost);
}

// By how much all column duals of the reduced costs move up, and the row duals down, so that none exceeds
// what leaving its row or column alone costs. Something left alone determines it. Where all are assigned the
// duals move as little as they can: small ones keep their digits.
template <class T>
T dual_shift(const Alone<T>& alone, const Reduction<T>& reduction, const T* row_dual, const T* col_dual,
             bool all_assigned) {
  constexpr T kFar = std::numeric_limits<T>::max();
  T least = -kFar, largest = kFar;
  for (int64_t i = 0; i < alone.rows; ++i)
    least = std::max(least, row_dual[i] + reduction.row_shift[i] - alone.row(i));
  for (int64_t j = 0; j < alone.cols; ++j)
    largest = std::min(largest, alone.col(j) - reduction.col_shift[j] - col_dual[j]);
  if (all_assigned) return std::max(std::min(T(0), largest), std::min(least, largest));
  return alone.rows <= alone.cols ? largest : least;
}

// Whether all duals are in the range of float64, and the gap.
struct Proved {
  bool holds = false;
  double gap = 0;
};

// The column of each row and the row of each column; -1 for what is left alone.
struct Pairing {
  Pairing(int64_t rows, int64_t cols) : rows_(rows), partner_(size_t(rows + cols), -1) {}

  void pair(int64_t i, int64_t j) {
    partner_[i] = int32_t(j);
    partner_[rows_ + j] = int32_t(i);
  }
  int32_t* col_of_row() { return partner_.data(); }
  int32_t col_of_row(int64_t i) const { return partner_[i]; }
  int32_t row_of_col(int64_t j) const { return partner_[rows_ + j]; }
  bool is_alone(int64_t j) const { return partner_[rows_ + j] < 0; }
  bool is_perfect() const {
    return std::all_of(partner_.begin(), partner_.end(), [](int32_t partner) { return partner >= 0; });
  }
  // After the columns of rows have changed.
  void find_rows_of_cols() {
    std::fill(partner_.begin() + rows_, partner_.end(), -1);
    for (int64_t i = 0; i < rows_; ++i)
      if (partner_[i] >= 0) partner_[rows_ + partner_[i]] = int32_t(i);
  }

 private:
  int64_t rows_;
  std::vector<int32_t> partner_;
};

// Shifts duals of reduced costs that were not rounded, which are at most the costs: rounded down they prove
// the costs themselves, and no cost need be read again. `paid(i)` is the cost of row i, paired or alone.
template <class Paid>
Proved prove_by_reduced(const Alone<double>& alone, double shift, const Pairing& pairing, const Paid& paid,
                        double* row_dual, double* col_dual) {
  ProofSums sums;
  for (int64_t j = 0; j < alone.cols; ++j) {
    col_dual[j] = std::min(difference_below(col_dual[j], -shift), alone.col(j));
    if (pairing.is_alone(j)) sums.add(alone.col(j), col_dual[j], 0.0);
  }
  for (int64_t i = 0; i < alone.rows; ++i) {
    row_dual[i] = std::min(difference_below(row_dual[i], shift), alone.row(i));
    const int32_t j = pairing.col_of_row(i);
    sums.add(paid(i), row_dual[i], j < 0 ? 0.0 : col_dual[j]);
  }
  const RealProof proof = sums.proof();
  return {proof.holds(), proof.gap};
}

// What the rows cost, and the columns left alone.
template <class S, class Paid>
TotalOf<S> total_cost(const Alone<DualOf<S>>& alone, const Pairing& pairing, const Paid& paid) {
  return total_of<S>(alone.rows + alone.cols, [&](int64_t k) {
    if (k < alone.rows) return paid(k);
    return pairing.is_alone(k - alone.rows) ? alone.col(k - alone.rows) : DualOf<S>(0);
  });
}

}  // namespace konig
