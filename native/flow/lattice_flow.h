// Search trees on images that come as arcs: lattices of four neighbours, whose vertices are numbered by rows.
#pragma once

#include <cstdint>
#include <optional>

#include "core/run.h"
#include "flow/maximum_flow.h"
#include "flow/residual.h"

namespace konig {

struct LatticeFlow {
  int64_t value;
  bool maximum;  // false if the steps ran out: then the flow is feasible, and the cut means nothing
};

// Arcs come in any order. Nothing if they are not those of a lattice, or if their flow needs more than 32
// bits: then neither the links nor the answer are changed. Otherwise the links hold their flows at the end.
// Gives up after `steps_per_item` steps per vertex and slot.
std::optional<LatticeFlow> flow_on_lattice(const Arcs<int32_t>& arcs, TerminalLinks& links,
                                           double steps_per_item, const FlowAnswer& answer, Run& run);

}  // namespace konig
