// Float64 arithmetic whose rounding error is known: what proofs of real answers are made of.
//
// T. J. Dekker, A floating-point technique for extending the available precision, Numerische Mathematik 18
// (1971); D. E. Knuth, The Art of Computer Programming 2, 4.2.2: the error of a sum of two numbers is a
// number itself, and is found without asking which of the two is larger.
#pragma once

#include "konig/bsp/atomic.h"

namespace konig {

// a + b = sum + error, exactly, unless the sum overflows.
struct TwoSum {
  double sum, error;
};
KONIG_FN TwoSum two_sum(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

// a - b, rounded down; infinite if a is.
KONIG_FN double difference_below(double a, double b) {
#if defined(__CUDACC__)
  return __dsub_rd(a, b);
#else
  const TwoSum difference = two_sum(a, -b);
  const double sum = difference.sum;
  if (__builtin_isfinite(sum)) return difference.error < 0 ? __builtin_nextafter(sum, -__builtin_inf()) : sum;
  return sum > 0 && __builtin_isfinite(a) ? __DBL_MAX__ : sum;
#endif
}

// ---- an assigned pair and its duals, minimising

// What it costs more than the sum of its duals.
KONIG_FN double excess_of(double cost, double row_dual, double col_dual) {
  const TwoSum slack = two_sum(cost, -col_dual), excess = two_sum(slack.sum, -row_dual);
  return excess.sum + (excess.error + slack.error);
}

// Whether that is no more than the rounding of these numbers: four units in the last place of the largest,
// one for each of them and one for good measure.
KONIG_FN bool is_tight(double excess, double cost, double row_dual, double col_dual) {
  const double of_cost = cost < 0 ? -cost : cost, of_row = row_dual < 0 ? -row_dual : row_dual,
               of_col = col_dual < 0 ? -col_dual : col_dual;
  const double of_duals = of_row > of_col ? of_row : of_col;
  const double largest = of_cost > of_duals ? of_cost : of_duals;
  return excess <= 4 * (0x1p-52 * largest + 4.9406564584124654e-324);
}

// ---- what a gap is compared with

// The largest gap with which an answer of float64 arithmetic is accepted, as a part of its size.
constexpr double kProvenGap = 1e-12;

// The size of an assignment: as many times the geometric mean of its |cost|, but for zeros, as there are of
// them; not above their sum. Unlike the sum it is not that of a few forbiddingly dear pairs among them, which
// would hide what the others cost. Means are those of binary exponents, rounded down.
struct Size {
  KONIG_FN void add(double cost) {
    if (cost == 0) return;
    int exponent;
#if defined(__CUDACC__)
    exponent = ilogb(cost);
#else
    exponent = __builtin_ilogb(cost);
#endif
    exponents += exponent;
    ++count;
  }
  KONIG_FN double value() const {
    if (count == 0) return 0;
    const long long mean = exponents / count - (exponents % count < 0 ? 1 : 0);
#if defined(__CUDACC__)
    return ldexp(double(count), int(mean));
#else
    return __builtin_ldexp(double(count), int(mean));
#endif
  }

  long long exponents = 0, count = 0;
};

}  // namespace konig
