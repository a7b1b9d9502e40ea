// Sweeps over whole arrays, by one thread or by several: the checks of lists, fills, and copies. They are
// compiled with the algorithms: the bindings, which call them, are compiled for size, and a check without
// vector instructions takes seven times as long.
#pragma once

#include <cstdint>

namespace konig {

// The first position whose value is not in [0, bound), or -1. Instantiated for int32_t and int64_t.
template <class Id>
int64_t first_out_of_range(const Id* values, int64_t count, int64_t bound, int threads = 1);

// The first position at which the offsets decrease, or -1. Instantiated for int32_t and int64_t.
template <class Offset>
int64_t first_decrease(const Offset* start, int64_t count, int threads = 1);

// Instantiated for int32_t and int64_t.
template <class T>
void fill(T* values, int64_t count, T value, int threads = 1);

// Copies integers into a wider type. Instantiated for those of 8 and 16 bits.
template <class Given>
void widen(const Given* values, int64_t count, int32_t* copy);

}  // namespace konig
