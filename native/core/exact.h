// Float64 arithmetic whose rounding error is known: what proofs of real answers are made of.
//
// T. J. Dekker, A floating-point technique for extending the available precision, Numerische Mathematik 18
// (1971); D. E. Knuth, The Art of Computer Programming 2, 4.2.2: the error of a sum of two numbers is a
// number itself, and is found without asking which of the two is larger.
#pragma once

#include <cfenv>
#include <cmath>
#include <limits>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace konig {

// a + b = sum + error, exactly, unless the sum overflows.
struct TwoSum {
  double sum, error;
};
inline TwoSum two_sum(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

// a - b, rounded down; infinite if a is.
inline double difference_below(double a, double b) {
  const auto [sum, error] = two_sum(a, -b);
  if (std::isfinite(sum))
    return error < 0 ? std::nextafter(sum, -std::numeric_limits<double>::infinity()) : sum;
  return sum > 0 && std::isfinite(a) ? std::numeric_limits<double>::max() : sum;
}

// Real sums with about twice the digits of a float64.
class LongSum {
 public:
  void add(double x) {
    const auto [sum, error] = two_sum(sum_, x);
    rest_ += error;
    sum_ = sum;
  }
  double value() const { return std::isfinite(rest_) ? sum_ + rest_ : sum_; }
  // Not below the exact sum, where that is not negative.
  double bound() const {
    const double here = value();
    if (here <= 0) return 0;  // a NaN stays one
    return std::nextafter(here * (1 + 0x1p-48), std::numeric_limits<double>::infinity());
  }

 private:
  double sum_ = 0, rest_ = 0;
};

// While it lives, this thread rounds down. Only calls of functions that the compiler does not see through may
// rely on it: it takes arithmetic for free of side effects.
class RoundingDown {
 public:
#if defined(__x86_64__)
  RoundingDown() : before_(_mm_getcsr()) { _mm_setcsr((before_ & ~_MM_ROUND_MASK) | _MM_ROUND_DOWN); }
  ~RoundingDown() { _mm_setcsr(before_); }
#else
  RoundingDown() : before_(std::fegetround()) { std::fesetround(FE_DOWNWARD); }
  ~RoundingDown() { std::fesetround(before_); }
#endif
  RoundingDown(const RoundingDown&) = delete;
  RoundingDown& operator=(const RoundingDown&) = delete;

 private:
#if defined(__x86_64__)
  unsigned before_;
#else
  int before_;
#endif
};

}  // namespace konig
