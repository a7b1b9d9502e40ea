// Residual networks of lattices: every arc leads from v to v + step for one of a few steps, or back. A number
// for each vertex and direction is all there is; heads and reverse arcs are arithmetic. Images and volumes
// are such networks. A margin of vertices without capacities at both ends keeps all steps in memory; where a
// row ends the step on leads to the next one, with no capacity.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "core/large_array.h"

namespace konig {

// Direction k + Directions / 2 is opposite to k.
template <class IndexType, class CapacityType, int Directions>
struct LatticeNetwork {
  using Index = IndexType;
  using Capacity = CapacityType;  // unsigned, and twice the bound fits
  static constexpr int kDirections = Directions;
  static constexpr Index kHalf = Directions / 2;
  using Steps = std::array<Index, Directions / 2>;

  // The capacities of the source's and the sink's links, by place, are lowered to the bound.
  LatticeNetwork(Index places, const Steps& steps, const int64_t* source, const int64_t* sink, int64_t bound)
      : margin(largest_of(steps)),
        vertices(places + 2 * margin),
        slots(size_t(vertices) * Directions, 0),
        places_(places),
        source_(source),
        sink_(sink),
        bound_(bound) {
    for (Index k = 0; k < kHalf; ++k) {
      step[k] = steps[k];
      step[k + kHalf] = -steps[k];
    }
  }

  // The residual capacity from the source to v less that from v to the sink.
  int64_t link(Index v) const {
    const Index place = v - margin;
    if (place < 0 || place >= places_) return 0;
    return std::min(source_[place], bound_) - std::min(sink_[place], bound_);
  }
  // The flows on both links of v where trees left link(v) at `left`.
  int64_t source_flow(Index v, int64_t left) const {
    return std::min(source_[v - margin], bound_) - std::max<int64_t>(left, 0);
  }
  int64_t sink_flow(Index v, int64_t left) const {
    return std::min(sink_[v - margin], bound_) - std::max<int64_t>(-left, 0);
  }

  Index first(Index v) const { return v * Directions; }
  Index last(Index v) const { return (v + 1) * Directions; }
  Index head(Index slot) const { return slot / Directions + step[slot % Directions]; }
  Index reverse(Index slot) const {
    const Index k = slot % Directions;
    return slot + step[k] * Directions + (k < kHalf ? kHalf : -kHalf);
  }
  Capacity residual(Index slot) const { return slots[slot]; }
  Capacity opposite(Index slot) const { return slots[reverse(slot)]; }
  void push(Index slot, Capacity amount) {
    slots[slot] -= amount;
    slots[reverse(slot)] += amount;
  }

  // Whether the index type can number the slots of so many places.
  static bool fits(int64_t places, int64_t largest_step) {
    return (double(places) + 2 * double(largest_step)) * Directions <
           double(std::numeric_limits<Index>::max() - 2 * Directions);
  }

  Index margin;    // vertex v of the lattice is at v + margin
  Index vertices;  // the margins included
  std::array<Index, Directions> step;
  LargeArray<Capacity> slots;

 private:
  Index places_;
  const int64_t *source_, *sink_;
  int64_t bound_;

  static Index largest_of(const Steps& steps) {
    Index largest = 0;
    for (const Index step : steps) largest = std::max(largest, step < 0 ? -step : step);
    return largest;
  }
};

}  // namespace konig
