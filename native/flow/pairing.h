// Pairs of neighbours from arcs on a CPU team; the algorithm is konig/flow/pairing.h.
#pragma once

#include "core/knobs.h"
#include "core/run.h"
#include "konig/flow/pairing.h"

namespace konig {

// Knobs: stage, threads, team ("threads" or "shuffled"), seed.
template <class Amount>
void pair_arcs(const pairing::Workspace<int32_t, Amount>& workspace, const Knobs& knobs, Run& run);

}  // namespace konig
