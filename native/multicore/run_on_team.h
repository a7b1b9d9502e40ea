// Runs a single-source algorithm of include/konig on the CPU team that the knobs ask for.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/knobs.h"
#include "core/run.h"
#include "konig/bsp/team.h"

namespace konig {

// Launches of about 50 ms: launch(team) on every worker, then between() on the caller, until it says that
// nothing is left to do. Returns how many workers there were.
//
// Knobs: team ("threads", up to `threads` of them, or "shuffled"), seed.
template <class Launch, class Between>
int run_on_team(const Knobs& knobs, int threads, Run& run, Launch launch, Between between) {
  const auto poll = [&run](int64_t work) { run.spend(work); };
  if (knobs.text("team") == "shuffled") {
    bsp::ShuffledTeam(uint64_t(knobs.integer("seed")), poll).run(launch, between);
    return 1;
  }
  bsp::CpuCrew crew(std::chrono::milliseconds(50), poll);
  crew.run(threads, launch, between);
  return crew.workers();
}

}  // namespace konig
