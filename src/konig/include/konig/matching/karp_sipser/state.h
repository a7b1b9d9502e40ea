// What Karp-Sipser on a team keeps: the state that outlives a launch, what waits, the workspace.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/program.h"
#include "konig/bsp/team.h"
#include "konig/matching/graph.h"
#include "konig/matching/karp_sipser/tuning.h"

namespace konig::karp_sipser {

using bsp::kBatch;
using bsp::kScanLimit;

constexpr int kTallies = 3;

enum Status : long long { kRunning, kMaximal };
enum Step : long long { kLook, kAddUp, kAddUpLong, kSeekLong, kServe, kCensus };

// What is appended to the queues in one superstep.
struct Tally {
  long long degree_one;
  long long pieces;
};

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
  Tally tallies[kTallies];
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
