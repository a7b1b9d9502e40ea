// Exact arithmetic on the host: sums of many numbers, and scans that round down. See konig/exact.h.
#pragma once

#include <cfenv>
#include <cmath>
#include <limits>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "konig/exact.h"

namespace konig {

// A sum of reals with about twice the digits of a float64.
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

// While it lives, this thread rounds down. Only functions that the compiler does not inline may rely on it:
// it moves inlined arithmetic across the change of mode.
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
