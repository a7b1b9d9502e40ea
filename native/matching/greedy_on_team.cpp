// SGM on a CPU team; the algorithm is konig/matching/greedy.h. Reads columns only.
//
// Knobs: threads, team ("threads" or "shuffled"), seed. Counts: start_arc_scans.
#include <type_traits>

#include "core/run_on_team.h"
#include "konig/matching/greedy.h"
#include "matching/team_solvers.h"

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
  run_on_team(knobs, int(knobs.integer("threads")), run, launch, between);
  run.count("start_arc_scans", int64_t(state.arc_scans));
}

KONIG_INSTANTIATE_SOLVER(greedy_on_team)

}  // namespace konig
