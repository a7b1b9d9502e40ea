// Disjoint breadth-first trees on several threads (`p-dbfs`).
//
// Azad, Halappanavar, Rajamanickam, Boman, Khan and Pothen, "Multithreaded algorithms for maximum matching in
// bipartite graphs", IPDPS 2012. A phase grows one breadth-first tree from each unmatched column. Threads
// take these columns as they come and claim each row by an atomic exchange of its stamp, so the trees of a
// phase share no vertex. A tree that claims an unmatched row is augmented along at once and given up.
//
// State: closed[r] == stamp where row r was claimed in this phase. tree[c] holds the parent of column c and
// the column that was found after it: the queue of a search runs through the columns themselves, since a
// column is in one tree only.
//
// Who holds what. A row is claimed once a phase, and only who claimed it writes its mate, so the claimer
// finds in col_of_row[r] what was there at the last barrier. A column is entered either as a root, dealt out
// once, or through the row it was matched to at the last barrier, claimed once: its links and its mate belong
// to one thread for the phase. No thread reads another's mates.
//
// Why a phase without a path is a proof. Then the matching did not change in the phase, and every tree was
// grown to its end: every row of every column in a tree is claimed, by this tree or by another. A path from
// an unmatched column to an unmatched row begins at a root and, by induction, all its rows are claimed and
// all its columns are in some tree. But who claimed the last row would have augmented.
//
// Deviation: the run also ends when all rows or all columns are matched. Worst case O(n tau). Reads columns.
// Knobs: threads. Counts: phases (those that found a path), search_arc_scans, paths, augmentations,
// longest_path, claims_lost, workers.
#include <vector>

#include "matching/papers/search_phases.h"
#include "matching/solvers.h"

namespace konig {
namespace {

template <class Id, class Offset>
class DisjointBreadthFirst {
 public:
  DisjointBreadthFirst(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run)
      : graph_(graph),
        mates_(mates),
        run_(run),
        phases_(graph, mates, knobs, run),
        closed_(graph.rows, 0),
        tree_(graph.cols) {}

  void solve() {
    const auto phase = [this](auto& team) {
      SearchTally& tally = phases_.tally(team.index());
      phases_.search_all(team, [&](Id root) { return grow(root, team, tally); });
    };
    phases_.solve(phase, [this] {
      ++stamp_;
      return 0;
    });
    run_.count("phases", phases_.phases());
    phases_.report(phases_.total());
  }

 private:
  struct Links {
    Id parent;
    Id next;  // in the queue
  };

  // Grows a tree until it claims an unmatched row, and augments along the way to it.
  template <class Team>
  bool grow(Id root, Team& team, SearchTally& tally) {
    const Id stamp = stamp_;
    Id last = root;
    tree_[root] = {-1, -1};
    for (Id col = root; col >= 0 && !phases_.stopped(team); col = tree_[col].next) {
      const Offset first = graph_.of_col.start[col], end = graph_.of_col.start[col + 1];
      for (Offset k = first; k < end; ++k) {
        const Id row = graph_.of_col.neighbour[k];
        const Id seen = bsp::load(&closed_[row]);
        if (seen == stamp) continue;
        if (!claim<Team>(&closed_[row], seen, stamp)) {
          ++tally.claims_lost;
          continue;
        }
        const Id mate = bsp::load(&mates_.col_of_row[row]);
        if (mate < 0) {
          tally.search_scans += k - first + 1;
          augment(col, row, team, tally);
          return true;
        }
        tree_[mate] = {col, -1};
        tree_[last].next = mate;
        last = mate;
      }
      tally.search_scans += end - first;
      team.spend(end - first + 1);
    }
    return false;
  }

  template <class Team>
  void augment(Id col, Id row, Team& team, SearchTally& tally) {
    int64_t columns = 0;
    while (col >= 0 && !team.cut()) {
      const Id freed = bsp::load(&mates_.row_of_col[col]);
      bsp::store(&mates_.row_of_col[col], row);
      bsp::store(&mates_.col_of_row[row], col);
      col = tree_[col].parent;
      row = freed;
      ++columns;
      team.spend(1);
    }
    tally.paths.add(columns);
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  Run& run_;
  SearchPhases<Id, Offset> phases_;
  std::vector<Id> closed_;
  std::vector<Links> tree_;
  Id stamp_ = 1;
};

}  // namespace

template <class Id, class Offset>
void disjoint_breadth_first(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  DisjointBreadthFirst<Id, Offset>(graph, mates, knobs, run).solve();
}

KONIG_INSTANTIATE_SOLVER(disjoint_breadth_first)

}  // namespace konig
