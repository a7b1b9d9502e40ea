// Synchronous push-relabel for maximum flow: its state and its workspace.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/program.h"
#include "konig/flow/frontier.h"
#include "konig/flow/residual.h"

namespace konig::synchronous_flow {

// A stress build makes these tiny.
#ifndef KONIG_FLOW_SHORT
#define KONIG_FLOW_SHORT 32
#endif
#ifndef KONIG_FLOW_HOLD
#define KONIG_FLOW_HOLD 4
#endif
#ifndef KONIG_FLOW_FEW
#define KONIG_FLOW_FEW 256
#endif
using bsp::kSeries;
using residual::difference_of;
using residual::least;
using residual::Slot;
using residual::sum_of;
constexpr int kShort = KONIG_FLOW_SHORT < frontier::kPiece ? KONIG_FLOW_SHORT : frontier::kPiece;
constexpr int kFew = KONIG_FLOW_FEW;    // vertices that a block handles alone
constexpr int kHold = KONIG_FLOW_HOLD;  // slots that a worker keeps at once
constexpr int kAlone = 256;             // supersteps that a block may take before all meet
constexpr int kTurns = 2;
constexpr int kKinds = 3;  // of supersteps that are timed: searches begin or end, go on, and pushes

enum Status : long long { kRunning, kMaximum, kStalled, kDeep };
enum Step : long long { kSweep, kLevel, kGather, kPush, kCut };

// The knobs.
struct Rules {
  double k;         // relabel after so many supersteps for each level of the latest search ...
  long long least;  // ... but not before this many
  long long rises;  // of a vertex in one superstep
  long long deep;   // leave it to async_pr.h if the first search has as many levels; 0 for never
  long long thick;  // but not with more vertices a level
};

// What the workers hold copies of, which stay equal because they change by agreed values only.
struct Progress {
  long long status;
  long long step;
  long long phase;   // 0: towards the sink; 1: what is stranded goes back to the source
  long long rounds;  // supersteps that used a tally of the searches: they take turns by it
  long long time;    // of the next push superstep: labels take turns by it
  long long turn;    // queues and their tallies take turns by it
  long long level;   // of the vertices being expanded
  long long pieces;  // short ones in the current frontier
  long long long_pieces;
  long long unreached;  // vertices with excess that a search of the second phase has not come to
  long long searched;   // the time when the latest search ended
  long long queued;     // active vertices with short lists
  long long long_queued;
  long long next_relabel;  // the time
  long long delivered;     // to the targets of both phases
  long long brought;       // to the sink, when the first phase has ended
  long long pushes;        // supersteps
  long long levels;
  long long lone_pushes;  // supersteps and levels that one block took alone
  long long lone_levels;
  long long meetings;  // barriers of the whole team
  long long relabels;
  long long active;    // vertices, over all push supersteps of the whole team
  long long stranded;  // vertices whose excess had to go back
  long long second_relabels;
  long long second_pushes;
  long long second_levels;
  long long series_used;
};

// Everything that outlives a launch: all zeros before the first.
struct State {
  Progress progress;
  // Of short lists, from the front, and of long ones, from the back.
  bsp::Tally fronts[bsp::kTallies];
  bsp::Tally queues[bsp::kTallies];
  long long lone[kTurns];  // rounds that a block has just taken alone; they take turns
  long long launches;
  long long scanned;  // slots looked at by discharges
  long long search_scanned;
  long long moves;  // along slots
  long long rises;
  long long step_ns[kKinds];  // the leader's time by kind of superstep
  // Of each search: levels, interval, active vertices; the host empties it between launches.
  long long series[3 * kSeries];
};

// What neighbours look at, in one load: with it they know where the list of the vertex is.
template <class Id>
struct alignas(4 * sizeof(Id)) Label {
  Id height;
  Id active_at;  // the superstep for which it was last queued
  Id first;      // of its slots
  Id length;     // how many there are
};

// A vertex that acts in a superstep, or, if its number is negated bit by bit, only copies its height.
template <class Id>
struct Entry {
  Id vertex;
  Id first;
  Id length;
};

// A part of a vertex's slots.
template <class Id>
struct Piece {
  Id first;
  int length;
};

template <class Id, class Amount>
struct Workspace {
  long long vertices;
  const Id* start;          // vertices + 1
  Slot<Id, Amount>* slots;  // by owner
  Amount* to_sink;          // vertices: residual capacity to the sink
  Amount* to_source;        // what came from the source and may go back
  Amount* excess;           // vertices
  Label<Id>* labels;        // two for each vertex, in two arrays; active_at is -1 at the start
  Entry<Id>* queues;        // two of twice `vertices`: one may come to act and to copy its height
  Piece<Id>* fronts;        // two of `pieces`
  long long pieces;         // room_for_pieces
  unsigned char* cut;       // vertices: 1 on the source's side, when the first phase has ended
  Rules rules;
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    long long slot_count = 0;
    layout.number(KONIG_NAMED(vertices, rules.k, rules.least, rules.rises, rules.deep, rules.thick));
    layout.number("slots", slot_count);
    pieces = frontier::room_for_pieces(vertices, slot_count);
    layout.given(KONIG_NAMED(start, slots, to_sink, to_source, excess, labels, cut));
    layout.own(queues, 4 * vertices);
    layout.own(fronts, 2 * pieces);
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    const Progress& p = s.progress;
    reading.status(p.status, "running", "maximum", "stalled", "deep");
    reading.progress(p.phase == 0 ? p.delivered : p.brought, 0);  // the caller knows what there is to bring
    reading.word("level", p.level);
    reading.statistic("push_steps", p.pushes);
    reading.statistic("search_levels", p.levels);
    reading.statistic("lone_steps", p.lone_pushes);
    reading.statistic("lone_levels", p.lone_levels);
    reading.statistic("active", p.active);
    reading.statistic("global_relabels", p.relabels);
    reading.series(s.series, p.series_used, "relabel_levels", "relabel_interval", "relabel_active");
    reading.statistic("stranded", p.stranded);
    reading.statistic("second_relabels", p.second_relabels);
    reading.statistic("second_steps", p.second_pushes);
    reading.statistic("second_levels", p.second_levels);
    reading.statistic("pushes", s.moves);
    reading.statistic("relabels", s.rises);
    reading.statistic("slots_scanned", s.scanned);
    reading.statistic("search_scanned", s.search_scanned);
    reading.statistic("supersteps", p.meetings);
    reading.statistic("launches", s.launches);
    if (Program::kTimed) reading.seconds(s.step_ns, "sweep", "level", "push");
  }
};

// More than every distance: the target is no vertex.
template <class Id, class Amount>
KONIG_FN Id unreachable(const Workspace<Id, Amount>& w) {
  return Id(w.vertices + 1);
}

}  // namespace konig::synchronous_flow
