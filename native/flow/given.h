// The arrays of a caller, copied and checked in one pass over each.
//
// Real capacities become whole numbers of a power of two; konig/flow/capacities.py gives the reasons. The
// unit is the largest that makes all capacities whole if the value of the flow then takes at most 53 binary
// digits. Otherwise it is the least for which that holds, and capacities are rounded down.
#pragma once

#include <cstdint>
#include <optional>

#include "flow/arcs.h"

namespace konig {

// Copies ids. Returns the largest plus 1, or 0 if there are none, or -1 if one is negative or above 2^31 - 1.
template <class Given>
int64_t copy_ids(const Given* given, int64_t count, int32_t* copy);

// Copies capacities; false if one is negative.
template <class Given>
bool copy_capacities(const Given* given, int64_t count, int64_t* copy);

// Exponents of the largest power of two that makes all finite capacities whole, and of the unit.
struct RealUnit {
  int finest, exponent;
};

// Counts capacities in units, rounded down, the largest int64 for what is beyond every flow; the unit is
// found, or has a given exponent. Nothing for negative numbers, NaN, and for numbers so large or so small
// that powers of two or sums of them are beyond float64.
std::optional<RealUnit> count_in_units(const double* capacity, int64_t count, std::optional<int> exponent,
                                       const Arcs<int32_t>& arcs, int64_t* units);

// The capacity of a cut: so many units, and what rounding took from its arcs, in units of 2^finest.
struct CutCapacity {
  int64_t units = 0;
  unsigned __int128 lost = 0;
};
// Nothing if that takes too many digits.
std::optional<CutCapacity> capacity_across(const double* capacity, const Arcs<int32_t>& arcs,
                                           const uint8_t* source_side, const RealUnit& unit, Run& run);

}  // namespace konig
