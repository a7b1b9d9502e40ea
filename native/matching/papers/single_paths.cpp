// One search per unmatched column: depth-first (`dfs`; with lookahead it is MC21) and breadth-first (`bfs`),
// the baselines.
//
// Duff, "On algorithms for obtaining a maximum transversal" and "Algorithm 575: permutations for a zero-free
// diagonal", ACM TOMS 7(3), 1981; Duff, Kaya and Ucar, "Design, implementation, and analysis of maximum
// transversal algorithms", ACM TOMS 38(2), 2011. Columns are taken in their order, each once: one from which
// no augmenting path leads never gets one later.
//
// Deviation from MC21: what a failed search visited is closed for good, which is sound because rows are
// opened before every search that follows a success. So all failed searches together scan each list once. The
// run also ends when all rows are matched. Worst case O(n tau). Reads columns.
//
// Memory: `dfs` at most m + 3n integers: a stamp a row; a lookahead position and a step of two a column.
// `bfs` m + 2n: a stamp a row; a column and the place of its predecessor for each place of the queue.
#include "matching/breadth_first_search.h"
#include "matching/depth_first_search.h"
#include "matching/solvers.h"

namespace konig {
namespace {

// Calls augment_or_close(col) for each unmatched column until one side is matched completely.
template <class Id, class Offset, class Search>
void search_each_column(const Pattern<Id, Offset>& graph, Mates<Id> mates, ClosedRows<Id>& closed,
                        const SearchCounts& counts, Run& run, Search augment_or_close) {
  const Id limit = std::min(graph.rows, graph.cols);
  Id size = matched_vertices(mates.row_of_col, graph.cols);
  int64_t searches = 0, failed = 0;
  for (Id col = 0; col < graph.cols && size < limit; ++col) {
    if (mates.row_of_col[col] >= 0) continue;
    ++searches;
    if (augment_or_close(col)) {
      closed.open();
      run.report(++size, limit);
    } else {
      ++failed;
    }
  }
  run.count("searches", searches);
  run.count("failed_searches", failed);
  run.count("search_arc_scans", counts.search_scans);
  counts.paths.report(run);
}

}  // namespace

template <class Id, class Offset>
void depth_first(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  ClosedRows<Id> closed(graph.rows);
  DepthFirstState<Id, Offset> state(graph, mates, closed, knobs.flag("lookahead"));
  report_memory(state.integers(), graph, run);
  SoloTeam team(run);
  SearchCounts counts;
  DepthFirstSearch search(state, team, counts);
  search_each_column(graph, mates, closed, counts, run, [&](Id col) { return search.augment_or_close(col); });
  run.count("lookahead_arc_scans", counts.lookahead_scans);
}

template <class Id, class Offset>
void breadth_first(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs&, Run& run) {
  ClosedRows<Id> closed(graph.rows);
  report_memory(int64_t(graph.rows) + 2 * int64_t(graph.cols), graph, run);
  SoloTeam team(run);
  SearchCounts counts;
  std::vector<QueuedColumn<Id>> queue;
  BreadthFirstSearch<Id, Offset, SoloTeam> search(graph, mates, closed, queue, team, counts);
  search_each_column(graph, mates, closed, counts, run,
                     [&](Id col) { return search.augment_or_close(col) == search.kFound; });
}

KONIG_INSTANTIATE_SOLVER(depth_first)
KONIG_INSTANTIATE_SOLVER(breadth_first)

}  // namespace konig
