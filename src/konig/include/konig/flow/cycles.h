// Which arcs of a flow may lie on a cycle of it: those that are left when vertices that no flow enters are
// taken off repeatedly (Kahn 1962), and then, of what is left, those that none leaves. All sources count as
// one vertex, and so do all sinks.
//
// First arcs go that no flow comes to or leads on from: all of the terminals, in a flow of push-relabel,
// which has no arcs into a source. Then come two passes. A pass lists the arcs by the end that the flow comes
// from, or goes to in the second pass, counts those that wait at the other end, and takes off vertices that
// none waits for. No order matters there, so each thread block (of a GPU; a thread on the host) goes on with
// what it took off itself for up to kRounds layers before all meet. What is left lies on a cycle, or between
// two.
//
// In lattices that is most of the flow, because of a few thousand cycles of four arcs. So if much is left,
// short cycles are cancelled, and the two passes come again. Every vertex chooses one of its arcs at random:
// cycles of chosen arcs have no vertex in common, and the vertex of the lowest number on each takes the least
// flow on it off. That is done kTries times. What is left in the end goes to the host, which finds all
// cycles.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/flow/arcs.h"
#include "konig/flow/frontier.h"

namespace konig::flow_cycles {

using residual::kSink, residual::kSource;

constexpr int kRounds = 64;
constexpr int kShort = 32;  // entries that one worker takes off alone
constexpr int kTurns = 2;   // of cancelling, at most
constexpr int kTries = 128;
constexpr int kWalk = 16;  // the longest cycle that is cancelled
// The host is done with fewer arcs sooner. A stress build makes it tiny.
#ifndef KONIG_FLOW_MANY
#define KONIG_FLOW_MANY (1 << 14)
#endif
constexpr long long kMany = KONIG_FLOW_MANY;

enum Status : long long { kRunning, kDone };
enum Step : long long {
  kMark,
  kSieve,
  kClear,
  kCount,
  kLayOut,
  kFill,
  kPlant,
  kPeel,
  kKeep,
  kChoose,
  kWalkOn
};

// What the workers hold copies of, which stay equal because they change by agreed values only.
struct Progress {
  long long status;
  long long step;
  long long pass;  // 2 while cycles are cancelled
  long long turns;
  long long tries;
  long long items;  // arcs that are left, in list `in`
  long long in;
  long long rounds;  // supersteps that used a tally: they take turns by it
  long long pieces;
  long long long_pieces;
};

struct State {
  Progress progress;
  bsp::Tally tallies[bsp::kTallies];
  long long kept;  // counts the arcs of the next list
  long long supersteps;
};

// Some arcs of a vertex's list.
template <class Id>
struct Piece {
  Id first;
  int length;
};

template <class Id>
struct Workspace {
  long long vertices;
  long long arcs;
  long long source;  // the vertex that stands for all sources
  long long sink;
  const Id* tail;
  const Id* head;
  long long* flow;            // of each arc, negative against its direction
  const unsigned char* role;  // of each vertex
  Id* list;                   // two lists of up to `arcs` arcs
  Id* waiting;                // vertices: arcs that keep it from being taken off; or the entry chosen
  Id* listed;                 // vertices: arcs in its list
  Id* start;                  // vertices + 1: where its list begins
  Id* others;                 // the other ends of the arcs, by list
  Id* entries;                // and the arcs
  Piece<Id>* fronts;          // two of `pieces`
  long long pieces;
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    layout.number(KONIG_NAMED(vertices, arcs, source, sink));
    layout.given(KONIG_NAMED(tail, head, flow, role, list));
    pieces = frontier::room_for_pieces(vertices, arcs);
    layout.own(waiting, vertices, bsp::Filling::kZeros);
    layout.own(listed, vertices, bsp::Filling::kZeros);
    layout.own(start, vertices + 1);
    layout.own(others, arcs);
    layout.own(entries, arcs);
    layout.own(fronts, 2 * pieces);
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    reading.status(s.progress.status, "running", "done");
    reading.word("list", s.progress.in);
    reading.word("kept", s.progress.items);
    reading.word("supersteps", s.supersteps);
  }
};

template <class Team, class Id>
class Trimmer {
 public:
  using Work = Workspace<Id>;

  KONIG_FN Trimmer(Team& team, const Work& workspace) : team_(team), w_(workspace) {}

  KONIG_FN void run() {
    p_ = w_.state->progress;
    team_.barrier();  // nobody leaves, and writes the state, before all have read it
    long long supersteps = 0;
    while (p_.status == kRunning) {
      step();
      ++supersteps;
      if (team_.expired()) break;
    }
    if (!team_.leads()) return;
    w_.state->progress = p_;
    w_.state->supersteps += supersteps;
  }

