// Phases of disjoint searches: Pothen-Fan (`pf`), with fairness (`pfp`), that on several threads (`p-pfp`),
// and breadth-first trees on several threads (`p-dbfs`).
//
// Pothen and Fan, "Computing the block triangular form of a sparse matrix", ACM TOMS 16(4), 1990; Duff, Kaya
// and Ucar, ACM TOMS 38(2), 2011; Kaya et al. §5.1; on threads Azad et al., IPDPS 2012. A phase is one search
// from each unmatched column over the rows that no search of the phase has visited, so its paths are
// disjoint: depth-first with lookahead, or breadth-first to a shortest path. Threads take these columns on
// demand. Fairness reverses the direction in which lists are scanned from phase to phase. Rows visited by a
// failed search are opened again in the next phase, as in the papers: a search may fail merely because a
// successful one closed its way.
//
// Ownership. A row is claimed once a phase, and only its claimer writes its mate: the claimer reads in
// col_of_row[r] the mate at the last barrier. A column is visited either as a root, dealt out once, or
// through the row it was matched to at the last barrier, claimed once: its lookahead and its mate belong to
// one thread for the phase. Lookahead reads mates that others write: a row that looks unmatched still has to
// be claimed, and a row that is matched, or that another thread took while it was unmatched, is matched from
// the end of the phase on (to claim an unmatched row is to augment). The rows behind looked_at[c] therefore
// stay matched.
//
// Why a phase without a path is a proof. Then the matching did not change in the phase and every search ran
// to its end. Take a path c0 r1 c1 r2 ... from an unmatched column to an unmatched row. c0 was searched from.
// A column is left when all rows of its list are claimed, by any thread; so r1 was claimed, its claimer went
// to c1 and left it in vain, and so on to the last row. But its claimer would have augmented.
//
// Deviation: the run also ends when all rows or all columns are matched. Worst case O(n tau). Reads columns.
// Memory of `pf` and `pfp`: at most m + 4n integers: a stamp a row; a lookahead position, a step of two and a
// place among the unmatched a column.
#include "matching/breadth_first_search.h"
#include "matching/depth_first_search.h"
#include "matching/solvers.h"

namespace konig {

template <class Id, class Offset>
void pothen_fan(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  const bool fairness = knobs.flag("fairness");
  SearchPhases<Id, Offset> phases(graph, mates, knobs, run);
  ClosedRows<Id> closed(graph.rows);
  DepthFirstState<Id, Offset> state(graph, mates, closed, knobs.flag("lookahead"), knobs.integer("threads"));
  report_memory(state.integers() + int64_t(phases.unmatched().size()), graph, run);
  const auto phase = [&]<class Team>(Team& team) {
    DepthFirstSearch<Id, Offset, Team> search(state, team, phases.counts(team.index()));
    const auto stopped = [&] { return phases.stopped(team); };
    phases.search_all(team, [&](Id root) { return search.augment_from(root, stopped); });
  };
  phases.solve(phase, [&] {
    closed.open();
    if (fairness) state.reverse_scans();
    return 0;
  });
  run.count("phases", phases.phases());
  const SearchCounts total = phases.total();
  run.count("lookahead_arc_scans", total.lookahead_scans);
  phases.report(total);
}

template <class Id, class Offset>
void disjoint_breadth_first(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  SearchPhases<Id, Offset> phases(graph, mates, knobs, run);
  ClosedRows<Id> closed(graph.rows);
  // As long as the longest search can get, so that no worker ever allocates.
  std::vector<std::vector<QueuedColumn<Id>>> queues(knobs.integer("threads"));
  for (auto& queue : queues) queue.reserve(std::min<int64_t>(graph.cols, int64_t(graph.rows) + 1));
  const auto phase = [&]<class Team>(Team& team) {
    BreadthFirstSearch<Id, Offset, Team> search(graph, mates, closed, queues[team.index()], team,
                                                phases.counts(team.index()));
    const auto stopped = [&] { return phases.stopped(team); };
    phases.search_all(team, [&](Id root) {
      return search.augment_from(root, search.kUnbounded, stopped) == search.kFound;
    });
  };
  phases.solve(phase, [&] {
    closed.open();
    return 0;
  });
  run.count("phases", phases.phases());
  phases.report(phases.total());
}

KONIG_INSTANTIATE_SOLVER(pothen_fan)
KONIG_INSTANTIATE_SOLVER(disjoint_breadth_first)

}  // namespace konig
