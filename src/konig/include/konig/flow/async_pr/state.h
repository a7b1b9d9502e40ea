// Asynchronous push-relabel for maximum flow: its state and its workspace.
#pragma once

#include "konig/flow/sync_pr/state.h"

namespace konig::asynchronous_flow {

#ifndef KONIG_FLOW_HELD
#define KONIG_FLOW_HELD 6
#endif
using residual::least;
using residual::Slot;
constexpr long long kMostWaves = 2000;  // that traces of 32 bits can tell apart, and a few more
constexpr int kHeld = KONIG_FLOW_HELD;  // slots of a vertex that a worker holds at once

enum Status : long long { kRunning, kMaximum, kUnfinished };
enum Step : long long { kSplit, kAttend, kLook, kStrand, kJoin };

struct Rules {
  long long span;    // ticks of a team's clock until all meet; the CPU teams have their own rule
  long long levels;  // of the search that gave the known labels
  long long waves;   // until sync-pr is to go on
};

// What the workers hold copies of, which stay equal because they change by agreed values only.
struct Progress {
  long long status;
  long long step;
  long long wave;    // the one that is under way
  long long limit;   // no vertex rises above it
  long long factor;  // of the limit and the longest way of a wave
  long long calm;    // nothing is pushed: labels are not known yet
  long long ending;  // no excess is left, and the last wave finds the cut
  long long moved;   // something was pushed since the wave began
  long long active;  // some vertex holds excess
  long long meetings;
};

// Everything that outlives a launch: all zeros before the first.
struct State {
  Progress progress;
  long long launches;
  long long delivered;  // to the sink
  long long returned;   // to the source
  long long stranded;   // vertices whose excess had to go back
  long long visits;     // to vertices
  long long scanned;    // slots
  long long moves;      // along slots
  long long rises;
};

// What neighbours look at, in one load where the machine has it: the height, and what a wave has left there.
template <class Id>
using Label = bsp::Two<Id>;
template <class Id>
KONIG_FN Id height_of(const Label<Id>& label) {
  return label.word[0];
}
template <class Id>
KONIG_FN Id trace_of(const Label<Id>& label) {
  return label.word[1];
}

// The trace of a wave: its number, and below it how many arcs it was from the sink, counted downwards, so
// that a newer wave is more, and of two ways of one wave the shorter one. Of a stranded vertex it is kNone.
constexpr int kHopBits = 20;
constexpr long long kMostHops = (1LL << kHopBits) - 1, kNone = -1;
static_assert((kMostWaves + 2) << kHopBits <= 0x7fffffff);
template <class Id>
KONIG_FN Id make_trace(long long wave, long long hops) {
  return Id(wave << kHopBits | (kMostHops - (hops < kMostHops ? hops : kMostHops)));
}
template <class Id>
KONIG_FN Id wave_of(Id trace) {
  return trace >> kHopBits;
}
template <class Id>
KONIG_FN long long hops_of(Id trace) {
  return kMostHops - ((long long)trace & kMostHops);
}
// One arc further on.
template <class Id>
KONIG_FN Id lengthened(Id trace) {
  return ((long long)trace & kMostHops) > 0 ? Id(trace - 1) : trace;
}

template <class Id, class Amount>
struct Workspace {
  long long vertices;
  long long slot_count;
  const Id* start;                           // vertices + 1
  Slot<Id, Amount>* slots;                   // by owner
  Amount* to_sink;                           // vertices: residual capacity to the sink
  Amount* to_source;                         // what came from the source and may go back
  Amount* excess;                            // vertices
  const synchronous_flow::Label<Id>* known;  // exact labels to begin with; may be null
  Id* other;                                 // of each slot; does not change once it is made
  Id* reverse;                               // likewise
  Amount* out;                               // residual capacity of each slot
  Label<Id>* labels;                         // vertices
  Id* notices;                               // vertices: how often a neighbour has changed its label
  Id* seen;                                  // how many of them the vertex has looked into
  unsigned char* cut;                        // vertices: 1 on the source's side
  Rules rules;
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    layout.number(KONIG_NAMED(vertices, rules.span, rules.levels, rules.waves));
    layout.number("slots", slot_count);
    if (rules.waves > kMostWaves) rules.waves = kMostWaves;
    layout.given(KONIG_NAMED(start, slots, to_sink, to_source, excess, known, cut));
    layout.own(other, slot_count);
    layout.own(reverse, slot_count);
    layout.own(out, slot_count);
    layout.own(labels, vertices);
    layout.own(notices, vertices);
    layout.own(seen, vertices);
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    reading.status(s.progress.status, "running", "maximum", "unfinished");
    reading.progress(s.delivered, 0);  // the caller knows what there is to bring
    reading.statistic("waves", s.progress.wave);
    reading.statistic("visits", s.visits);
    reading.statistic("stranded", s.stranded);
    reading.statistic("pushes", s.moves);
    reading.statistic("relabels", s.rises);
    reading.statistic("slots_scanned", s.scanned);
    reading.statistic("supersteps", s.progress.meetings);
    reading.statistic("launches", s.launches);
    reading.word("delivered", s.delivered);
  }
};

}  // namespace konig::asynchronous_flow
