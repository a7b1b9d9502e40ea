#include "multicore/flow/pairing.h"

#include <chrono>
#include <type_traits>

namespace konig {

template <class Amount>
void pair_arcs(const pairing::Workspace<int32_t, Amount>& workspace, const Knobs& knobs, Run& run) {
  const long long stage = knobs.integer("stage");
  const auto launch = [&](auto& team) {
    using Team = std::remove_reference_t<decltype(team)>;
    pairing::Pairing<Team, int32_t, Amount>(team, workspace).run(stage);
  };
  const auto once = [] { return false; };
  const auto poll = [&run](int64_t work) { run.spend(work); };
  if (knobs.text("team") == "shuffled")
    bsp::ShuffledTeam(uint64_t(knobs.integer("seed")), poll).run(launch, once);
  else
    bsp::CpuCrew(std::chrono::milliseconds(50), poll).run(int(knobs.integer("threads")), launch, once);
}

template void pair_arcs(const pairing::Workspace<int32_t, int32_t>&, const Knobs&, Run&);
template void pair_arcs(const pairing::Workspace<int32_t, int64_t>&, const Knobs&, Run&);

}  // namespace konig
