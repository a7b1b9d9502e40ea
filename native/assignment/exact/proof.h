// What proves an assignment of real costs in float64, and when that is enough.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/exact.h"

namespace konig {

struct RealProof {
  double gap = 0;
  double size = 0;       // of the assigned costs (konig/exact.h)
  double sum = 0;        // of their moduli
  double rounding = 0;   // units in the last place of the duals of all pairs
  bool is_tight = true;  // whether every assigned pair is

  bool holds() const { return is_tight && (gap <= kProvenGap * size || is_due_to_rounding()); }

 private:
  // Exact duals leave as much when they are rounded. So it is where costs are of many scales, as squared
  // distances between clusters are: duals are larger than most costs. Duals on the scale of a prohibitive
  // cost are another matter: then smaller ones are to be found.
  bool is_due_to_rounding() const {
    return gap <= rounding && gap <= kProvenGap * sum && rounding <= kLargestRounding * size;
  }
  static constexpr double kLargestRounding = 1e-9;
};

// Pairs and rows or columns left alone, one after the other, with their duals; 0 is none.
class ProofSums {
 public:
  void add(double cost, double row_dual, double col_dual) {
    add_pair(cost, row_dual, col_dual);
    add_rounding(cost, row_dual, col_dual);
  }
  // The same in two parts; without the second a proof may fail to hold, but no proof holds that should not.
  void add_pair(double cost, double row_dual, double col_dual) {
    const double excess = finite_excess(cost, row_dual, col_dual);
    gap_.add(excess);
    add_exponent(cost);
    // Not of more than one unit; is_tight adds subnormal numbers, and takes 100 cycles where all are 0.
    const double largest = std::max({std::abs(cost), std::abs(row_dual), std::abs(col_dual)});
    if (!(excess <= 0x1p-52 * largest)) tight_ &= is_tight(excess, cost, row_dual, col_dual);
  }
  void add_rounding(double cost, double row_dual, double col_dual) {
    sum_ += std::abs(cost);
    rounding_ += last_place(row_dual) + last_place(col_dual);
  }
  RealProof proof() const { return {gap_.bound(), size_.value(), sum_, rounding_, tight_}; }

  // excess_of, but if a sum overflows on the way, it is formed from quarters, and one least number is added
  // for the digits that those lose. Infinite or NaN only if the row's dual, cost - col or the excess does not
  // fit float64.
  static double finite_excess(double cost, double row, double col) {
    const double excess = excess_of(cost, row, col);
    if (std::isfinite(excess) || !std::isfinite(cost - col)) [[likely]]
      return excess;
    return 4 * (excess_of(cost / 4, row / 4, col / 4) + 0x1p-1074);
  }

 private:
  static constexpr int64_t kBias = 1023, kSpecial = 2047;

  static int64_t exponent_bits(double x) { return (std::bit_cast<int64_t>(x) >> 52) & kSpecial; }

  // The unit in the last place.
  static double last_place(double x) { return 0x1p-52 * std::bit_cast<double>(exponent_bits(x) << 52); }

  // size_.add(cost), without a call for numbers whose exponent is in their bits.
  void add_exponent(double cost) {
    const int64_t exponent = exponent_bits(cost);
    if (exponent == 0 || exponent == kSpecial) return size_.add(cost);
    size_.exponents += exponent - kBias;
    ++size_.count;
  }

  LongSum gap_;
  Size size_;
  double sum_ = 0, rounding_ = 0;
  bool tight_ = true;
};

// The proof of pairs by their costs and duals, those of the columns by `col_dual(i)` for row i. Columns
// without a row have dual 0. What only rounding could excuse is summed up where it is needed.
template <class ColDual>
RealProof prove_pairs(int64_t rows, const double* cost, const double* row_dual, const ColDual& col_dual) {
  ProofSums sums;
  for (int64_t i = 0; i < rows; ++i) sums.add_pair(cost[i], row_dual[i], col_dual(i));
  if (const RealProof proof = sums.proof(); proof.holds()) return proof;
  for (int64_t i = 0; i < rows; ++i) sums.add_rounding(cost[i], row_dual[i], col_dual(i));
  return sums.proof();
}

}  // namespace konig
