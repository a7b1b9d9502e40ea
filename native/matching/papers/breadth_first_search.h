// One augmenting path by breadth-first search: the step of `bfs` and `p-dbfs`.
//
// A tree grows from an unmatched column until it claims an unmatched row, and is augmented along at once.
//
// State: closed[r] >= stamp where row r was visited since the rows were last opened, or is closed for good.
// tree[c] holds the parent of column c and the column that was found after it: the queue of a search runs
// through the columns themselves, since a column is in one tree only. Reads columns.
//
// Several workers may search at once. Each row that a worker visits it claims by an atomic exchange of the
// row's stamp.
#pragma once

#include <limits>
#include <vector>

#include "matching/search_phases.h"

namespace konig {

// What the workers share.
template <class Id, class Offset>
struct BreadthFirstState {
  BreadthFirstState(const Pattern<Id, Offset>& graph, Mates<Id> mates)
      : graph(graph), mates(mates), closed(graph.rows, 0), tree(graph.cols) {}

  // Rows visited so far may be visited again, except those closed for good.
  void open_rows() { ++stamp; }

  struct Links {
    Id parent;
    Id next;  // in the queue
  };

  const Pattern<Id, Offset>& graph;
  const Mates<Id> mates;
  std::vector<Id> closed;
  std::vector<Links> tree;
  Id stamp = 1;
};

// One worker.
template <class Id, class Offset, class Team>
class BreadthFirstSearch {
 public:
  BreadthFirstSearch(BreadthFirstState<Id, Offset>& state, Team& team, SearchTally& tally)
      : of_col_(state.graph.of_col),
        mates_(state.mates),
        closed_(state.closed.data()),
        tree_(state.tree.data()),
        stamp_(state.stamp),
        team_(team),
        tally_(tally) {}

  // Augments along a path of open rows from an unmatched column, if there is one; gives up once stopped().
  template <class Stopped>
  bool augment_from(Id root, Stopped stopped) {
    const Id stamp = stamp_;
    Id last = root;
    tree_[root] = {-1, -1};
    for (Id col = root; col >= 0 && !stopped(); col = tree_[col].next) {
      const Offset first = of_col_.start[col], end = of_col_.start[col + 1];
      for (Offset k = first; k < end; ++k) {
        const Id row = of_col_.neighbour[k];
        const Id seen = bsp::load(&closed_[row]);
        if (seen >= stamp) continue;
        if (!claim<Team>(&closed_[row], seen, stamp)) {
          ++tally_.claims_lost;
          continue;
        }
        const Id mate = bsp::load(&mates_.col_of_row[row]);
        if (mate < 0) {
          tally_.search_scans += k - first + 1;
          team_.spend(k - first + 1);
          augment(col, row);
          return true;
        }
        tree_[mate] = {col, -1};
        tree_[last].next = mate;
        last = mate;
      }
      tally_.search_scans += end - first;
      team_.spend(end - first + 1);
    }
    return false;
  }

  // The same for one worker. A search that fails has reached all rows of its columns, and no augmenting path
  // can ever leave them: they are closed for good.
  bool augment_or_close(Id root) {
    if (augment_from(root, [] { return false; })) return true;
    for (Id col = tree_[root].next; col >= 0; col = tree_[col].next) {
      closed_[mates_.row_of_col[col]] = std::numeric_limits<Id>::max();
      team_.spend(1);
    }
    return false;
  }

 private:
  // Each column of the path gives its row to the column that it was reached from; the root had none.
  void augment(Id col, Id row) {
    int64_t columns = 0;
    while (col >= 0 && !team_.cut()) {
      const Id given_up = bsp::load(&mates_.row_of_col[col]);
      bsp::store(&mates_.row_of_col[col], row);
      bsp::store(&mates_.col_of_row[row], col);
      col = tree_[col].parent;
      row = given_up;
      ++columns;
      team_.spend(1);
    }
    tally_.paths.add(columns);
  }

  const Adjacency<Id, Offset> of_col_;
  const Mates<Id> mates_;
  Id* const closed_;
  typename BreadthFirstState<Id, Offset>::Links* const tree_;
  const Id& stamp_;
  Team& team_;
  SearchTally& tally_;
};

}  // namespace konig
