// Residual networks of arcs on a CPU team; the algorithm is konig/flow/build.h.
#pragma once

#include "core/knobs.h"
#include "core/run.h"
#include "konig/flow/build.h"

namespace konig {

// Knobs: stage, threads, team ("threads" or "shuffled"), seed.
template <class Id, class Amount>
void build_residual(const residual::Workspace<Id, Amount>& workspace, const Knobs& knobs, Run& run);

}  // namespace konig
