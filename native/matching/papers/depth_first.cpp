// One depth-first search per unmatched column (`dfs`), the baseline; with lookahead it is MC21.
//
// Duff, "On algorithms for obtaining a maximum transversal" and "Algorithm 575: permutations for a zero-free
// diagonal", ACM TOMS 7(3), 1981. Columns are taken in their order, each once.
//
// Deviation from MC21: what a failed search visited is closed for good (see DepthFirstSearch), which is sound
// because rows are opened before every search that follows a success. So all failed searches together scan
// each list once; MC21 scans the deficient part again for every column that stays unmatched. The run also
// ends when all rows are matched. Worst case O(n tau). Reads columns.
//
// Memory: at most m + 3n integers: a stamp a row; a lookahead position and a step of two a column. Knobs:
// lookahead (flag). Counts: searches, failed_searches, search_arc_scans, lookahead_arc_scans, paths,
// augmentations, longest_path, memory_integers_per_vertex.
#include "matching/depth_first_search.h"
#include "matching/solvers.h"

namespace konig {

template <class Id, class Offset>
void depth_first(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  DepthFirstState<Id, Offset> state(graph, mates, knobs.flag("lookahead"));
  report_memory(state.integers(), graph, run);
  SoloTeam team(run);
  SearchCounts counts;
  DepthFirstSearch search(state, team, counts);
  search_each_column(graph, mates, run, [&](Id col) {
    const bool augmented = search.augment_or_close(col);
    if (augmented) state.open_rows();
    return augmented;
  });
  run.count("search_arc_scans", counts.search_scans);
  run.count("lookahead_arc_scans", counts.lookahead_scans);
  counts.paths.report(run);
}

KONIG_INSTANTIATE_SOLVER(depth_first)

}  // namespace konig
