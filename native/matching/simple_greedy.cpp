// Simple greedy matching (SGM): each unmatched column takes the first unmatched row of its list.
//
// Kaya, Langguth, Manne, Ucar, "Push-relabel based algorithms for the maximum transversal problem", §2.2.
// Reads columns only. Also the "cheap" start of the GPU papers. Counts: start_arc_scans.
#include "matching/solvers.h"

namespace konig {

template <class Id, class Offset>
void simple_greedy(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs&, Run& run) {
  int64_t scans = 0;
  for (Id col = 0; col < graph.cols; ++col) {
    if (mates.row_of_col[col] >= 0) continue;
    const Offset end = graph.of_col.start[col + 1];
    Offset k = graph.of_col.start[col];
    for (; k < end; ++k) {
      const Id row = graph.of_col.neighbour[k];
      if (mates.col_of_row[row] < 0) {
        mates.col_of_row[row] = col;
        mates.row_of_col[col] = row;
        ++k;
        break;
      }
    }
    const int64_t work = k - graph.of_col.start[col];
    scans += work;
    run.spend(work + 1);
  }
  run.count("start_arc_scans", scans);
}

KONIG_INSTANTIATE_SOLVER(simple_greedy)

}  // namespace konig
