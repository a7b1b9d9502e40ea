// Augmenting paths by breadth-first search: one tree after the other (`bfs`), and disjoint trees on several
// threads (`p-dbfs`).
//
// Duff, Kaya and Ucar, "Design, implementation, and analysis of maximum transversal algorithms", ACM TOMS
// 38(2), 2011; Azad, Halappanavar, Rajamanickam, Boman, Khan and Pothen, "Multithreaded algorithms for
// maximum matching in bipartite graphs", IPDPS 2012. A tree grows from an unmatched column until it reaches
// an unmatched row, and is augmented along at once: a shortest augmenting path from that column.
//
// State: closed[r] >= stamp where row r was visited since the rows were last opened, or is closed for good.
// tree[c] holds the parent of column c and the column that was found after it: the queue of a search runs
// through the columns themselves, since a column is in one tree only. Reads columns. Worst case O(n tau).
//
// `bfs` takes columns in their order, each once. What a failed search visited is closed for good, so all
// failed searches together scan each list once. Memory: m + 2n integers: a stamp a row; a place in the queue
// and a predecessor a column. Counts: searches, failed_searches, search_arc_scans, paths, augmentations,
// longest_path, memory_integers_per_vertex.
//
// `p-dbfs` grows one tree from each unmatched column in a phase. Threads take these columns on demand and
// claim each row by an atomic exchange of its stamp, so the trees of a phase share no vertex. Deviation: the
// run also ends when all rows or all columns are matched. Knobs: threads. Counts: phases (those that found a
// path), search_arc_scans, paths, augmentations, longest_path, claims_lost, workers.
//
// Ownership. A row is claimed once a phase, and only its claimer writes its mate, so the claimer reads in
// col_of_row[r] the mate at the last barrier. A column is entered either as a root, dealt out once, or
// through the row it was matched to at the last barrier, claimed once: its links and its mate belong to one
// thread for the phase. No thread reads mates that another writes.
//
// Why a phase without a path is a proof. Then the matching did not change in the phase, and every tree was
// grown to its end: every row of every column in a tree is claimed, by this tree or by another. A path from
// an unmatched column to an unmatched row begins at a root and, by induction, all its rows are claimed and
// all its columns are in some tree. But the claimer of the last row would have augmented.
#include <limits>
#include <vector>

#include "matching/search_phases.h"
#include "matching/solvers.h"

namespace konig {
namespace {

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
  BreadthFirstSearch(BreadthFirstState<Id, Offset>& state, Team& team, SearchCounts& counts)
      : of_col_(state.graph.of_col),
        mates_(state.mates),
        closed_(state.closed.data()),
        tree_(state.tree.data()),
        stamp_(state.stamp),
        team_(team),
        counts_(counts) {}

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
          ++counts_.claims_lost;
          continue;
        }
        const Id mate = bsp::load(&mates_.col_of_row[row]);
        if (mate < 0) {
          counts_.search_scans += k - first + 1;
          team_.spend(k - first + 1);
          augment(col, row);
          return true;
        }
        tree_[mate] = {col, -1};
        tree_[last].next = mate;
        last = mate;
      }
      counts_.search_scans += end - first;
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
    counts_.paths.add(columns);
  }

  const Adjacency<Id, Offset> of_col_;
  const Mates<Id> mates_;
  Id* const closed_;
  typename BreadthFirstState<Id, Offset>::Links* const tree_;
  const Id& stamp_;
  Team& team_;
  SearchCounts& counts_;
};

}  // namespace

template <class Id, class Offset>
void breadth_first(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs&, Run& run) {
  BreadthFirstState<Id, Offset> state(graph, mates);
  report_memory(int64_t(graph.rows) + 2 * int64_t(graph.cols), graph, run);
  SoloTeam team(run);
  SearchCounts counts;
  BreadthFirstSearch search(state, team, counts);
  search_each_column(graph, mates, run, [&](Id col) {
    const bool augmented = search.augment_or_close(col);
    if (augmented) state.open_rows();
    return augmented;
  });
  run.count("search_arc_scans", counts.search_scans);
  counts.paths.report(run);
}

KONIG_INSTANTIATE_SOLVER(breadth_first)

template <class Id, class Offset>
void disjoint_breadth_first(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  SearchPhases<Id, Offset> phases(graph, mates, knobs, run);
  BreadthFirstState<Id, Offset> state(graph, mates);
  const auto phase = [&]<class Team>(Team& team) {
    BreadthFirstSearch<Id, Offset, Team> search(state, team, phases.counts(team.index()));
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
