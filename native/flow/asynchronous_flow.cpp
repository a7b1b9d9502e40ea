// Asynchronous push-relabel on a CPU team; the algorithm is konig/flow/async_pr.h.
//
// Counts: waves, visits, pushes, relabels, slots_scanned, stranded, handed_over, supersteps, launches,
// workers; and what synchronous push-relabel counts if it had to go on.
#include "flow/push_relabel_on_team.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/run_on_team.h"
#include "konig/flow/async_pr.h"

namespace konig {

template <class Id, class Amount>
void solve_asynchronous_flow(const PushRelabelProblem<Id, Amount>& network, const Knobs& knobs, Run& run) {
  const int64_t n = network.vertices, slots = network.slot_count;
  std::vector<Id> other(slots), mate(slots), notices(n), seen(n);
  std::vector<Amount> out(slots);
  std::vector<asynchronous_flow::Label<Id>> labels(n);
  asynchronous_flow::State state{};
  const asynchronous_flow::Workspace<Id, Amount> workspace{
      n,
      slots,
      network.start,
      network.slots,
      network.to_sink,
      network.to_source,
      network.excess,
      nullptr,
      other.data(),
      mate.data(),
      out.data(),
      labels.data(),
      notices.data(),
      seen.data(),
      network.cut,
      {0, 0, std::min<int64_t>(knobs.integer("waves"), asynchronous_flow::kMostWaves)},
      &state};
  const auto launch = [&workspace](auto& team) {
    using Team = std::remove_reference_t<decltype(team)>;
    asynchronous_flow::Solve<Team, Id, Amount>(team, workspace).run();
  };
  const int workers = run_on_team(knobs, int(knobs.integer("threads")), run, launch, [&] {
    run.report(state.delivered, -1);
    return state.progress.status == asynchronous_flow::kRunning;
  });
  const bool unfinished = state.progress.status == asynchronous_flow::kUnfinished;
  if (unfinished) {
    PushRelabelProblem<Id, Amount> rest = network;
    rest.brought = state.delivered;
    solve_synchronous_flow(rest, knobs, run);
  }
  run.count("waves", int64_t(state.progress.wave));
  run.count("visits", int64_t(state.visits));
  run.count("handed_over", int64_t(unfinished));
  run.count_more("stranded", int64_t(state.stranded));
  run.count_more("pushes", int64_t(state.moves));
  run.count_more("relabels", int64_t(state.rises));
  run.count_more("slots_scanned", int64_t(state.scanned));
  run.count_more("supersteps", int64_t(state.progress.meetings));
  run.count_more("launches", int64_t(state.launches));
  if (!unfinished) run.count("workers", int64_t(workers));
}

template void solve_asynchronous_flow(const PushRelabelProblem<int32_t, int32_t>&, const Knobs&, Run&);
template void solve_asynchronous_flow(const PushRelabelProblem<int32_t, int64_t>&, const Knobs&, Run&);
template void solve_asynchronous_flow(const PushRelabelProblem<int64_t, int64_t>&, const Knobs&, Run&);

}  // namespace konig
