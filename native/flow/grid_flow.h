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

// Capacities by vertex of the grid. `neighbour` has `directions` arrays one after the other, the capacity of
// the arc that leaves each vertex in that direction; half as many if `symmetric`, for both ways. What leads
// out of the grid is not read.
struct GridProblem {
  GridShape shape;
  int directions;  // 4 or 8 in the plane, 6 in space
  bool symmetric;
  const int64_t* source;
  const int64_t* sink;
  const int64_t* neighbour;
};

// A flow to start from, laid out as the answer's; null for none.
struct GridStart {
  const int64_t* source_flow = nullptr;
  const int64_t* sink_flow = nullptr;
  const int64_t* flow = nullptr;
};

struct GridAnswer {
  int64_t* source_flow;
  int64_t* sink_flow;
  int64_t* flow;  // `directions` arrays
  uint8_t* source_side;
};

// Returns the value, or nothing if it is above 2^62: then there is no answer. A start that is no flow within
// the capacities is not used; "start_value" counts what it brings.
std::optional<int64_t> grid_flow(const FlowPlan& plan, const GridProblem& problem, const GridStart& start,
                                 const GridAnswer& answer, Run& run);

}  // namespace konig
