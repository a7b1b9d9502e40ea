// Images that come as arcs: lattices of four neighbours, whose vertices are numbered by rows.
#pragma once

#include <cstdint>
#include <optional>

#include "core/run.h"
#include "flow/maximum_flow.h"
#include "flow/residual.h"

namespace konig {

// The value, at most kTooLarge: if it is more there is no answer. Arcs come in any order. Nothing if they are
// not those of a lattice, or if their flow needs more than 32 bits: then neither the links nor the answer are
// changed. Otherwise the links hold their flows at the end.
std::optional<int64_t> flow_on_lattice(const FlowPlan& plan, const Arcs<int32_t>& arcs, TerminalLinks& links,
                                       const FlowAnswer& answer, Run& run);

}  // namespace konig
