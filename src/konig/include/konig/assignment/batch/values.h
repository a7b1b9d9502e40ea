// The whole numbers that stand for the costs of one problem of a batch; costs.h says what they mean. What
// konig/assignment/integers.py does for a single problem on the host is done here by the group.
#pragma once

#include "konig/assignment/costs.h"

namespace konig::batch {

using assignment::kInfinite;
using assignment::kOut;
using assignment::kReach;
using assignment::kValueBits;
using assignment::RealScale;
using assignment::Tile;

template <class Cost>
struct IsReal {
  static constexpr bool value = Cost(0.5) != Cost(0);
};

// A double in the words of an integer array, and back.
KONIG_FN long long bits_of(double x) {
#if defined(__CUDACC__)
  return __double_as_longlong(x);
#else
  long long bits;
  __builtin_memcpy(&bits, &x, sizeof x);
  return bits;
#endif
}

KONIG_FN double double_of(long long bits) {
#if defined(__CUDACC__)
  return __longlong_as_double(bits);
#else
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
#endif
}

// The cost that forbids a pair, or the worst integer: every cost is at least as good.
template <class Cost>
KONIG_FN Cost worst_cost(bool maximize) {
  if constexpr (IsReal<Cost>::value) {
    const Cost infinity = Cost(double_of(0x7ff0000000000000LL));
    return maximize ? -infinity : infinity;
  } else {
    constexpr Cost kGreatest = Cost(~(1ULL << (8 * sizeof(Cost) - 1)));
    return maximize ? Cost(-kGreatest - 1) : kGreatest;
  }
}

template <class Cost>
KONIG_FN bool is_finite(Cost cost) {
  if constexpr (IsReal<Cost>::value)
    return cost - cost == Cost(0);
  else
    return true;
}

// NaN, an infinity that forbids nothing, or the least integer of 64 bits.
template <class Cost>
KONIG_FN bool is_bad(Cost cost, bool maximize) {
  if constexpr (IsReal<Cost>::value)
    return !is_finite(cost) && !(maximize ? cost < Cost(0) : cost > Cost(0));
  else
    return sizeof(Cost) == 8 && cost == worst_cost<Cost>(true);
}

KONIG_FN int exponent_of(double x) {
  int exponent = 0;
#if defined(__CUDACC__)
  frexp(x, &exponent);
#else
  __builtin_frexp(x, &exponent);
#endif
  return exponent;
}

KONIG_FN double power_of_two(int exponent) {
#if defined(__CUDACC__)
  return ldexp(1.0, exponent);
#else
  return __builtin_ldexp(1.0, exponent);
#endif
}

KONIG_FN int bit_length(long long count) {
  int bits = 0;
  for (; count > 0; count >>= 1) ++bits;
  return bits;
}

// Where all costs are within a factor of two of each other, subtracting one of them is exact, and the bits
// are spent on their differences.
KONIG_FN RealScale real_scale(double least, double greatest, int rows, bool maximize) {
  constexpr int kSmallest = -1074;  // the exponent of the least positive double
  const double largest = -least > greatest ? -least : greatest;
  const double spread = greatest - least;
  const bool close = spread <= largest / 2;
  const int exponent = close ? exponent_of(spread) : exponent_of(largest) + 1;
  int power = kValueBits - bit_length(2LL * rows + 4) - exponent;
  power = power < -kSmallest ? power : -kSmallest;
  if (!(spread > 0)) power = 0;
  const int half = power >> 1;
  const double first = power_of_two(half);
  return {close ? (maximize ? greatest : least) : 0.0, maximize ? -first : first, power_of_two(power - half)};
}

// Whether the sums along a path stay below kReach.
template <class Cost>
KONIG_FN bool in_reach(Cost least, Cost greatest, int rows) {
  if constexpr (IsReal<Cost>::value) {
    return true;
  } else {
    const unsigned long long spread =
        (unsigned long long)(long long)greatest - (unsigned long long)(long long)least;
    return spread <= (unsigned long long)(kReach - 1) / (2ULL * rows + 4);
  }
}

template <class Cost>
KONIG_FN Tile<Cost> tile_of(const Cost* entry, long long stride, Cost least, Cost greatest, int rows,
                            bool maximize) {
  if constexpr (IsReal<Cost>::value)
    return {{entry, stride, real_scale(double(least), double(greatest), rows, maximize)}};
  else
    return {entry, stride, (long long)(maximize ? greatest : least), maximize ? -1 : 0};
}

// count * base + rest as a word of 64 bits; false where it does not fit (the least of them counts as too
// large).
KONIG_FN bool total_of(long long count, long long base, long long rest, long long& total) {
#if defined(__CUDACC__)
  const unsigned long long low = (unsigned long long)count * (unsigned long long)base;
  const unsigned long long sum = low + (unsigned long long)rest;
  const long long high = __mul64hi(count, base) + (rest < 0 ? -1 : 0) + (sum < low ? 1 : 0);
  total = (long long)sum;
  return high == (total < 0 ? -1 : 0) && sum != (1ULL << 63);
#else
  const __int128 sum = __int128(count) * base + rest;
  total = (long long)(sum);
  return sum == total && sum != -0x7fffffffffffffffLL - 1;
#endif
}

}  // namespace konig::batch
