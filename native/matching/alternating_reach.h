// What alternating paths from the unmatched columns reach: the Konig cover and the coarse decomposition.
//
// For a maximum matching the rows reached and the columns not reached cover every entry, and there are as
// many of them as matched pairs (Konig 1931). Reads columns. A stack of columns, each visited once.
#pragma once

#include <cstdint>
#include <vector>

#include "core/pattern.h"
#include "core/run.h"

namespace konig {

template <class Id, class Offset>
void alternating_reach(const Pattern<Id, Offset>& graph, Mates<Id> mates, uint8_t* row_reached,
                       uint8_t* col_reached, Run& run) {
  std::vector<Id> pending;
  for (Id col = 0; col < graph.cols; ++col) {
    col_reached[col] = mates.row_of_col[col] < 0;
    if (col_reached[col]) pending.push_back(col);
  }
  for (Id row = 0; row < graph.rows; ++row) row_reached[row] = 0;
  while (!pending.empty()) {
    const Id col = pending.back();
    pending.pop_back();
    for (Offset k = graph.of_col.start[col]; k < graph.of_col.start[col + 1]; ++k) {
      const Id row = graph.of_col.neighbour[k];
      if (row_reached[row]) continue;
      row_reached[row] = 1;
      const Id mate = mates.col_of_row[row];
      if (mate >= 0 && !col_reached[mate]) {
        col_reached[mate] = 1;
        pending.push_back(mate);
      }
    }
    run.spend(graph.of_col.degree(col) + 1);
  }
}

}  // namespace konig
