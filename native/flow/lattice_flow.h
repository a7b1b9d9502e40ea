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
  bool maximum;  // false if the steps ran out: then the flow is one, and the cut is not filled in
};

// Nothing if the arcs, which come in any order, are not those of a lattice, or if their flow needs more than
// 32 bits; then neither the links nor the answer are touched. Else the links are used up. Gives up after so
// many steps per vertex and slot.
std::optional<LatticeFlow> flow_on_lattice(const Arcs<int32_t>& arcs, TerminalLinks& links,
                                           double steps_per_item, const FlowAnswer& answer, Run& run);

}  // namespace konig
