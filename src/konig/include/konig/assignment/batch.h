// Batches of small dense assignment problems, each solved by a group of its own.
//
// The method is that of shortest augmenting paths (Jonker, Volgenant: A shortest augmenting path algorithm
// for dense and sparse linear assignment problems, Computing 38, 1987), with the side that has fewer members
// as rows. It starts from the least cost of each column (squares only: columns that stay unassigned must keep
// the dual 0) and of what is then left of each row; a row takes its least column if that is free. Every row
// left over is the root of one search in the manner of Dijkstra's, at whose end the duals move and the path
// is flipped. Of columns at equal distance a search prefers a free one, which ends it.
//
// Costs are whole numbers (costs.h), so that all sums are exact. A worker holds dual, distance and
// predecessor of its columns in registers; the rows' duals and both mates are in the group's memory. The
// costs of a row are read where they are, by neighbouring workers from neighbouring places.
//
// Invariant between two searches: value(i, j) - row_dual[i] - col_dual[j] >= 0 for allowed pairs, and 0 for
// assigned ones; columns of a rectangle have duals <= 0, and 0 if unassigned. So a solve can pause there.
#pragma once

#include "konig/assignment/batch/solver.h"

namespace konig::batch {

template <class Cost>
struct Program {
  using Workspace = Batch<Cost>;
  using State = batch::State;
  static constexpr int kItemBytes = kBoardBytes;

  template <class Group>
  static KONIG_FN void run(Group& group, const Workspace& batch) {
    Solver<Group, Cost>(group, batch).run();
  }
};

}  // namespace konig::batch
