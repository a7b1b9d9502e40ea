// Alternating paths that stay inside the blocks of a partition, as a forest: the witness that a block is
// connected the way its decomposition claims.
//
// From each root column, a path goes to a row of one of its entries in the same block, on to the partner of
// that row, and so forth. col_before_row[row] is the column from which the row was reached, -1 where it was
// not; the row matched to a root is reached from that root. Reads columns. A stack of columns, each visited
// once.
#pragma once

#include <cstdint>
#include <vector>

#include "core/pattern.h"
#include "core/run.h"

namespace konig {

template <class Id, class Offset>
void alternating_forest(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Id* roots,
                        int64_t root_count, const Id* block_of_row, const Id* block_of_col,
                        Id* col_before_row, Run& run) {
  for (Id row = 0; row < graph.rows; ++row) col_before_row[row] = -1;
  std::vector<Id> pending(roots, roots + root_count);
  for (const Id col : pending)
    if (const Id row = mates.row_of_col[col]; row >= 0) col_before_row[row] = col;
  run.spend(graph.rows + root_count);
  while (!pending.empty()) {
    const Id col = pending.back();
    pending.pop_back();
    for (Offset k = graph.of_col.start[col]; k < graph.of_col.start[col + 1]; ++k) {
      const Id row = graph.of_col.neighbour[k];
      if (col_before_row[row] >= 0 || block_of_row[row] != block_of_col[col]) continue;
      col_before_row[row] = col;
      if (const Id partner = mates.col_of_row[row]; partner >= 0) pending.push_back(partner);
    }
    run.spend(graph.of_col.degree(col) + 1);
  }
}

}  // namespace konig
