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
  double value() const { return is_long() ? sum_ + rest_ : sum_; }
  bool is_long() const { return std::isfinite(rest_); }  // otherwise something overflowed on the way
  // Not below the exact sum, where that is not negative.
  double bound() const {
    const double here = value();
    if (here <= 0) return 0;  // a NaN stays one
    return std::nextafter(here * (1 + 0x1p-48), std::numeric_limits<double>::infinity());
  }

 private:
  double sum_ = 0, rest_ = 0;
};

// The smallest of some differences a - b, rounded down: as difference_below of each, but only the smallest is
// rounded. Rounding to the nearest keeps the order of differences, so that of those which are smallest then
// one may be below that number, and no other difference is. Without branches, which could not be predicted.
class LowestDifference {
 public:
  explicit LowestDifference(double start) : least_(start) {}  // or the start, if that is less

  void see(double a, double b) {
    const TwoSum difference = two_sum(a, -b);
    const int lower = difference.sum < least_, equal = difference.sum == least_;
    const int below = difference.error < 0;
    overflows_ |= int(difference.sum > kLargest) & int(a <= kLargest);
    is_below_ = (lower & below) | (~lower & 1 & (is_below_ | (equal & below)));
    least_ = lower ? difference.sum : least_;
  }
  double value() const {
    if (!(least_ <= kLargest)) return overflows_ ? kLargest : least_;
    return is_below_ ? std::nextafter(least_, -std::numeric_limits<double>::infinity()) : least_;
  }

 private:
  static constexpr double kLargest = std::numeric_limits<double>::max();

  double least_;
  int is_below_ = 0;   // the exact difference is below the number
  int overflows_ = 0;  // a finite difference does not fit float64
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
