// SGM on a CPU team; the algorithm is konig/matching/greedy.h. Reads columns only.
//
// Knobs: threads, team ("threads" or "shuffled"), seed. Counts: start_arc_scans.
#include <chrono>
#include <type_traits>

#include "konig/matching/greedy.h"
#include "multicore/matching/solvers.h"

namespace konig {

template <class Id, class Offset>
void greedy_on_team(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  greedy::State state{};
  const greedy::Workspace<Id, Offset> workspace{graph.cols,       graph.of_col.start, graph.of_col.neighbour,
                                                mates.col_of_row, mates.row_of_col,   &state};
  const auto launch = [&workspace](auto& team) {
    using Team = std::remove_reference_t<decltype(team)>;
    greedy::Solve<Team, Id, Offset>(team, workspace).run();
  };
  const auto between = [&state] { return state.status == greedy::kRunning; };
  const auto poll = [&run](int64_t work) { run.spend(work); };
  if (knobs.text("team") == "shuffled") {
    bsp::ShuffledTeam(uint64_t(knobs.integer("seed")), poll).run(launch, between);
  } else {
    bsp::CpuCrew(std::chrono::milliseconds(50), poll).run(int(knobs.integer("threads")), launch, between);
  }
  run.count("start_arc_scans", int64_t(state.arc_scans));
}

KONIG_INSTANTIATE_SOLVER(greedy_on_team)

}  // namespace konig
