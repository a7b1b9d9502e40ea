// What `ms-bfs` keeps: the state that outlives a launch, a frontier's entries, the workspace.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/team.h"

namespace konig::multi_source_bfs {

using bsp::kBatch;

#ifndef KONIG_PIECE
#define KONIG_PIECE 256
#endif
#ifndef KONIG_WALK
#define KONIG_WALK 4096
#endif
#ifndef KONIG_ROUNDS
#define KONIG_ROUNDS 16
#endif
constexpr int kPiece = KONIG_PIECE;
constexpr int kShort = 16 < kPiece ? 16 : kPiece;   // entries of a piece that a few workers handle
constexpr int kMedium = 64 < kPiece ? 64 : kPiece;  // the same while a level is small, with more workers each
constexpr int kWalk = KONIG_WALK;
constexpr int kRounds = KONIG_ROUNDS;  // levels that a crew searches by itself while they are small
constexpr int kTallies = 3;

enum Status : long long { kRunning, kMaximum };
enum Step : long long { kLook, kPair, kGreedy, kPlant, kGrow, kAugment };

// How many pieces the next frontier has.
struct Tally {
  long long pieces;       // short ones, from the front of the frontier
  long long long_pieces;  // from its back
};

// Everything that outlives a launch; zeros before the first. Python reads it word by word in this order.
struct State {
  long long status;
  long long step;
  long long rounds;  // supersteps so far: the tallies take turns by it
  long long part;    // how often the current step was repeated
  long long pieces;  // in the current frontier
  long long long_pieces;
  long long roots;    // trees of this phase
  long long found;    // trees with a path so far in this phase
  long long matched;  // pairs
  long long symmetric;
  long long start_size;
  long long launches;
  long long phases;
  long long levels;
  long long edges_scanned;
  long long path_edges;
  Tally tallies[kTallies];
};

// A part of a column's list, in the tree of `root`.
template <class Id, class Offset>
struct alignas(16) Piece {
  Offset first;
  Id length;
  Id col;
  Id root;
};

// What a search needs to know of a row, in one place: its parent, its partner when the phase began, and where
// that column's list begins and how long it is.
template <class Offset>
using Visit = bsp::Four<Offset>;
enum Word { kParent, kMate, kFirst, kLength };

template <class Id, class Offset>
struct Workspace {
  long long rows;
  long long cols;
  long long pieces;  // entries that a frontier holds: room_for_pieces
  const Offset* col_start;
  const Id* col_rows;
  Id* col_of_row;
  Id* row_of_col;
  Visit<Offset>* visit;  // rows
  Id* above;             // rows
  Id* leaf;              // cols
  Piece<Id, Offset>* frontier[2];
  State* state;
};

// How many entries a frontier must hold: every column once, and a piece more for each kPiece entries.
KONIG_FN long long room_for_pieces(long long cols, long long entries) { return cols + entries / kPiece; }

}  // namespace konig::multi_source_bfs