 private:
  KONIG_FN void step() {
    switch (p_.step) {
      case kMark:
        return mark();
      case kSieve:
        return keep([&](Id from, Id to) {
          return bsp::load(w_.waiting + from) != 0 && bsp::load(w_.listed + to) != 0;
        });
      case kClear:
        return clear();
      case kCount:
        return count();
      case kLayOut:
        return lay_out();
      case kFill:
        return fill();
      case kPlant:
        return plant();
      case kPeel:
        return peel();
      case kChoose:
        return choose();
      case kWalkOn:
        return cancel_short();
      default:
        return keep([&](Id from, Id) { return bsp::load(w_.waiting + from) != 0; });
    }
  }

  KONIG_FN void go_to(Step step) { p_.step = step; }

  // Flow enters what has waiting arcs, and leaves what has listed ones.
  KONIG_FN void mark() {
    each_left([&](Id, Id from, Id to) {
      bsp::store(w_.listed + from, Id(1));
      bsp::store(w_.waiting + to, Id(1));
    });
    team_.barrier();
    go_to(kSieve);
  }

  KONIG_FN void clear() {
    team_.for_each(w_.vertices, [&](long long v) {
      bsp::store(w_.listed + v, Id(0));
      bsp::store(w_.waiting + v, Id(0));
    });
    team_.barrier();
    go_to(kCount);
  }

  KONIG_FN void count() {
    each_left([&](Id, Id from, Id to) {
      bsp::fetch_add(w_.listed + from, Id(1));
      bsp::fetch_add(w_.waiting + to, Id(1));
    });
    team_.barrier();
    go_to(kLayOut);
  }

  KONIG_FN void lay_out() {
    const long long total = bsp::counts_to_offsets(
        team_, w_.vertices, [&](long long v) { return (long long)bsp::load(w_.listed + v); },
        [&](long long v, long long begin, long long) { bsp::store(w_.start + v, Id(begin)); });
    if (team_.leads()) bsp::store(w_.start + w_.vertices, Id(total));
    team_.barrier();
    go_to(kFill);
  }

  KONIG_FN void fill() {
    each_left([&](Id arc, Id from, Id to) {
      const Id place = bsp::load(w_.start + from) + bsp::fetch_add(w_.listed + from, Id(-1)) - 1;
      bsp::store(w_.others + place, to);
      bsp::store(w_.entries + place, arc);
    });
    team_.barrier();
    go_to(p_.pass < 2 ? kPlant : kChoose);
  }

  KONIG_FN void plant() {
    const Next next = next_frontier();
    team_.for_each(w_.vertices, [&](long long v) {
      if (bsp::load(w_.waiting + v) == 0) take_off(next, Id(v));
    });
    team_.deliver(next.few);
    close();
    go_to(p_.pieces + p_.long_pieces > 0 ? kPeel : kKeep);
  }

  KONIG_FN void peel() {
    const Next next = next_frontier();
    const Piece<Id>* front = frontier::array_of(w_.fronts, w_.pieces, p_.rounds + 1);
    team_.expand(front, p_.pieces, p_.long_pieces, w_.pieces, next.few, 1, kRounds,
                 [&](const Piece<Id>& piece, int lane, int width) {
                   for (int k = lane; k < piece.length; k += width) {
                     const Id other = bsp::load(w_.others + piece.first + k);
                     if (bsp::fetch_add(w_.waiting + other, Id(-1)) == 1) take_off(next, other);
                   }
                   team_.spend(piece.length);
                 });
    close();
    if (p_.pieces + p_.long_pieces == 0) go_to(kKeep);
  }

  // Makes a list of the arcs that stay.
  template <class Stays>
  KONIG_FN void keep(Stays stays) {
    Id* into = w_.list + (1 - p_.in) * w_.arcs;
    each_left([&](Id arc, Id from, Id to) {
      if (stays(from, to)) bsp::store(into + team_.reserve(&w_.state->kept, 1), arc);
    });
    team_.barrier();
    p_.items = bsp::load(&w_.state->kept);
    p_.in = 1 - p_.in;
    team_.barrier();
    if (team_.leads()) bsp::store(&w_.state->kept, 0LL);
    if (p_.step == kKeep) ++p_.pass;
    if (p_.items == 0 || (p_.pass == 2 && (p_.items < kMany || p_.turns == kTurns)))
      p_.status = kDone;
    else
      go_to(kClear);
  }

  // ---- short cycles, in the lists of what is left ----

