// One breadth-first search per unmatched column (`bfs`): a shortest augmenting path from each.
//
// Duff, Kaya and Ucar, "Design, implementation, and analysis of maximum transversal algorithms", ACM TOMS
// 38(2), 2011. Columns are taken in their order, each once; a search stops at the first unmatched row. What a
// failed search visited is closed for good, so all failed searches together scan each list once. Worst case
// O(n tau). Reads columns.
//
// Memory: m + 2n integers: a stamp a row; a place in the queue and a predecessor a column. Counts: searches,
// failed_searches, search_arc_scans, paths, augmentations, longest_path, memory_integers_per_vertex.
#include "matching/papers/breadth_first_search.h"
#include "matching/solvers.h"

namespace konig {

template <class Id, class Offset>
void breadth_first(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs&, Run& run) {
  BreadthFirstState<Id, Offset> state(graph, mates);
  report_memory(int64_t(graph.rows) + 2 * int64_t(graph.cols), graph, run);
  SoloTeam team(run);
  SearchTally tally;
  BreadthFirstSearch search(state, team, tally);
  search_each_column(graph, mates, run, [&](Id col) {
    const bool augmented = search.augment_or_close(col);
    if (augmented) state.open_rows();
    return augmented;
  });
  run.count("search_arc_scans", tally.search_scans);
  tally.paths.report(run);
}

KONIG_INSTANTIATE_SOLVER(breadth_first)

}  // namespace konig
