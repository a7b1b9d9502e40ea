// Push-relabel on a CPU team: what a caller hands over. The layout is described in konig/flow/residual.h;
// Python makes it and has checked it.
#pragma once

#include <cstdint>

#include "core/knobs.h"
#include "core/run.h"
#include "konig/flow/residual.h"

namespace konig {

template <class Id, class Amount>
struct PushRelabelProblem {
  int64_t vertices = 0;
  int64_t slot_count = 0;
  const Id* start = nullptr;
  residual::Slot<Id, Amount>* slots = nullptr;
  Amount* to_sink = nullptr;
  Amount* to_source = nullptr;
  Amount* excess = nullptr;
  uint8_t* cut = nullptr;
  int64_t brought = 0;  // to the sink before, for reports
};

// Knobs: k, least, rises, threads, team ("threads" or "shuffled"), seed.
template <class Id, class Amount>
void solve_synchronous_flow(const PushRelabelProblem<Id, Amount>& network, const Knobs& knobs, Run& run);

// Knobs: waves, and the same: those of synchronous push-relabel in case it has to go on.
template <class Id, class Amount>
void solve_asynchronous_flow(const PushRelabelProblem<Id, Amount>& network, const Knobs& knobs, Run& run);

}  // namespace konig
