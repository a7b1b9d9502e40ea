// Residual networks of lattices: every arc leads from v to v + step for one of a few steps, or back. A number
// for each vertex and direction is all there is; heads and reverse arcs are arithmetic. Images and volumes
// are such networks. A margin of vertices without capacities at both ends keeps all steps in memory; where a
// row ends the step on leads to the next one, with no capacity.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/large_array.h"

namespace konig {

// Directions come by increasing step, as the slots of lists come by increasing head: the last direction is
// opposite to the first, and so on.
template <class IndexType, class CapacityType, int Directions>
struct LatticeNetwork {
  using Index = IndexType;
  using Capacity = CapacityType;  // unsigned, and twice the bound fits
  static constexpr int kDirections = Directions;
  static constexpr Index kHalf = Directions / 2;
  using Steps = std::array<Index, Directions / 2>;
  using Place = std::make_unsigned_t<Index>;  // slots are not negative, and divided faster without a sign

  // `positive` are the steps of one half of the directions.
  LatticeNetwork(Index places, const Steps& positive)
      : margin(*std::max_element(positive.begin(), positive.end())),
        vertices(places + 2 * margin),
        slots(size_t(vertices) * Directions, 0),
        balance(size_t(vertices), 0),
        source_side(size_t(vertices)) {
    Steps sorted = positive;
    std::sort(sorted.begin(), sorted.end());
    for (Index k = 0; k < kHalf; ++k) {
      step[kHalf + k] = sorted[k];
      step[kHalf - 1 - k] = -sorted[k];
    }
    for (Index k = 0; k < Directions; ++k) to_reverse[k] = step[k] * Directions + (Directions - 1 - 2 * k);
  }

  Index at(Index v) const { return v + margin; }  // where vertex v of the lattice is
  Index first(Index v) const { return v * Directions; }
  Index last(Index v) const { return (v + 1) * Directions; }
  Index head(Index slot) const { return Index(Place(slot) / Directions) + step[Place(slot) % Directions]; }
  Index reverse(Index slot) const { return slot + to_reverse[Place(slot) % Directions]; }
  Capacity residual(Index slot) const { return slots[slot]; }
  Capacity opposite(Index slot) const { return slots[reverse(slot)]; }
  Index slot_count() const { return vertices * Directions; }
  void push(Index slot, Capacity amount) {
    slots[slot] -= amount;
    slots[reverse(slot)] += amount;
  }

  // Whether the index type can number the slots of so many places.
  static bool fits(int64_t places, int64_t largest_step) {
    return (double(places) + 2 * double(largest_step)) * Directions <
           double(std::numeric_limits<Index>::max() - 2 * Directions);
  }

  Index margin;
  Index vertices;                            // the margins included
  std::array<Index, Directions> step;        // to the head of an arc
  std::array<Index, Directions> to_reverse;  // from a slot to its reverse
  LargeArray<Capacity> slots;
  LargeArray<int64_t> balance;
  LargeArray<uint8_t> source_side;
};

}  // namespace konig
