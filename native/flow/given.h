// The arrays of a caller, copied and checked in one pass over each.
#pragma once

#include <cstdint>

namespace konig {

// Copies ids. Returns the largest plus 1, or 0 if there are none, or -1 if one is negative or above 2^31 - 1.
template <class Given>
int64_t copy_ids(const Given* given, int64_t count, int32_t* copy);

// Copies capacities; false if one is negative.
template <class Given>
bool copy_capacities(const Given* given, int64_t count, int64_t* copy);

}  // namespace konig
