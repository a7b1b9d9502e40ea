// Disjoint breadth-first trees on several threads (`p-dbfs`).
//
// Azad, Halappanavar, Rajamanickam, Boman, Khan and Pothen, "Multithreaded algorithms for maximum matching in
// bipartite graphs", IPDPS 2012. A phase grows one breadth-first tree from each unmatched column. Threads
// take these columns as they come and claim each row by an atomic exchange of its stamp, so the trees of a
// phase share no vertex. A tree that claims an unmatched row is augmented along at once and given up.
//
// State: breadth_first_search.h.
//
// Who holds what. A row is claimed once a phase, and only who claimed it writes its mate, so the claimer
// finds in col_of_row[r] what was there at the last barrier. A column is entered either as a root, dealt out
// once, or through the row it was matched to at the last barrier, claimed once: its links and its mate belong
// to one thread for the phase. No thread reads another's mates.
//
// Why a phase without a path is a proof. Then the matching did not change in the phase, and every tree was
// grown to its end: every row of every column in a tree is claimed, by this tree or by another. A path from
// an unmatched column to an unmatched row begins at a root and, by induction, all its rows are claimed and
// all its columns are in some tree. But who claimed the last row would have augmented.
//
// Deviation: the run also ends when all rows or all columns are matched. Worst case O(n tau). Reads columns.
// Knobs: threads. Counts: phases (those that found a path), search_arc_scans, paths, augmentations,
// longest_path, claims_lost, workers.
#include "matching/papers/breadth_first_search.h"
#include "matching/solvers.h"

namespace konig {

template <class Id, class Offset>
void disjoint_breadth_first(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  SearchPhases<Id, Offset> phases(graph, mates, knobs, run);
  BreadthFirstState<Id, Offset> state(graph, mates);
  const auto phase = [&]<class Team>(Team& team) {
    BreadthFirstSearch<Id, Offset, Team> search(state, team, phases.tally(team.index()));
    const auto stopped = [&] { return phases.stopped(team); };
    phases.search_all(team, [&](Id root) { return search.augment_from(root, stopped); });
  };
  phases.solve(phase, [&] {
    state.open_rows();
    return 0;
  });
  run.count("phases", phases.phases());
  phases.report(phases.total());
}

KONIG_INSTANTIATE_SOLVER(disjoint_breadth_first)

}  // namespace konig
