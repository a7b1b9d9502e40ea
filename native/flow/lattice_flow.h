// Search trees on networks that are lattices, though they come as arcs: images, above all.
#pragma once

#include <cstdint>
#include <optional>

#include "core/run.h"
#include "flow/maximum_flow.h"
#include "flow/residual.h"

namespace konig {

inline constexpr double kNeverGiveUp = 1e18;

struct LatticeFlow {
  int64_t value;
  bool maximum;  // false if patience ran out: then the flow is one, and the cut is not filled in
};

// Nothing if the arcs are not those of a lattice; then neither the links nor the answer are touched. Else the
// links are used up. Arcs may come in any order. Gives up after so many steps per vertex and slot.
template <class Index>
std::optional<LatticeFlow> flow_on_lattice(const Arcs<Index>& arcs, TerminalLinks& links, double patience,
                                           const FlowAnswer& answer, Run& run);

}  // namespace konig
