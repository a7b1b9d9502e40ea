// What `ms-bfs` keeps: the state that outlives a launch, a frontier's entries, the workspace.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/team.h"
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

// Everything that outlives a launch; zeros before the first. Python reads it word by word in this order.
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

template <class Id, class Offset>
struct Workspace {
  long long rows;
  long long cols;
  long long pieces;      // entries that a frontier holds: room_for_pieces
  long long most_steps;  // of the first phase before it is given up as narrow; any number if it is 0
  const Offset* col_start;
  const Id* col_rows;
  Id* col_of_row;
  Id* row_of_col;
  Branch<Id>* branch;  // rows
  Id* parent;          // rows
  Id* leaf;            // cols
  Piece<Id>* frontier[2];
  State* state;
};

// How many entries a frontier must hold: every column once, and a piece more for each kPiece entries.
KONIG_FN long long room_for_pieces(long long cols, long long entries) { return cols + entries / kPiece; }

}  // namespace konig::multi_source_bfs
