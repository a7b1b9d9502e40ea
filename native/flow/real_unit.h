// Real capacities as whole numbers of a power of two; konig/flow/capacities.py gives the reasons.
//
// The unit is the largest that makes all capacities whole if the value of the flow then takes at most 53
// binary digits. Otherwise it is the least for which that holds, and capacities are rounded down.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "flow/arcs.h"

namespace konig {

// Exponents of the largest power of two that makes all finite capacities whole, and of the unit.
struct RealUnit {
  int finest, exponent;
};

inline constexpr int kDoubleDigits = 53;

// A bound on the value: what links of a terminal let through is no more than what their vertices pass on.
template <class Index>
double bound_on_value(const double* capacity, const Arcs<Index>& arcs, double all_finite) {
  struct Sums {
    double supply, demand, leaving, entering;
  };
  std::vector<Sums> at(size_t(arcs.vertices), Sums{0, 0, 0, 0});
  Run run;
  arcs.for_each(run, [&](Index a, Index u, Index v) {
    if (arcs.role[u] == Role::kSource) at[v].supply += capacity[a];
    if (arcs.role[v] == Role::kSink) at[u].demand += capacity[a];
    at[u].leaving += capacity[a];
    at[v].entering += capacity[a];
  });
  const double kUnbounded = std::numeric_limits<double>::infinity();
  double supply = 0, demand = 0;
  for (Index v = 0; v < arcs.vertices; ++v) {
    if (arcs.role[v] != Role::kSource)
      supply += std::min(at[v].supply, arcs.role[v] == Role::kSink ? kUnbounded : at[v].leaving);
    if (arcs.role[v] != Role::kSink)
      demand += std::min(at[v].demand, arcs.role[v] == Role::kSource ? kUnbounded : at[v].entering);
  }
  constexpr double kRounding = 1 + 0x1p-20;  // more than sums of so many numbers can be off
  return std::min({supply, demand, all_finite}) * kRounding;
}

// The unit, or one of a given exponent. Nothing for negative numbers, NaN, and for numbers so large or so
// small that powers of two or sums of them are beyond float64.
template <class Index>
std::optional<RealUnit> real_unit(const double* capacity, int64_t count, std::optional<int> exponent,
                                  const Arcs<Index>& arcs) {
  constexpr double kLargest = 0x1p900;
  constexpr int kSmallest = -900;
  int finest = std::numeric_limits<int>::max();
  double all_finite = 0, largest = 0;
  bool valid = true;
  for (int64_t k = 0; k < count; ++k) {
    const double x = capacity[k];
    valid &= x >= 0;
    if (!(x > 0) || x == std::numeric_limits<double>::infinity()) continue;
    const auto bits = std::bit_cast<uint64_t>(x);
    const int field = int(bits >> 52);
    const uint64_t mantissa = (bits & ((uint64_t(1) << 52) - 1)) | (uint64_t(field > 0) << 52);
    finest = std::min(finest, std::max(field, 1) - 1075 + std::countr_zero(mantissa));
    all_finite += x;
    largest = std::max(largest, x);
  }
  if (!valid || largest > kLargest || all_finite > kLargest) return {};
  if (finest == std::numeric_limits<int>::max()) finest = 0;
  if (finest < kSmallest) return {};
  if (exponent) return RealUnit{finest, *exponent};
  constexpr double kMost = 0x1p52;  // with room for what sums are off by
  if (std::ldexp(all_finite, -finest) <= kMost) return RealUnit{finest, finest};
  const double bound = bound_on_value(capacity, arcs, all_finite);
  if (bound == 0) return RealUnit{finest, finest};
  int digits = 0;
  std::frexp(bound, &digits);
  return RealUnit{finest, std::max(finest, digits - kDoubleDigits)};
}

// Rounds down to units; the largest int64 for what is beyond every flow.
inline void count_in_units(const double* capacity, int64_t count, int exponent, int64_t* units) {
  const double per_unit = std::ldexp(1.0, -exponent);
  for (int64_t k = 0; k < count; ++k) {
    const double scaled = capacity[k] * per_unit;
    units[k] = scaled < 0x1p63 ? int64_t(scaled) : std::numeric_limits<int64_t>::max();
  }
}

}  // namespace konig
