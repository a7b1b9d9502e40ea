// What `ms-bfs` keeps: the state that outlives a launch, a frontier's entries, the workspace.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/program.h"
#include "konig/bsp/team.h"
#include "konig/matching/graph.h"
#include "konig/matching/ms_bfs/tuning.h"

namespace konig::multi_source_bfs {

using bsp::kBatch;

constexpr int kTallies = 3;

enum Status : int { kRunning, kMaximum, kNarrow };
enum Step : int { kLook, kDiagonal, kPair, kGreedy, kPlant, kGrow, kAugment };

// How many pieces the next frontier has.
struct Tally {
  long long pieces;       // short ones, from the front of the frontier
  long long long_pieces;  // from its back
};

// Everything that outlives a launch; zeros before the first.
struct State {
  long long status;
  long long step;
  long long rounds;  // which of the tallies and frontiers comes next: supersteps so far, modulo 6
  long long part;    // how often the current step was repeated
  long long pieces;  // in the current frontier
  long long long_pieces;
  long long roots;    // trees of this phase
  long long found;    // trees with a path so far in this phase
  long long matched;  // pairs
  long long symmetric;
  long long diagonal;
  long long later;  // whether the first phase is over
  long long start_size;
  long long launches;
  long long phases;
  long long levels;
  long long edges_scanned;
  long long path_edges;
  Tally tallies[kTallies];
};

// Where a search goes on from a row: its partner (-1: none), and the other rows of the partner's list. They
// are in one sector of memory, and three of them, often all, in its first half.
//
// Onward words: up to three rows, filled up with -1. If there are more the third is kept as more(row) and up
// to four further rows are in the second half. A longer list is kElsewhere, where it begins in col_rows (or,
// if offsets are wider than ids, how far from the beginning of the column's list) and its length.
template <class Id>
struct alignas(8 * sizeof(Id)) Branch {
  bsp::Four<Id> near;  // kMate, and three onward words
  bsp::Four<Id> far;   // up to four rows, filled up with -1
};
enum Word { kMate, kOnward, kFirst, kLength };

// An entry of a frontier: the tree of `root` goes on from the row `via` (-1: from the root itself).
template <class Id>
struct alignas(16) Piece {
  Id root;
  Id via;
  Id onward[3];
};

constexpr int kNearRows = 3, kFarRows = 4, kFewRows = kNearRows + kFarRows;
constexpr int kElsewhere = -2;
template <class Id>
KONIG_FN Id more(Id row) {  // its own inverse
  return -3 - row;
}

// What parent[] holds of a row apart from the row before it on its path.
constexpr int kUnreached = -1;
constexpr int kFlipped = -2;  // its partner has changed, and its Branch not yet
template <class Id>
KONIG_FN Id from_root(Id root) {
  return -3 - root;
}
template <class Id>
KONIG_FN Id root_of(Id parent) {
  return -3 - parent;
}

// How many entries a frontier must hold: every column once, and a piece more for each kPiece entries.
KONIG_FN long long room_for_pieces(long long cols, long long entries) { return cols + entries / kPiece; }

template <class Id, class Offset>
struct Workspace : matching::ColumnGraph<Id, Offset> {
  using matching::ColumnGraph<Id, Offset>::rows, matching::ColumnGraph<Id, Offset>::cols;

  long long pieces;      // entries that a frontier holds: room_for_pieces
  long long most_steps;  // of the first phase before it is given up as narrow; any number if it is 0
  Branch<Id>* branch;    // rows
  Id* parent;            // rows
  Id* leaf;              // cols
  Piece<Id>* frontier[2];
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    long long entries = 0;
    this->describe_graph(layout);
    layout.number("entries", entries);
    layout.number("most_steps", most_steps);
    pieces = room_for_pieces(cols, entries);
    layout.own(branch, rows);
    layout.own(parent, rows);
    layout.own(leaf, cols);
    layout.own(frontier[0], pieces);
    layout.own(frontier[1], pieces);
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    reading.status(s.status, "running", "maximum", "narrow");
    reading.progress(s.matched, this->shorter_side());
    reading.word("matched", s.matched);
    reading.statistic("phases", s.phases);
    reading.statistic("levels", s.levels);
    reading.statistic("symmetric", s.symmetric);
    reading.statistic("diagonal", s.diagonal);
    reading.statistic("start_size", s.start_size);
    if (Program::kCounted) {
      reading.statistic("edges_scanned", s.edges_scanned);
      reading.statistic("path_edges", s.path_edges);
    }
    reading.statistic("launches", s.launches);
  }
};

}  // namespace konig::multi_source_bfs
