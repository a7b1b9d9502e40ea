// The profile of a network, before build.h makes a residual network of its arcs: how much may flow, and which
// arcs join the same two vertices.
//
// Two launches. The first adds up what leaves the sources and what enters the sinks; the caller then knows
// how much a flow can carry at most. The second puts each inner arc, one between two vertices that are no
// terminals, under its ends in a hash table, where parallel and opposite arcs meet; arcs of the terminals are
// added up at their other ends.
//
// Sums of capacities stop at `bound`, which is more than a flow can carry, so none overflows. Ids are of 32
// or 64 bits and count vertices, arcs and slots.
//
// Roles are 1 at sources, 2 at sinks, 0 elsewhere. Arcs into a source or out of a sink are left out, as loops
// are: some maximum flow uses none of them. An undirected arc may be used either way.
#pragma once

#include "konig/bsp/program.h"
#include "konig/bsp/team.h"

namespace konig::residual {

constexpr unsigned char kSource = 1, kSink = 2;
constexpr int kLowBits = 31;

enum class Kind { kNone, kStraight, kFromSource, kToSink, kInner };

// What an arc is; `at` is its end that is no terminal, and `against` says that it is used from head to tail.
template <class Id>
struct Sorted {
  Kind kind;
  Id at;
  bool against;
};

template <class Id>
struct Arcs {
  long long vertices;
  long long count;
  const Id* tail;
  const Id* head;
  const long long* capacity;
  const unsigned char* role;
  long long undirected;
  long long bound;  // more than a flow can carry

  template <class Layout>
  KONIG_FN void describe(Layout& layout) {
    layout.number(KONIG_NAMED(vertices, undirected, bound));
    layout.number("arcs", count);
    layout.given(KONIG_NAMED(tail, head, capacity, role));
  }

  KONIG_FN long long room(long long arc) const { return capacity[arc] < bound ? capacity[arc] : bound; }

  KONIG_FN bool inner(Id t, Id h, long long amount) const {
    return t != h && amount != 0 && role[t] == 0 && role[h] == 0;
  }

  KONIG_FN Sorted<Id> sorted(Id t, Id h, long long amount) const {
    if (t == h || amount == 0) return {Kind::kNone, t, false};
    const unsigned char from = role[t], to = role[h];
    if (from == 0 && to == 0) return {Kind::kInner, t, false};
    if (from == to) return {Kind::kNone, t, false};
    if (from == kSource && to == kSink) return {Kind::kStraight, t, false};
    if (from == kSource && to == 0) return {Kind::kFromSource, h, false};
    if (from == 0 && to == kSink) return {Kind::kToSink, t, false};
    if (!undirected) return {Kind::kNone, t, false};
    if (from == kSink && to == kSource) return {Kind::kStraight, t, true};
    if (to == kSource) return {Kind::kFromSource, t, true};
    return {Kind::kToSink, h, true};
  }
};

// A sum of capacities in two parts, of which no one overflows.
struct Sum {
  long long high = 0, low = 0;

  KONIG_FN void add(long long amount) {
    high += amount >> kLowBits;
    low += amount & ((1LL << kLowBits) - 1);
  }
  template <class Team>
  KONIG_FN void publish(Team& team, Sum* place) const {
    team.add(&place->high, high);
    team.add(&place->low, low);
  }
};

// visit(arc, tail, head, capacity)
template <class Team, class Id, class Visit>
KONIG_FN void each_arc(Team& team, const Arcs<Id>& arcs, Visit visit) {
  struct Read {
    Id tail, head;
    long long amount;
  };
  team.for_each_ahead(
      arcs.count, [&](long long k) { return Read{arcs.tail[k], arcs.head[k], arcs.room(k)}; },
      [&](long long k, const Read& arc) { visit(k, arc.tail, arc.head, arc.amount); });
}

// Adds, but not beyond the bound; what was added. Neither summand is above it.
template <class T>
KONIG_FN T add_up_to(T* place, T amount, T bound) {
  for (T seen = bsp::load(place);;) {
    const T free = bound - seen, added = amount < free ? amount : free;
    const T found = bsp::compare_exchange(place, seen, T(seen + added));
    if (found == seen) return added;
    seen = found;
  }
}

}  // namespace konig::residual

