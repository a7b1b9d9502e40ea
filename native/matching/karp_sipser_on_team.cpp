// KSM on a CPU team; the algorithm is konig/matching/karp_sipser.h. Reads both orientations. On threads
// parallel_karp_sipser.cpp is faster: this one is for the shuffled team, and to test what a GPU runs.
//
// Knobs: threads, team ("threads" or "shuffled"), seed. Counts: start_arc_scans, start_degree_one,
// start_chosen, start_claims_lost, start_sweeps, start_supersteps.
#include "konig/matching/karp_sipser.h"

#include <type_traits>
#include <vector>

#include "core/run_on_team.h"
#include "matching/team_solvers.h"

namespace konig {

template <class Id, class Offset>
void karp_sipser_on_team(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  using namespace karp_sipser;
  const int64_t vertices = int64_t(graph.rows) + int64_t(graph.cols);
  std::vector<long long> open(vertices);
  std::vector<Lonely<Id>> lonely(vertices);
  std::vector<Piece<Id, Offset>> pieces(
      room_for_pieces(graph.rows, graph.cols, graph.of_col.start[graph.cols]));
  State state{};
  const Workspace<Id, Offset> workspace{graph.rows,         graph.cols,
                                        graph.of_row.start, graph.of_row.neighbour,
                                        graph.of_col.start, graph.of_col.neighbour,
                                        mates.col_of_row,   mates.row_of_col,
                                        open.data(),        lonely.data(),
                                        pieces.data(),      &state};
  const auto launch = [&workspace](auto& team) {
    using Team = std::remove_reference_t<decltype(team)>;
    Solve<Team, Id, Offset>(team, workspace).run();
  };
  const auto between = [&state] { return state.status == kRunning; };
  run_on_team(knobs, int(knobs.integer("threads")), run, launch, between);
  run.count("start_arc_scans", int64_t(state.arc_scans));
  run.count("start_degree_one", int64_t(state.degree_one));
  run.count("start_chosen", int64_t(state.chosen));
  run.count("start_claims_lost", int64_t(state.claims_lost));
  run.count("start_sweeps", int64_t(state.sweeps));
  run.count("start_supersteps", int64_t(state.supersteps));
}

KONIG_INSTANTIATE_SOLVER(karp_sipser_on_team)

}  // namespace konig
