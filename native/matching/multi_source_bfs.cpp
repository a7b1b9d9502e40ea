// `ms-bfs` on a CPU team; the algorithm is konig/matching/multi_source_bfs.h. Reads columns only.
//
// Knobs: threads, team ("threads" or "shuffled"), seed, counters (flag), most_steps (of the first phase
// before the graph is given up as narrow, the matching then being unfinished; 0: any). Counts: narrow (1, if
// it was given up), phases, levels (in all), symmetric, diagonal, start_size, edges_scanned and path_edges
// (with counters), launches, workers.
#include "konig/matching/ms_bfs.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/run_on_team.h"
#include "matching/team_solvers.h"

namespace konig {
namespace {

template <bool kCounted, class Id, class Offset>
void solve_on_team(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  using namespace multi_source_bfs;
  std::vector<Branch<Id>> branch(graph.rows);
  std::vector<Id> parent(graph.rows), leaf(graph.cols);
  const size_t pieces_each = size_t(room_for_pieces(graph.cols, graph.of_col.start[graph.cols]));
  std::vector<Piece<Id>> even(pieces_each), odd(pieces_each);
  State state{};
  const Workspace<Id, Offset> workspace{graph.rows,
                                        graph.cols,
                                        (long long)pieces_each,
                                        (long long)knobs.integer("most_steps"),
                                        graph.of_col.start,
                                        graph.of_col.neighbour,
                                        mates.col_of_row,
                                        mates.row_of_col,
                                        branch.data(),
                                        parent.data(),
                                        leaf.data(),
                                        {even.data(), odd.data()},
                                        &state};
  const auto launch = [&workspace](auto& team) {
    using Team = std::remove_reference_t<decltype(team)>;
    Solve<kCounted, Team, Id, Offset>(team, workspace).run();
  };
  const auto between = [&] {
    run.report(state.matched, std::min(graph.rows, graph.cols));
    return state.status == kRunning;
  };
  const int workers = run_on_team(knobs, int(knobs.integer("threads")), run, launch, between);
  if (state.status == kNarrow) run.count("narrow", int64_t(1));
  run.count("phases", int64_t(state.phases));
  run.count("levels", int64_t(state.levels));
  run.count("symmetric", int64_t(state.symmetric));
  run.count("diagonal", int64_t(state.diagonal));
  run.count("start_size", int64_t(state.start_size));
  if (kCounted) {
    run.count("edges_scanned", int64_t(state.edges_scanned));
    run.count("path_edges", int64_t(state.path_edges));
  }
  run.count("launches", int64_t(state.launches));
  run.count("workers", int64_t(workers));
}

}  // namespace

template <class Id, class Offset>
void multi_source_bfs_on_team(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs,
                              Run& run) {
  if (knobs.flag("counters"))
    solve_on_team<true>(graph, mates, knobs, run);
  else
    solve_on_team<false>(graph, mates, knobs, run);
}

KONIG_INSTANTIATE_SOLVER(multi_source_bfs_on_team)

}  // namespace konig
