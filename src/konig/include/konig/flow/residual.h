// The residual network that all methods but those of Hsieh, Lin and Kuo work on; build.h makes it.
//
// Terminals are not in it: what a vertex gets from the sources and may give to the sinks is a number at the
// vertex. All arcs between two other vertices, parallel and antiparallel, share two slots, one in the list of
// each end; they carry net flow, so no answer uses both directions. The slots of a vertex are contiguous.
// Each slot knows its reverse and repeats that one's residual capacity, so that searches against the arcs
// read memory in order too.
//
// Invariant: slots[s].in == slots[slots[s].reverse].out, and the sum of both never changes.
#pragma once

#include "konig/bsp/atomic.h"

namespace konig::residual {

template <class Id, class Amount>
struct alignas(2 * sizeof(Amount) < 16 ? 2 * sizeof(Id) + 2 * sizeof(Amount) : 8) Slot {
  Id other;    // the end that is not the owner
  Id reverse;  // the slot of the other direction, in the list of the other end
  Amount out;  // residual capacity to the other
  Amount in;   // and from it
};

// Amounts are words read without a sign: with both arcs of a slot at 2^62 a residual capacity of 2^63 occurs.
template <class Amount>
KONIG_FN Amount least(Amount a, Amount b) {
  return (unsigned long long)a < (unsigned long long)b ? a : b;
}
template <class Amount>
KONIG_FN Amount sum_of(Amount a, Amount b) {
  return Amount((unsigned long long)a + (unsigned long long)b);
}
template <class Amount>
KONIG_FN Amount difference_of(Amount a, Amount b) {
  return Amount((unsigned long long)a - (unsigned long long)b);
}

// Takes up to `most` of what is there.
template <class T>
KONIG_FN T take(T* place, T most) {
  for (T seen = bsp::load(place);;) {
    if (seen == 0) return 0;
    const T amount = least(seen, most);
    const T found = bsp::compare_exchange(place, seen, difference_of(seen, amount));
    if (found == seen) return amount;
    seen = found;
  }
}

}  // namespace konig::residual
