// Images that come as arcs: lattices of four neighbours, whose vertices are numbered by rows.
#pragma once

#include <cstdint>
#include <optional>

#include "core/run.h"
#include "flow/lattice_network.h"
#include "flow/residual.h"

namespace konig {

using ArcLattice = LatticeNetwork<int32_t, uint32_t, 4>;

// The residual network of arcs in any order; nothing if they are not those of a lattice, or if their flow
// needs more than 32 bits.
std::optional<ArcLattice> lattice_of(const Arcs<int32_t>& arcs, const TerminalLinks& links, Run& run);

// As for networks with lists (arc_flows.h).
int64_t write_arc_flows(const Arcs<int32_t>& arcs, const ArcLattice& network, const TerminalLinks& links,
                        int64_t* flow, Run& run);

}  // namespace konig
