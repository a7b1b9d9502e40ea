// Depth-first searches along alternating paths, each column visited once. Reads columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/pattern.h"
#include "core/run.h"

namespace konig {

// From each pending column paths go on to the rows for which visit(col, row) is true, and to their partners.
template <class Id, class Offset, class Visit>
void follow_paths(const Pattern<Id, Offset>& graph, Mates<Id> mates, std::vector<Id> pending, Run& run,
                  Visit visit) {
  while (!pending.empty()) {
    const Id col = pending.back();
    pending.pop_back();
    for (Offset k = graph.of_col.start[col]; k < graph.of_col.start[col + 1]; ++k) {
      const Id row = graph.of_col.neighbour[k];
      if (!visit(col, row)) continue;
      if (const Id partner = mates.col_of_row[row]; partner >= 0) pending.push_back(partner);
    }
    run.spend(graph.of_col.degree(col) + 1);
  }
}

// Marks what paths from the unmatched columns reach: the Konig cover and the coarse decomposition. For a
// maximum matching the rows reached and the columns not reached cover every entry, and there are as many of
// them as matched pairs (Konig 1931).
template <class Id, class Offset>
void alternating_reach(const Pattern<Id, Offset>& graph, Mates<Id> mates, uint8_t* row_reached,
                       uint8_t* col_reached, Run& run) {
  std::vector<Id> pending;
  for (Id col = 0; col < graph.cols; ++col) {
    col_reached[col] = mates.row_of_col[col] < 0;
    if (col_reached[col]) pending.push_back(col);
  }
  std::fill(row_reached, row_reached + graph.rows, uint8_t(0));
  follow_paths(graph, mates, std::move(pending), run, [&](Id, Id row) {
    if (row_reached[row]) return false;
    row_reached[row] = 1;
    if (mates.col_of_row[row] >= 0) col_reached[mates.col_of_row[row]] = 1;
    return true;
  });
}

// Paths that stay inside the blocks of a partition, as a forest: the witness that a block is connected the
// way its decomposition claims. col_before_row[row] is the column from which the row was reached, -1 where it
// was not; the row matched to a root is reached from that root.
template <class Id, class Offset>
void alternating_forest(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Id* roots,
                        int64_t root_count, const Id* block_of_row, const Id* block_of_col,
                        Id* col_before_row, Run& run) {
  std::fill(col_before_row, col_before_row + graph.rows, Id(-1));
  std::vector<Id> pending(roots, roots + root_count);
  for (const Id col : pending)
    if (const Id row = mates.row_of_col[col]; row >= 0) col_before_row[row] = col;
  run.spend(graph.rows + root_count);
  follow_paths(graph, mates, std::move(pending), run, [&](Id col, Id row) {
    if (col_before_row[row] >= 0 || block_of_row[row] != block_of_col[col]) return false;
    col_before_row[row] = col;
    return true;
  });
}

}  // namespace konig
