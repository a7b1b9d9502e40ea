// Float64 numbers as integers: multiples of a power of two.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "assignment/scans/dense_scans.h"
#include "core/exact.h"
#include "core/wide_integer.h"

namespace konig {

template <int kWords>
struct Bounds<WideInteger<kWords>> {
  static constexpr WideInteger<kWords> infinity = WideInteger<kWords>(1) << (64 * kWords - 3);
};

// Holds any sum of float64 numbers, as a multiple of the least of them.
using Widest = WideInteger<36>;

// Thrown where a number is no multiple of a grid's unit, or too many of them: wider integers hold it.
struct GridTooCoarse {};

// The multiples of 2^exponent, as integers of a type T that holds a few times 2^kBits.
template <class T>
class Grid {
 public:
  static constexpr bool kHoldsAll = std::is_same_v<T, Widest>;
  static constexpr int kBits = sizeof(T) == 8 ? 57 : 120;

  // Numbers up to `largest` fit, times two to the power of `spare_bits`.
  explicit Grid(double largest, int spare_bits = 0)
      : exponent_(kHoldsAll     ? kLeast
                  : largest > 0 ? std::max(std::ilogb(largest) + 1 + spare_bits - kBits, -1000)
                                : 0),
        units_(std::ldexp(1.0, kHoldsAll ? 0 : -exponent_)) {}

  T at(double x) const {
    if (x == 0) return T(0);
    const auto bits = std::bit_cast<uint64_t>(x);
    const int biased = int(bits >> 52) & 0x7ff;  // 0 for numbers below the least normal one
    const auto mantissa = int64_t((bits & 0xfffffffffffff) | uint64_t(biased > 0) << 52);
    const int shift = std::max(biased, 1) - 1075 - exponent_;
    const T size = shift >= 0 ? shifted_up(mantissa, shift) : T(shifted_down(mantissa, -shift));
    return x < 0 ? -size : size;
  }

  // Rounded down; it fits.
  T at_most(double x) const {
    if constexpr (kHoldsAll) return at(x);
    return T(std::floor(x * units_));
  }

  // a - b - c. Each of the parts that the two roundings split the difference into must be on the grid.
  T difference(double a, double b, double c) const {
    if constexpr (kHoldsAll) {
      return at(a) - at(b) - at(c);
    } else {
      const TwoSum first = two_sum(a, -b), second = two_sum(first.sum, -c);
      return at(second.sum) + at(second.error) + at(first.error);
    }
  }

  // Rounded down.
  double below(const T& x) const {
    // No more bits than a float64 of this size has: 53, or fewer above the least of all.
    const int dropped = std::max({bits_of(x) - 53, kLeast - exponent_, 0});
    return std::ldexp(double(low_word(x >> dropped)), exponent_ + dropped);
  }
  // To the nearest.
  double nearest(const T& x) const {
    const int dropped = std::max(bits_of(x) - 53, kLeast - exponent_);
    return dropped > 0 ? below(x + (T(1) << (dropped - 1))) : below(x);
  }
  // Rounded up, perhaps by more than need be.
  double above(const T& x) const { return -below(-x); }

  // As a multiple of the least float64 of all, and the other way round.
  Widest exactly(const T& x) const {
    if constexpr (kHoldsAll) {
      return x;
    } else {
      Widest wide(x < 0 ? -1 : 0);
      wide.word[0] = uint64_t(x);
      if constexpr (sizeof(T) > 8) wide.word[1] = uint64_t(x >> 64);
      return wide << (exponent_ - kLeast);
    }
  }
  T of(const Widest& x) const {
    if constexpr (kHoldsAll) {
      return x;
    } else {
      const Widest units = x >> (exponent_ - kLeast);
      if (units << (exponent_ - kLeast) != x || units.bits() > kBits + 3) throw GridTooCoarse();
      return T((unsigned __int128)(units.word[1]) << 64 | units.word[0]);
    }
  }

  // start + x, rounded down.
  double moved_below(double start, const T& x) const {
    if constexpr (kHoldsAll) {
      return below(at(start) + x);
    } else {
      const double most = below(x);
      const TwoSum sum = two_sum(start, most);
      const TwoSum rounded = two_sum(sum.sum, sum.error + below(x - T(most * units_)));
      return rounded.error < 0 ? std::nextafter(rounded.sum, -std::numeric_limits<double>::infinity())
                               : rounded.sum;
    }
  }

 private:
  static constexpr int kLeast = -1074;

  static T shifted_up(int64_t mantissa, int shift) {
    if (!kHoldsAll && shift + 53 > kBits + 3) throw GridTooCoarse();
    return T(mantissa) << shift;
  }
  static int64_t shifted_down(int64_t mantissa, int shift) {
    if (!kHoldsAll && shift > std::countr_zero(uint64_t(mantissa))) throw GridTooCoarse();
    return mantissa >> shift;  // there are no bits below the unit
  }

  static int bits_of(const Widest& x) { return x.bits(); }
  static int bits_of(int128 x) {
    const auto size = x < 0 ? -(unsigned __int128)(x) : (unsigned __int128)(x);
    const auto high = uint64_t(size >> 64);
    return high ? 64 + std::bit_width(high) : std::bit_width(uint64_t(size));
  }
  static int64_t low_word(const Widest& x) { return int64_t(x.word[0]); }
  static int64_t low_word(int128 x) { return int64_t(x); }

  int exponent_;
  double units_;  // of 1
};

}  // namespace konig