namespace konig::flow_profile {

using residual::add_up_to, residual::Arcs, residual::Kind, residual::Sorted, residual::Sum;

enum Status : long long { kRunning, kProfiled, kEntered };

struct State {
  long long status;
  long long profiled;  // whether the first launch is over
  Sum supply;
  Sum demand;
  Sum straight;          // from a source to a sink
  long long inner;       // arcs between other vertices
  long long neighbours;  // pairs of vertices with an inner arc between them
};

// What the second launch alone needs is null in the first.
template <class Id>
struct Workspace {
  Arcs<Id> arcs;
  long long places;  // of the table: a power of two, at least twice the inner arcs
  Id* table;         // one more than the number of the arc that stands for two neighbours; zeros at the start
  Id* slot_of_arc;   // of each inner arc: the arc that stands for its ends
  Id* degree;        // vertices; zeros at the start
  long long* supply;  // vertices; zeros at the start
  long long* demand;
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    arcs.describe(layout);
    layout.number("places", places);
    layout.given(KONIG_NAMED(table, slot_of_arc, degree, supply, demand));
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    reading.status(s.status, "running", "profiled", "entered");
    reading.word("low_bits", residual::kLowBits);
    reading.word("supply", s.supply.high);
    reading.word("supply_low", s.supply.low);
    reading.word("demand", s.demand.high);
    reading.word("demand_low", s.demand.low);
    reading.word("straight", s.straight.high);
    reading.word("straight_low", s.straight.low);
    reading.word("inner", s.inner);
    reading.word("neighbours", s.neighbours);
  }
};

template <class Team, class Id>
class Profiler {
 public:
  KONIG_FN Profiler(Team& team, const Workspace<Id>& workspace) : team_(team), w_(workspace) {}

  KONIG_FN void run() {
    State* s = w_.state;
    const bool first = s->profiled == 0;
    team_.barrier();  // nobody writes the state before all have read it
    if (first)
      add_up();
    else
      enter();
    if (!team_.leads()) return;
    s->profiled = 1;
    s->status = first ? kProfiled : kEntered;
  }

 private:
  KONIG_FN void add_up() {
    Sum supply, demand, straight;
    long long inner = 0;
    each_arc(team_, w_.arcs, [&](long long, Id t, Id h, long long amount) {
      const Sorted<Id> arc = w_.arcs.sorted(t, h, amount);
      if (arc.kind == Kind::kStraight) straight.add(amount);
      if (arc.kind == Kind::kFromSource) supply.add(amount);
      if (arc.kind == Kind::kToSink) demand.add(amount);
      inner += arc.kind == Kind::kInner;
    });
    supply.publish(team_, &w_.state->supply);
    demand.publish(team_, &w_.state->demand);
    straight.publish(team_, &w_.state->straight);
    team_.add(&w_.state->inner, inner);
  }

  KONIG_FN void enter() {
    long long neighbours = 0;
    each_arc(team_, w_.arcs, [&](long long k, Id t, Id h, long long amount) {
      const Sorted<Id> arc = w_.arcs.sorted(t, h, amount);
      if (arc.kind == Kind::kFromSource) add_up_to(w_.supply + arc.at, amount, w_.arcs.bound);
      if (arc.kind == Kind::kToSink) add_up_to(w_.demand + arc.at, amount, w_.arcs.bound);
      if (arc.kind == Kind::kInner) bsp::store(w_.slot_of_arc + k, find(Id(k), t, h, neighbours));
    });
    team_.add(&w_.state->neighbours, neighbours);
  }

  // The arc that stands for the ends of this one; if it is this one, it counts at both ends.
  KONIG_FN Id find(Id arc, Id t, Id h, long long& neighbours) {
    const Id low = t < h ? t : h, high = t < h ? h : t;
    unsigned long long mixed = ((unsigned long long)low * 0x9E3779B97F4A7C15ULL) ^
                               ((unsigned long long)high * 0xC2B2AE3D27D4EB4FULL);
    mixed ^= mixed >> 29;
    for (long long place = (long long)(mixed * 0xBF58476D1CE4E5B9ULL >> 20) & (w_.places - 1);;
         place = (place + 1) & (w_.places - 1)) {
      Id seen = bsp::load(w_.table + place);
      if (seen == 0) seen = bsp::compare_exchange(w_.table + place, Id(0), Id(arc + 1));
      if (seen == 0) {
        ++neighbours;
        bsp::fetch_add(w_.degree + low, Id(1));
        bsp::fetch_add(w_.degree + high, Id(1));
        return arc;
      }
      const Id tail = w_.arcs.tail[seen - 1], head = w_.arcs.head[seen - 1];
      if ((tail == t && head == h) || (tail == h && head == t)) return seen - 1;
    }
  }

  Team& team_;
  const Workspace<Id>& w_;
};

template <class Id>
using Program = bsp::ProgramOf<Workspace<Id>, State, 0, Profiler, Id>;

}  // namespace konig::flow_profile
