// Maximum flows and minimum cuts of grids: search trees alone, or first if the plan has a rule for them.
#pragma once

#include <cstdint>
#include <optional>

#include "core/run.h"
#include "flow/maximum_flow.h"

namespace konig {

// A grid of depth x height x width vertices; depth is 1 in the plane.
struct GridShape {
  int64_t depth, height, width;
  int64_t vertices() const { return depth * height * width; }
};

// Numbers by vertex of the grid. `neighbour` has an array for each direction, one after the other: those of
// the arcs that leave each vertex in that direction. What leads out of the grid is not read.
template <class Number>
struct GridArrays {
  Number* source = nullptr;
  Number* sink = nullptr;
  Number* neighbour = nullptr;
};

struct GridProblem {
  GridShape shape;
  int directions;  // 4 or 8 in the plane, 6 in space
  bool symmetric;  // then there are capacities of the first half of the directions only, for both ways
  GridArrays<const int64_t> capacity;
  GridArrays<const int64_t> start;  // a flow; null for none
  GridArrays<int64_t> flow;         // the answer
  uint8_t* source_side;
};

// Returns the value, or nothing if it is above 2^62: then there is no answer. A start that is no flow within
// the capacities is not used; "start_value" counts what it brings.
std::optional<int64_t> grid_flow(const FlowPlan& plan, const GridProblem& problem, Run& run);

}  // namespace konig
