// A grid as a residual network, without lists of arcs: a vertex has a slot for each direction, and heads and
// mates are arithmetic. A border of vertices without capacities surrounds the grid, so that no step leaves
// memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/large_array.h"
#include "core/run.h"
#include "sequential/flow/terminal_links.h"

namespace konig {

// A grid of depth x height x width vertices; depth is 1 in the plane. Direction k + Directions / 2 is
// opposite to k.
struct GridShape {
  int64_t depth, height, width;
  int64_t vertices() const { return depth * height * width; }
};

// The steps (z, y, x) of the first half of the directions.
template <int Directions>
constexpr std::array<std::array<int, 3>, Directions / 2> grid_steps() {
  if constexpr (Directions == 4)
    return {{{0, 0, 1}, {0, 1, 0}}};
  else if constexpr (Directions == 6)
    return {{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}};
  else
    return {{{0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {0, 1, -1}}};
}

template <class IndexType, class CapacityType, int Directions>
struct GridNetwork {
  using Index = IndexType;
  using Capacity = CapacityType;
  static constexpr Index kHalf = Directions / 2;
  static constexpr bool kSolid = Directions == 6;

  explicit GridNetwork(const GridShape& grid_shape)
      : shape(grid_shape),
        row(grid_shape.width + 2),
        plane(row * (grid_shape.height + 2)),
        vertices(Index(plane * (kSolid ? grid_shape.depth + 2 : 1))),
        slots(size_t(vertices) * Directions, 0),
        source_left(size_t(vertices), 0),
        source_used(size_t(vertices), 0),
        sink_left(size_t(vertices), 0),
        sink_used(size_t(vertices), 0) {
    constexpr auto steps = grid_steps<Directions>();
    for (int k = 0; k < kHalf; ++k) {
      const auto& [z, y, x] = steps[k];
      step[k] = Index(z * plane + y * row + x);
      step[k + kHalf] = -step[k];
    }
  }

  // Where vertex (z, y, 0) of the grid is.
  Index place(int64_t z, int64_t y) const { return Index((kSolid ? z + 1 : 0) * plane + (y + 1) * row + 1); }

  Index first(Index v) const { return v * Directions; }
  Index last(Index v) const { return (v + 1) * Directions; }
  Index head(Index slot) const { return slot / Directions + step[slot % Directions]; }
  Index mate(Index slot) const {
    const Index k = slot % Directions;
    return slot + step[k] * Directions + (k < kHalf ? kHalf : -kHalf);
  }
  Capacity residual(Index slot) const { return slots[slot]; }
  Capacity opposite(Index slot) const { return slots[mate(slot)]; }
  void push(Index slot, Capacity amount) {
    slots[slot] -= amount;
    slots[mate(slot)] += amount;
  }

  GridShape shape;
  int64_t row, plane;
  Index vertices;
  std::array<Index, Directions> step;
  LargeArray<Capacity> slots;
  LargeArray<int64_t> source_left, source_used, sink_left, sink_used;
};

}  // namespace konig
