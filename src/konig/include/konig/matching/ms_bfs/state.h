// What `ms-bfs` keeps: the state that outlives a launch, a frontier's entries, the workspace. The numbers
// were tuned on an H200.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/program.h"
#include "konig/bsp/team.h"
#include "konig/matching/graph.h"

// For stress builds, which make it tiny so that paths are cut on small inputs.
#ifndef KONIG_WALK
#define KONIG_WALK 4096
#endif

namespace konig::multi_source_bfs {

using bsp::kBatch;
using matching::kPiece;

// ---- lists

constexpr int kShort = 16 < kPiece ? 16 : kPiece;   // entries of a piece that a few workers handle
constexpr int kMedium = 64 < kPiece ? 64 : kPiece;  // the same while a level is small, with more workers each
constexpr int kWalk = KONIG_WALK;                   // steps of a path in one superstep

// ---- levels

// A level is small if there are as many workers for each of its pieces: its time is then that of a chain of
// loads and of the barrier, and thread blocks go on by themselves.
constexpr int kSmall = 4;

// Levels that a thread block searches by itself while they are small: the more, the fewer barriers, and the
// longer those wait that found nothing to go on with.
constexpr int kRounds = 16;

// Workers for a piece of a large level, at most kShort entries long.
constexpr int kLanes = 4;

// Rows that a worker claims at once, so that the claims travel together: of the few rows of a Branch, and of
// a list. More take more registers.
constexpr int kFewAtOnce = 2;
constexpr int kManyAtOnce = 3;

// ---- starts

constexpr int kSamples = 1024;    // columns scanned to see whether the pattern is symmetric
constexpr int kStartScans = 64;   // entries of a list that a start scans
constexpr int kChoices = 4;       // free rows of which the shortest is taken
constexpr int kPairPasses = 2;    // the second for those that met a lock in the first
constexpr int kGreedyPasses = 5;  // lists of 1, 2, up to 4, up to 8 entries, and the rest

constexpr int kResidentBlocks = 3;  // with more a barrier takes longer

enum Status : int { kRunning, kMaximum, kNarrow };
enum Step : int { kLook, kDiagonal, kPair, kGreedy, kPlant, kGrow, kAugment };

// What the workers hold copies of, which stay equal because they change by agreed values only. Narrow words:
// what every worker holds all the time is taken from its registers.
template <class Id>
struct Progress {
  long long status;
  int step;
  int part;          // how often the current step was repeated
  int look;          // how the pattern looks: starts.h
  unsigned rounds;   // which of the tallies and frontiers comes next: supersteps so far, modulo 6
  int later;         // whether the first phase is over
  Id roots;          // trees of this phase
  Id found;          // trees with a path so far in this phase
  long long pieces;  // in the current frontier
  long long long_pieces;
};

// Everything that outlives a launch; zeros before the first.
template <class Id>
struct State {
  Progress<Id> progress;
  long long matched;  // pairs
  long long start_size;
  long long launches;
  long long phases;
  long long levels;
  long long edges_scanned;
  long long path_edges;
  bsp::Tally tallies[bsp::kTallies];  // pieces of the next frontier: short ones at its front, long ones
};

// How the pattern looked: each of the first three holds what the one before does, and kFullDiagonal is added.
enum Look : int { kUnlike, kSymmetric, kTriangles, kSymmetry = 3, kFullDiagonal = 4 };

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
  State<Id>* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    long long entries = 0;
    this->describe_graph(layout);
    layout.number(KONIG_NAMED(entries, most_steps));
    pieces = room_for_pieces(cols, entries);
    layout.own(branch, rows);
    layout.own(parent, rows);
    layout.own(leaf, cols);
    layout.own(frontier[0], pieces);
    layout.own(frontier[1], pieces);
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State<Id>& s, Reading& reading) const {
    reading.status(s.progress.status, "running", "maximum", "narrow");
    reading.progress(s.matched, this->shorter_side());
    reading.word("matched", s.matched);
    reading.statistic("phases", s.phases);
    reading.statistic("levels", s.levels);
    reading.statistic("symmetric", (long long)(s.progress.look & kSymmetry));
    reading.statistic("diagonal", (long long)((s.progress.look & kFullDiagonal) != 0));
    reading.statistic("start_size", s.start_size);
    if (Program::kCounted) {
      reading.statistic("edges_scanned", s.edges_scanned);
      reading.statistic("path_edges", s.path_edges);
    }
    reading.statistic("launches", s.launches);
  }
};

// Writes and reads where the searches go on: the branches of rows and the pieces of frontiers.
template <class Id, class Offset>
class Branches {
 public:
  KONIG_FN explicit Branches(const Workspace<Id, Offset>& workspace) : w_(workspace) {}

  // What a search that reaches the row finds there.
  KONIG_FN void describe(Id row, Id mate) {
    Branch<Id> branch{};
    if (mate >= 0) branch = rows_of(mate, row);
    branch.near.word[kMate] = mate;
    w_.branch[row] = branch;
  }

  // The rows of a column's list without one of them. Indices are constants once the loops are unrolled: all
  // stays in registers.
  KONIG_FN Branch<Id> rows_of(Id col, Id except) const {
    const Offset first = w_.col_start[col], length = w_.col_start[col + 1] - first;
    Branch<Id> branch{};
    if (length > kFewRows + 1) {
      branch.near.word[kOnward] = kElsewhere;
      branch.near.word[kFirst] = kWide ? Id(0) : Id(first);
      branch.near.word[kLength] = Id(length);
      return branch;
    }
    Id row[kFewRows + 1];
    for (int k = 0; k <= kFewRows; ++k) row[k] = k < length ? w_.col_rows[first + k] : Id(-1);
    bool passed = false;
    const auto onward = [&](int k) {
      passed |= row[k] == except;
      return passed ? row[k + 1] : row[k];
    };
    for (int k = 0; k < kNearRows; ++k) branch.near.word[kOnward + k] = onward(k);
    Id& last = branch.near.word[kOnward + kNearRows - 1];
    if (length > kNearRows + 1) last = more(last);
    for (int k = 0; k < kFarRows; ++k) branch.far.word[k] = onward(kNearRows + k);
    return branch;
  }

  // The list of a root; its rows are always elsewhere.
  KONIG_FN static Piece<Id> root_piece(Id root, Offset first, Offset length) {
    return {root, Id(-1), {Id(kElsewhere), kWide ? Id(0) : Id(first), Id(length)}};
  }

  KONIG_FN static Piece<Id> piece_of(const bsp::Four<Id>& near, Id root, Id via) {
    return {root, via, {near.word[kOnward], near.word[kFirst], near.word[kLength]}};
  }

  // Where a piece begins whose rows are elsewhere.
  KONIG_FN Offset first_of(const Piece<Id>& piece) const {
    if (!kWide) return Offset(piece.onward[1]);
    const Id col = piece.via < 0 ? piece.root : bsp::settled(w_.col_of_row + piece.via);
    return w_.col_start[col] + Offset(piece.onward[1]);
  }

 private:
  static constexpr bool kWide = sizeof(Offset) > sizeof(Id);  // a place in col_rows does not fit an id

  const Workspace<Id, Offset>& w_;
};

}  // namespace konig::multi_source_bfs
