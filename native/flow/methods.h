// The table of native flow solvers: the one place that maps a native name to its function.
#pragma once

#include <string_view>

#include "core/knobs.h"
#include "core/run.h"
#include "flow/networks.h"

namespace konig {

template <class Network>
using FlowSolver = void (*)(Network&, const Knobs&, Run&);

// Null when no solver has that name.
template <class Network>
FlowSolver<Network> find_flow_solver(std::string_view name);

}  // namespace konig
