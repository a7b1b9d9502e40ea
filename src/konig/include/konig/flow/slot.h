// The layout of a residual network that pairing.h makes and the methods without terminals' lists solve: two
// neighbours share a pair of slots, whatever the number of arcs between them. Slots lie by owner.
#pragma once

#include "konig/bsp/atomic.h"

namespace konig::paired_flow {

// One direction of a pair of neighbours as its owner sees it; `mate` is the slot of the other direction.
template <class Id, class Amount>
struct alignas(2 * sizeof(Amount) < 16 ? 2 * sizeof(Id) + 2 * sizeof(Amount) : 8) Slot {
  Id other;
  Id mate;
  Amount out;  // residual capacity to the other
  Amount in;   // and from it: what the mate has as `out`
};

// Amounts are words read without a sign: with both arcs of a pair at 2^62 a residual capacity of 2^63 occurs.
template <class Amount>
KONIG_FN Amount least(Amount a, Amount b) {
  return (unsigned long long)a < (unsigned long long)b ? a : b;
}
template <class Amount>
KONIG_FN Amount sum_of(Amount a, Amount b) {
  return Amount((unsigned long long)a + (unsigned long long)b);
}

}  // namespace konig::paired_flow