  KONIG_FN void choose() {
    team_.for_each(w_.vertices, [&](long long v) {
      const Id first = bsp::load(w_.start + v), length = bsp::load(w_.start + v + 1) - first;
      Id chosen = -1;
      const unsigned long long begin = length > 1 ? mixed((unsigned long long)v) % length : 0;
      for (Id k = 0; k < length && chosen < 0; ++k) {
        const Id place = first + Id((begin + (unsigned long long)k) % length);
        if (bsp::load(w_.flow + bsp::load(w_.entries + place)) != 0) chosen = place;
      }
      bsp::store(w_.waiting + v, chosen);
    });
    team_.barrier();
    go_to(kWalkOn);
  }

  // Another number for every vertex and try (the mixer of SplitMix64).
  KONIG_FN unsigned long long mixed(unsigned long long v) const {
    unsigned long long word = v * 0x9E3779B97F4A7C15ULL ^
                              (unsigned long long)(p_.turns * kTries + p_.tries + 1) * 0xD1B54A32D192ED03ULL;
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9ULL;
    word = (word ^ word >> 27) * 0x94D049BB133111EBULL;
    return word ^ word >> 31;
  }

  KONIG_FN void cancel_short() {
    team_.for_each(w_.vertices, [&](long long v) {
      Id place = bsp::load(w_.waiting + v), at = -1;
      for (int step = 0; step < kWalk && place >= 0; ++step) {
        at = bsp::load(w_.others + place);
        if ((long long)at <= v) break;
        place = bsp::load(w_.waiting + at);
      }
      if ((long long)at == v) cancel_from(at);
    });
    team_.barrier();
    ++p_.tries;
    if (p_.tries < kTries) return go_to(kChoose);
    p_.tries = p_.pass = 0;
    ++p_.turns;
    go_to(kClear);
  }

  // Takes the least flow off the cycle of chosen arcs through v, which no other worker touches.
  KONIG_FN void cancel_from(Id v) {
    long long least = 0;
    Id at = v;
    do {
      const Id place = bsp::load(w_.waiting + at);
      const long long flow = bsp::load(w_.flow + bsp::load(w_.entries + place));
      const long long amount = flow < 0 ? -flow : flow;
      if (at == v || amount < least) least = amount;
      at = bsp::load(w_.others + place);
    } while (at != v);
    do {
      const Id place = bsp::load(w_.waiting + at);
      long long* flow = w_.flow + bsp::load(w_.entries + place);
      const long long before = bsp::load(flow);
      bsp::store(flow, before < 0 ? before + least : before - least);
      at = bsp::load(w_.others + place);
    } while (at != v);
  }

  using Next = frontier::Next<Piece<Id>>;

  KONIG_FN Next next_frontier() const {
    return frontier::open_next(team_, w_.fronts, w_.pieces, w_.state->tallies, p_.rounds);
  }

  KONIG_FN void take_off(const Next& next, Id v) {
    const Id first = bsp::load(w_.start + v);
    next.add_list(team_, (long long)(bsp::load(w_.start + v + 1) - first), kShort,
                  [&](long long from, int length) { return Piece<Id>{Id(first + from), length}; });
  }

  KONIG_FN void close() {
    const bsp::Counted outcome = team_.count_up(0, w_.state->tallies + p_.rounds % bsp::kTallies);
    p_.pieces = outcome.first;
    p_.long_pieces = outcome.second;
    ++p_.rounds;
  }

  // visit(arc, from, to) for all arcs with flow that are left: where that comes from and goes to, or the
  // other way round in the second pass.
  template <class Visit>
  KONIG_FN void each_left(Visit visit) {
    const bool all = p_.step == kMark || p_.step == kSieve;
    const Id* list = w_.list + p_.in * w_.arcs;
    team_.for_each(all ? w_.arcs : p_.items, [&](long long i) {
      const Id arc = all ? Id(i) : bsp::load(list + i);
      const long long flow = bsp::load(w_.flow + arc);
      if (flow == 0) return;
      const Id tail = merged(w_.tail[arc]), head = merged(w_.head[arc]);
      if ((flow > 0) == (p_.pass == 0))
        visit(arc, tail, head);
      else
        visit(arc, head, tail);
    });
  }

  KONIG_FN Id merged(Id vertex) const {
    const unsigned char role = w_.role[vertex];
    return role == kSource ? Id(w_.source) : role == kSink ? Id(w_.sink) : vertex;
  }

  Team& team_;
  const Work& w_;
  Progress p_;
};

template <class Id>
using Program = bsp::ProgramOf<Workspace<Id>, State, 0, Trimmer, Id>;

}  // namespace konig::flow_cycles
