// From arcs to a maximum flow on them: the residual network that fits, the solver, and the way back.
#pragma once

#include <string_view>

#include "core/knobs.h"
#include "core/run.h"
#include "flow/arcs.h"

namespace konig {

// A flow to start from, one number per arc, not negative where arcs are directed; null for none. It need not
// keep to capacities nor balance.
using StartingFlow = const int64_t*;

struct FlowAnswer {
  int64_t* flow;       // one number per arc
  uint8_t* sink_side;  // one per vertex: 1 if it lies on the sink's side of the cut found
};

// Returns the value of the flow; counts the seconds of its parts as build_seconds and so on. Throws
// FlowOverflow if the value is above 2^62 and std::out_of_range if there is no such solver.
template <class Index>
int64_t maximum_flow(std::string_view solver, const Arcs<Index>& arcs, StartingFlow initial,
                     const FlowAnswer& answer, const Knobs& knobs, Run& run);

}  // namespace konig
