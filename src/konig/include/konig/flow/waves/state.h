// Push-relabel with waves under way, for deep networks: its state and its workspace.
#pragma once

#include "konig/flow/synchronous/state.h"

namespace konig::flow_waves {

// A stress build makes this tiny.
#ifndef KONIG_FLOW_WAVES
#define KONIG_FLOW_WAVES 50000
#endif
using bsp::kSeries;
using synchronous_flow::kHold;
using synchronous_flow::kPiece;
using synchronous_flow::kShort;
using synchronous_flow::Slot;
constexpr int kUnderWay = 16;                  // waves at once
constexpr long long kMost = KONIG_FLOW_WAVES;  // waves until all start afresh
constexpr int kTallies = 3;
constexpr int kPhases = 2;

enum Status : long long { kRunning, kMaximum, kStalled };
enum Step : long long { kReset, kSeed, kLevel, kGather, kRoll, kCut };

struct Rules {
  long long rises;    // of a vertex in one superstep
  long long spacing;  // supersteps from one wave to the next; 0 to choose
  long long levels;   // of the search that gave the known labels
};

// What the workers hold copies of, which stay equal because they change by agreed values only.
struct Progress {
  long long status;
  long long step;
  long long phase;  // 0: towards the sink; 1: what is stranded goes back to the source
  long long time;   // of the next superstep of pushes: heights take turns by it
  long long clock;  // supersteps of any kind: waves move on by it
  long long turn;   // queues and their tallies take turns by it
  long long acts;   // items of the next superstep: vertices with short lists that act or copy a height
  long long long_acts;
  long long fronts;  // pieces that waves expand, short and long
  long long long_fronts;
  long long oldest;  // wave under way: none if that is more than the newest
  long long newest;
  long long newest_start;  // the clock when it began
  long long done;          // the latest wave that has reached all that it can
  long long spacing;       // of waves
  long long careful;       // one wave at a time, for one was tainted
  long long relabels;
  long long series_used;
};

// Kept by the leader, for those who watch.
struct Counts {
  long long pushes;  // supersteps in which vertices acted
  long long levels;  // supersteps in which waves moved on
  long long both;
  long long meetings;  // barriers
  long long active;    // items of vertices, over all supersteps
  long long stranded;  // vertices whose excess had to go back
  long long second_relabels;
  long long second_pushes;
  long long second_levels;
};

// How many items a superstep has made: those of acts from the front and the back of their queue, and those of
// waves likewise.
struct Tally {
  long long acts;
  long long long_acts;
  long long fronts;
  long long long_fronts;
};

// Everything that outlives a launch: all zeros before the first. Python reads it word by word in this order.
struct State {
  Progress progress;
  Counts counts;
  Tally tallies[kTallies];
  long long starts[kUnderWay];   // the clock when a wave began; they take turns
  long long tainted;             // waves up to this one may have missed a vertex
  long long delivered[kPhases];  // to the sink, back to the source
  long long launches;
  long long scanned;  // slots looked at by discharges
  long long search_scanned;
  long long moves;  // along slots
  long long rises;
  long long sweep_ns;  // the leader's time by kind of superstep
  long long level_ns;
  long long push_ns;
  // Of each wave: levels, spacing, active vertices; the host empties it between launches.
  long long series[3 * kSeries];
};

// What the latest wave found, and where the vertex's list is: in one load.
template <class Id>
struct alignas(sizeof(Id) == 4 ? 16 : 8) Mark {
  long long claim;
  Id first;   // of its slots
  Id length;  // how many there are
};

// A claim: the wave, the clock when it came, and the level that it came with.
constexpr int kLevelBits = 32, kStampBits = 15;
constexpr long long kNever = 0xffffLL << (kLevelBits + kStampBits);  // more than every wave
KONIG_FN long long make_claim(long long wave, long long clock, long long level) {
  return wave << (kLevelBits + kStampBits) | (clock & ((1LL << kStampBits) - 1)) << kLevelBits | level;
}
KONIG_FN long long wave_of(long long claim) { return claim >> (kLevelBits + kStampBits); }
KONIG_FN long long level_of(long long claim) { return claim & ((1LL << kLevelBits) - 1); }
// Made in the superstep of this clock. An old claim may look so, once in a while.
KONIG_FN bool is_fresh(long long claim, long long clock) {
  return ((claim >> kLevelBits ^ clock) & ((1LL << kStampBits) - 1)) == 0;
}

// How far a vertex has risen, and the superstep for which it was last queued.
template <class Id>
struct alignas(2 * sizeof(Id)) Height {
  Id height;
  Id active_at;
};
constexpr int kHolds = -2;  // it had excess when the second phase began

// What there is to do for a vertex in a superstep.
constexpr int kCopy = -1;  // its height goes to the other array
constexpr int kAct = 0;
template <class Id>
struct alignas(sizeof(Id) == 4 ? 16 : 8) Item {
  Id vertex;
  Id first;  // slot
  Id length;
  Id kind;  // kCopy, kAct, or the wave that goes on from here
};

template <class Id, class Amount>
struct Workspace {
  long long vertices;
  const Id* start;                           // vertices + 1
  Slot<Id, Amount>* slots;                   // by owner
  Amount* to_sink;                           // vertices: residual capacity to the sink
  Amount* to_source;                         // what came from the source and may go back
  Amount* excess;                            // vertices
  const synchronous_flow::Label<Id>* known;  // exact labels to begin with
  Mark<Id>* marks;                           // vertices
  Height<Id>* heights;                       // two for each vertex, in two arrays
  Item<Id>* acts;      // two of twice `vertices`: one may come to act and to copy its height
  Item<Id>* fronts;    // two of `pieces`
  long long pieces;    // synchronous_flow::room_for_pieces: a vertex is claimed once in a superstep
  unsigned char* cut;  // vertices: 1 on the source's side, when the first phase has ended
  Rules rules;
  State* state;
};

// More than every distance: the target is no vertex.
template <class Id, class Amount>
KONIG_FN Id unreachable(const Workspace<Id, Amount>& w) {
  return Id(w.vertices + 1);
}

// When a superstep takes place, and what it has to know of waves.
struct Moment {
  long long time;
  long long clock;
  long long phase;
  long long oldest;
  long long done;
  bool several;  // waves are under way
  bool waking;   // wave 1 of the second phase tells vertices to act
};

}  // namespace konig::flow_waves
