// The profile of a network, before build.h makes a residual network of its arcs: how much may flow, and which
// arcs join the same two vertices.
//
// Two launches. The first adds up what leaves the sources and what enters the sinks; the caller then knows
// how much a flow can carry at most. The second puts each inner arc, one between two vertices that are no
// terminals, under its ends in a hash table, where parallel and opposite arcs meet; arcs of the terminals are
// added up at their other ends. Sums stop at `bound`, which is more than a flow can carry, so none overflows.
//
// What a vertex gets from the sources is then cut to what it can pass on, to its neighbours and to the sinks,
// and what it may give to the sinks to what can come to it. Ample arcs of the terminals are as good as none
// for a solver: excess that a vertex cannot pass on would have to go back, and sums that no flow reaches
// would need wider words. A minimum cut of what is left may cross such an arc; with the vertex on the other
// side it does not, and is not larger. `aside` says for which vertices that is so.
#pragma once

#include "konig/flow/arcs.h"

namespace konig::flow_profile {

using residual::add_up_to, residual::Arcs, residual::Kind, residual::kSink, residual::kSource,
    residual::Sorted;

constexpr int kLowBits = 31;
constexpr long long kSafe = 1LL << 40;  // as many as there may be workers stay below 2^62

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

enum Status : long long { kRunning, kProfiled, kJoined };

struct State {
  long long status;
  long long profiled;  // whether the first launch is over
  Sum supply;
  Sum demand;
  Sum straight;  // from a source to a sink
  Sum cut_supply, cut_demand;
  long long inner;       // arcs between other vertices
  long long neighbours;  // pairs of vertices with an inner arc between them
};

// What the second launch alone needs is null in the first.
template <class Id>
struct Workspace {
  Arcs<Id> arcs;
  long long places;  // of the table: a power of two, at least twice the inner arcs; 0 for sums alone
  Id* table;         // one more than the number of the arc that stands for two neighbours; zeros at the start
  Id* slot_of_arc;   // of each inner arc: the arc that stands for its ends
  Id* degree;        // vertices; zeros at the start
  long long* supply;  // vertices; zeros at the start
  long long* demand;
  long long* leaving;    // vertices, zeros at the start: the capacity of inner arcs from it, or its supply
  long long* entering;   // and to it, or its demand, if that is less
  unsigned char* aside;  // vertices, zeros at the start: kSource where supply is cut, kSink where demand is
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    arcs.describe(layout);
    layout.number("places", places);
    layout.given(KONIG_NAMED(table, slot_of_arc, degree, supply, demand, leaving, entering, aside));
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    reading.status(s.status, "running", "profiled", "joined");
    reading.word("low_bits", kLowBits);
    reading.word("supply", s.supply.high);
    reading.word("supply_low", s.supply.low);
    reading.word("demand", s.demand.high);
    reading.word("demand_low", s.demand.low);
    reading.word("straight", s.straight.high);
    reading.word("straight_low", s.straight.low);
    reading.word("cut_supply", s.cut_supply.high);
    reading.word("cut_supply_low", s.cut_supply.low);
    reading.word("cut_demand", s.cut_demand.high);
    reading.word("cut_demand_low", s.cut_demand.low);
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
    if (first) {
      add_up();
    } else {
      join_neighbours();
      team_.barrier();
      add_up_ways();
      team_.barrier();
      cut_ends();
    }
    if (!team_.leads()) return;
    s->profiled = 1;
    s->status = first ? kProfiled : kJoined;
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

  KONIG_FN void join_neighbours() {
    long long neighbours = 0;
    each_arc(team_, w_.arcs, [&](long long k, Id t, Id h, long long amount) {
      const Sorted<Id> arc = w_.arcs.sorted(t, h, amount);
      if (arc.kind == Kind::kFromSource) add_up_to(w_.supply + arc.at, amount, w_.arcs.bound);
      if (arc.kind == Kind::kToSink) add_up_to(w_.demand + arc.at, amount, w_.arcs.bound);
      if (arc.kind == Kind::kInner && w_.places > 0)
        bsp::store(w_.slot_of_arc + k, find(Id(k), t, h, neighbours));
    });
    team_.add(&w_.state->neighbours, neighbours);
  }

  // At the vertices with supply and with demand only.
  KONIG_FN void add_up_ways() {
    each_arc(team_, w_.arcs, [&](long long, Id t, Id h, long long amount) {
      if (!w_.arcs.inner(t, h, amount)) return;
      add_way(t, h, amount);
      if (w_.arcs.undirected) add_way(h, t, amount);
    });
  }
  KONIG_FN void add_way(Id from, Id to, long long amount) {
    add_until(w_.leaving + from, amount, bsp::load(w_.supply + from));
    add_until(w_.entering + to, amount, bsp::load(w_.demand + to));
  }
  // Adds while there is less than `enough`; the sum may exceed it by what the workers add at once. Exchanges
  // instead of additions, which many arcs of one vertex would wait for, only where that might not fit a word.
  static KONIG_FN void add_until(long long* place, long long amount, long long enough) {
    if (enough == 0 || bsp::load(place) >= enough) return;
    if (amount > enough) amount = enough;
    if (enough <= kSafe)
      bsp::fetch_add(place, amount);
    else
      add_up_to(place, amount, enough);
  }

  KONIG_FN void cut_ends() {
    Sum supply, demand;
    team_.for_each(w_.arcs.vertices, [&](long long v) {
      const long long given = bsp::load(w_.supply + v), wanted = bsp::load(w_.demand + v);
      const long long in = within(given, bsp::load(w_.leaving + v), wanted);
      const long long out = within(wanted, bsp::load(w_.entering + v), given);
      if (in != given) bsp::store(w_.supply + v, in);
      if (out != wanted) bsp::store(w_.demand + v, out);
      if (in != given || out != wanted) w_.aside[v] = in != given ? kSource : kSink;  // never both
      supply.add(in);
      demand.add(out);
    });
    supply.publish(team_, &w_.state->cut_supply);
    demand.publish(team_, &w_.state->cut_demand);
  }
  // No more than the other two together, whose sum may not fit a word.
  static KONIG_FN long long within(long long amount, long long first, long long second) {
    if (first >= amount) return amount;
    return second < amount - first ? first + second : amount;
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
