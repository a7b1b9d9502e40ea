// The table of native solvers: the one place that maps a native name to its function.
#pragma once

#include <string_view>

#include "core/knobs.h"
#include "core/pattern.h"
#include "core/run.h"

namespace konig {

template <class Id, class Offset>
using Solver = void (*)(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);

// Null when no solver has that name.
template <class Id, class Offset>
Solver<Id, Offset> find_solver(std::string_view name);

}  // namespace konig
