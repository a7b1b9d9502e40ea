// What Karp-Sipser on a team keeps: the state that outlives a launch, what waits, the workspace. The numbers
// were tuned on an H200.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/program.h"
#include "konig/bsp/team.h"
#include "konig/matching/graph.h"

// For stress builds.
#ifndef KONIG_AT_ONCE
#define KONIG_AT_ONCE 16
#endif

namespace konig::karp_sipser {

using bsp::kBatch;
using bsp::kScanLimit;
using matching::kPiece;

constexpr int kLong = 64 < kPiece ? 64 : kPiece;  // entries of a list that is not cut
constexpr int kChoiceScans = 64;                  // entries that the first sweep scans for a row

// Columns that have a choice choose in slices, and rule one follows each: the more slices, the fewer choices
// are made that rule one would have made better, and the more supersteps there are.
constexpr int kSlices = 32;             // at most
constexpr int kAtOnce = KONIG_AT_ONCE;  // choices that are worth a superstep
constexpr int kFew = 16;                // choices for each that waits, or rule one goes first

// A chain of rule one is a step after the other: a thread block follows it without waiting for all.
constexpr int kRounds = 4;                  // that a thread block goes on by itself
constexpr int kRoundsAlone = 16 * kRounds;  // the same while few wait and no column is to choose

constexpr int kResidentBlocks = 3;  // with more a barrier takes longer

enum Status : long long { kRunning, kMaximal };
enum Step : long long { kCheckWarm, kCountDegrees, kCountLongDegrees, kApplyRules, kCountChoices };

// Every worker has a copy; the copies stay equal because they change by agreed values only.
struct Progress {
  long long status;
  long long step;
  long long supersteps;  // the tallies take turns by them
  long long sweeps;      // passes of rule two so far
  long long choices;     // columns with a choice when this pass began
  long long slices;      // parts into which this pass divides the columns
  long long part;        // slices done
  long long warm;        // whether a matching was given
  long long served;      // start of the frontier in the queue
  long long waiting;     // length of the frontier
  long long pieces_served;
  long long pieces;
};

// Everything that outlives a launch; zeros before the first.
struct State {
  Progress progress;
  long long degree_one;  // pairs matched by rule one
  long long chosen;      // and by rule two
  long long claims_lost;
  long long arc_scans;
  bsp::Tally tallies[bsp::kTallies];  // vertices of degree one and pieces that were queued
};

// A vertex, a column c as ~c, and its only unmatched neighbour.
template <class Id>
struct DegreeOne {
  Id vertex;
  Id neighbour;
};

// A part of the list of a vertex, a column c as ~c.
template <class Id, class Offset>
struct alignas(16) Piece {
  Offset first;
  Id length;
  Id vertex;
};

// At most ceil(length / kPiece) pieces for each list longer than kLong, on both sides.
KONIG_FN long long room_for_pieces(long long rows, long long cols, long long entries) {
  const long long lists = 2 * entries / (kLong + 1);
  return 2 * entries / kPiece + (lists < rows + cols ? lists : rows + cols);
}

template <class Id, class Offset>
struct Workspace : matching::Graph<Id, Offset> {
  using matching::Graph<Id, Offset>::rows, matching::Graph<Id, Offset>::cols;

  long long* open;            // rows, then columns: sums over unmatched neighbours (open_sums.h)
  DegreeOne<Id>* degree_one;  // rows and columns
  Piece<Id, Offset>* pieces;  // room_for_pieces
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    long long entries = 0;
    this->describe_graph(layout);
    layout.number("entries", entries);
    layout.own(open, rows + cols);
    layout.own(degree_one, rows + cols);
    layout.own(pieces, room_for_pieces(rows, cols, entries));
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    reading.status(s.progress.status, "running", "maximal");
    reading.statistic("start_arc_scans", s.arc_scans);
    reading.statistic("start_degree_one", s.degree_one);
    reading.statistic("start_chosen", s.chosen);
    reading.statistic("start_claims_lost", s.claims_lost);
    reading.statistic("start_sweeps", s.progress.sweeps);
    reading.statistic("start_supersteps", s.progress.supersteps);
  }
};

}  // namespace konig::karp_sipser
