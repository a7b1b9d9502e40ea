// From arcs in any order to the residual network of residual.h, and back, by a team and after profile.h: no
// sorting.
//
// The first launch gives each vertex its list of slots, puts a flow to start from on them, if there is one,
// and saturates the arcs of the sources. The second one, after the solve, distributes the net flow of each
// residual arc over its parallel arcs, in any order, to none beyond its capacity, and says on which side of
// the cut each vertex is.
#pragma once

#include "konig/flow/profile.h"
#include "konig/flow/residual.h"

namespace konig::residual {

constexpr int kBalancing = 1000;  // passes over the arcs until a flow to start from is given up

enum Status : long long { kRunning, kBuilt, kDealt };

struct State {
  long long status;
  long long built;    // whether the first launch is over
  long long longest;  // list of slots, negated
};

template <class Id, class Amount>
struct Workspace {
  Arcs<Id> arcs;
  long long slot_count;
  Id* slot_of_arc;             // as profile.h leaves it, and once laid out ~(the slot) of each inner arc
  Id* start;                   // vertices + 1
  Id* degree;                  // vertices; zeros in the end
  const long long* supply;     // vertices
  long long* demand;           // vertices
  Slot<Id, Amount>* slots;     // two for each pair of neighbours
  Amount* to_sink;             // what a vertex may still give to the sinks
  Amount* to_source;           // what it may give back to the sources
  Amount* excess;              // what it holds
  const long long* initial;    // a flow of each arc to start from, whose sum is at most 2^62; null for none
  long long* balance;          // with a start: vertices, zeros; then what the start leaves at each of them
  long long* flow;             // of each arc
  const unsigned char* aside;  // vertices: on which side profile.h wants it, if not 0
  const unsigned char* cut;    // of the solve: vertices that a source reaches
  unsigned char* side;         // vertices: whether it is on the sources' side
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    arcs.describe(layout);
    layout.number("slots", slot_count);
    layout.given(KONIG_NAMED(slot_of_arc, start, degree, supply, demand, slots, to_sink, to_source, excess,
                             initial, balance, flow, aside, cut, side));
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    reading.status(s.status, "running", "built", "dealt");
    reading.word("longest", -s.longest);
  }
};

template <class Team, class Id, class Amount>
class Builder {
 public:
  using Work = Workspace<Id, Amount>;

  KONIG_FN Builder(Team& team, const Work& workspace) : team_(team), w_(workspace) {}

  KONIG_FN void run() {
    State* s = w_.state;
    const bool first = s->built == 0;
    team_.barrier();  // nobody writes the state before all have read it
    if (first) {
      build();
      saturate();
    } else {
      add_up_capacities();
      team_.barrier();
      weigh();
      take_sides();
      team_.barrier();
      deal();
    }
    if (!team_.leads()) return;
    s->built = 1;
    s->status = first ? kBuilt : kDealt;
  }

 private:
  KONIG_FN void build() {
    lay_out();
    team_.barrier();
    place();
    team_.barrier();
    join();
    if (w_.initial) {
      team_.barrier();
      put_flow();
      team_.barrier();
      credit_flow();
      balance();
    }
    team_.barrier();
  }

  template <class Visit>
  KONIG_FN void each_arc(Visit visit) {
    residual::each_arc(team_, w_.arcs, visit);
  }

  KONIG_FN Id slot_of(long long arc) const { return Id(~bsp::load(w_.slot_of_arc + arc)); }
  KONIG_FN Id reverse_of(Id slot) const { return bsp::load(&w_.slots[slot].reverse); }

  KONIG_FN void lay_out() {
    long long longest = 0;
    const long long total = bsp::counts_to_offsets(
        team_, w_.arcs.vertices, [&](long long v) { return (long long)bsp::load(w_.degree + v); },
        [&](long long v, long long begin, long long degree) {
          bsp::store(w_.start + v, Id(begin));
          if (degree > longest) longest = degree;
        });
    if (team_.leads()) bsp::store(w_.start + w_.arcs.vertices, Id(total));
    longest = -team_.group_min(-longest, Team::kWarp);
    if (longest > 0 && team_.index() % Team::kWarp == 0) bsp::fetch_min(&w_.state->longest, -longest);
  }

  // The next free slot of a vertex in order of arrival, from an offset that depends on the vertex. Where all
  // lists of a lattice began with the same direction, all vertices would push that way first: a fifth more
  // work.
  KONIG_FN Id next_slot(Id v) {
    const Id first = bsp::load(w_.start + v), degree = bsp::load(w_.start + v + 1) - first;
    const Id left = bsp::fetch_add(w_.degree + v, Id(-1));
    return first + Id((scattered(v) + (unsigned long long)(degree - left)) % (unsigned long long)degree);
  }
  static KONIG_FN unsigned long long scattered(Id v) {
    return ((unsigned long long)v * 0x9E3779B97F4A7C15ULL) >> 32;  // Knuth's multiplicative hashing
  }

  // The two slots of neighbours, with the capacity of the arc that stands for them.
  KONIG_FN void place() {
    each_arc([&](long long k, Id t, Id h, long long amount) {
      if (!w_.arcs.inner(t, h, amount) || bsp::load(w_.slot_of_arc + k) != Id(k)) return;
      const Id here = next_slot(t), there = next_slot(h);
      const Amount along = Amount(amount), against = w_.arcs.undirected ? along : Amount(0);
      w_.slots[here] = {h, there, along, against};
      w_.slots[there] = {t, here, against, along};
      bsp::store(w_.slot_of_arc + k, Id(~here));
    });
    team_.for_each(w_.arcs.vertices, [&](long long v) {
      bsp::store(w_.to_sink + v, Amount(w_.demand[v]));
      bsp::store(w_.to_source + v, Amount(0));
      bsp::store(w_.excess + v, Amount(0));
    });
  }

  // The capacities of all other arcs. An arc that stands for others has a slot by now, the others have not.
  KONIG_FN void join() {
    each_arc([&](long long k, Id t, Id h, long long amount) {
      if (!w_.arcs.inner(t, h, amount)) return;
      const Id first = bsp::load(w_.slot_of_arc + k);
      if (first < 0) return;
      Id slot = slot_of(first);
      if (w_.arcs.tail_of(first) != t) slot = reverse_of(slot);
      const Id reverse = reverse_of(slot);
      const Amount more = Amount(amount), bound = Amount(w_.arcs.bound);
      add_up_to(&w_.slots[slot].out, more, bound);
      add_up_to(&w_.slots[reverse].in, more, bound);
      if (w_.arcs.undirected) {
        add_up_to(&w_.slots[reverse].out, more, bound);
        add_up_to(&w_.slots[slot].in, more, bound);
      }
      bsp::store(w_.slot_of_arc + k, Id(~slot));
    });
  }

  // Takes the initial flow of each arc off the residual capacities, as far as they go.
  KONIG_FN void put_flow() {
    each_arc([&](long long k, Id t, Id h, long long amount) {
      const Sorted<Id> arc = w_.arcs.sorted(t, h, amount);
      const long long given = w_.initial[k];
      const bool turned = given < 0;
      const long long wanted = turned ? -given : given;
      if (wanted < amount) amount = wanted;
      long long put = 0;
      if (arc.kind == Kind::kInner) {
        const Id slot = slot_of(k);
        put = (long long)take(&w_.slots[turned ? reverse_of(slot) : slot].out, Amount(amount));
      }
      if (turned == arc.against) {
        if (arc.kind == Kind::kFromSource)
          put = (long long)add_up_to(w_.to_source + arc.at, Amount(amount), Amount(w_.supply[arc.at]));
        if (arc.kind == Kind::kToSink) put = (long long)take(w_.to_sink + arc.at, Amount(amount));
      }
      bsp::store(w_.flow + k, turned ? -put : put);
    });
  }

  // An arc with flow: where that comes from, where it goes to, and how much there is.
  struct Carried {
    Id from, to;
    long long amount;
    bool turned;
  };
  template <class Visit>
  KONIG_FN void each_flow(Visit visit) {
    each_arc([&](long long k, Id t, Id h, long long amount) {
      const Sorted<Id> arc = w_.arcs.sorted(t, h, amount);
      const long long flow = bsp::load(w_.flow + k);
      if (flow == 0) return;
      visit(k, arc.kind, flow < 0 ? Carried{h, t, -flow, true} : Carried{t, h, flow, false});
    });
  }

  // Adds the flow to the reverse residual capacities; balance[v] becomes inflow less outflow.
  KONIG_FN void credit_flow() {
    each_flow([&](long long k, Kind kind, const Carried& flow) {
      if (kind == Kind::kInner) bsp::fetch_add(back(k, flow.turned), Amount(flow.amount));
      if (kind != Kind::kFromSource) bsp::fetch_add(w_.balance + flow.from, -flow.amount);
      if (kind != Kind::kToSink) bsp::fetch_add(w_.balance + flow.to, flow.amount);
    });
  }

  // The residual capacity against the flow of an inner arc.
  KONIG_FN Amount* back(long long arc, bool turned) {
    const Id slot = slot_of(arc);
    return &w_.slots[turned ? slot : reverse_of(slot)].out;
  }

  // Where a vertex sends more than it receives its arcs carry less, then their heads receive less, and so on
  // downstream. That ends, for every pass makes the flow smaller; after kBalancing passes the flow
  // is dropped.
  KONIG_FN void balance() {
    bool lacking = true;
    for (int pass = 0; pass < kBalancing && lacking; ++pass) {
      bool own = false;
      team_.barrier();
      team_.for_each(w_.arcs.vertices, [&](long long v) { own |= bsp::load(w_.balance + v) < 0; });
      lacking = team_.any(own) != 0;
      if (!lacking) break;
      each_flow([&](long long k, Kind kind, const Carried& flow) {
        if (kind == Kind::kFromSource) return;
        withdraw(k, kind, flow, add_up_to(w_.balance + flow.from, flow.amount, 0LL));
      });
    }
    team_.barrier();
    if (lacking) {
      each_flow([&](long long k, Kind kind, const Carried& flow) { withdraw(k, kind, flow, flow.amount); });
      team_.barrier();
    }
    team_.for_each(w_.slot_count, [&](long long s) {
      bsp::store(&w_.slots[s].in, bsp::load(&w_.slots[reverse_of(Id(s))].out));
    });
    team_.for_each(w_.arcs.vertices, [&](long long v) {
      if (lacking) bsp::store(w_.balance + v, 0LL);
      bsp::store(w_.excess + v, Amount(bsp::load(w_.balance + v)));
    });
  }

  KONIG_FN void withdraw(long long k, Kind kind, const Carried& flow, long long amount) {
    if (amount == 0) return;
    const long long left = flow.amount - amount;
    bsp::store(w_.flow + k, flow.turned ? -left : left);
    if (kind == Kind::kFromSource) bsp::fetch_add(w_.to_source + flow.to, Amount(-amount));
    if (kind == Kind::kToSink) bsp::fetch_add(w_.to_sink + flow.from, Amount(amount));
    if (kind != Kind::kInner) return;
    bsp::fetch_add(back(k, flow.turned), Amount(-amount));
    bsp::fetch_add(back(k, !flow.turned), Amount(amount));
    bsp::fetch_add(w_.balance + flow.to, -amount);
  }

  // Excess goes straight to the sink as far as the vertex's own sink arcs allow.
  KONIG_FN void saturate() {
    team_.for_each(w_.arcs.vertices, [&](long long v) {
      const Amount sent = bsp::load(w_.to_source + v), room = bsp::load(w_.to_sink + v);
      const Amount held = Amount(bsp::load(w_.excess + v) + (Amount(w_.supply[v]) - sent));
      const Amount at_once = least(held, room);
      bsp::store(w_.to_source + v, Amount(w_.supply[v]));
      bsp::store(w_.to_sink + v, Amount(room - at_once));
      bsp::store(w_.excess + v, Amount(held - at_once));
    });
  }

  // Leaves in each slot the capacity of its arcs.
  KONIG_FN void add_up_capacities() {
    team_.for_each(w_.slot_count, [&](long long s) { bsp::store(&w_.slots[s].in, Amount(0)); });
    team_.barrier();
    each_arc([&](long long k, Id t, Id h, long long amount) {
      if (!w_.arcs.inner(t, h, amount)) return;
      const Id slot = slot_of(k);
      add_up_to(&w_.slots[slot].in, Amount(amount), Amount(w_.arcs.bound));
      if (w_.arcs.undirected)
        add_up_to(&w_.slots[reverse_of(slot)].in, Amount(amount), Amount(w_.arcs.bound));
    });
  }

  // Leaves in each slot the net flow along it, and at each vertex what it gave to the sinks.
  KONIG_FN void weigh() {
    team_.for_each(w_.slot_count, [&](long long s) {
      const Amount all = bsp::load(&w_.slots[s].in);
      bsp::store(&w_.slots[s].in, Amount(all - least(all, w_.slots[s].out)));
    });
    team_.for_each(w_.arcs.vertices,
                   [&](long long v) { bsp::store(w_.demand + v, w_.demand[v] - (long long)w_.to_sink[v]); });
  }

  KONIG_FN void take_sides() {
    team_.for_each(w_.arcs.vertices, [&](long long v) {
      const unsigned char role = w_.arcs.role_of(Id(v));
      const bool reached = role == kSource || (role != kSink && w_.cut[v] != 0);
      const bool beyond = reached != (w_.arcs.turned != 0);
      w_.side[v] = w_.aside[v] == 0 ? beyond : w_.aside[v] == kSource;
    });
  }

  KONIG_FN void deal() {
    each_arc([&](long long k, Id t, Id h, long long amount) {
      long long flow = 0;
      if (w_.arcs.inner(t, h, amount)) {
        const Id slot = slot_of(k);
        flow = (long long)take(&w_.slots[slot].in, Amount(amount));
        if (w_.arcs.undirected && flow == 0)
          flow = -(long long)take(&w_.slots[reverse_of(slot)].in, Amount(amount));
      } else {
        const Sorted<Id> arc = w_.arcs.sorted(t, h, amount);
        if (arc.kind == Kind::kStraight) flow = amount;
        if (arc.kind == Kind::kFromSource) flow = (long long)take(w_.to_source + arc.at, Amount(amount));
        if (arc.kind == Kind::kToSink) flow = take(w_.demand + arc.at, amount);
        if (arc.against) flow = -flow;
      }
      w_.flow[k] = flow;
    });
  }

  Team& team_;
  const Work& w_;
};

template <class Id, class Amount>
using Program = bsp::ProgramOf<Workspace<Id, Amount>, State, 0, Builder, Id, Amount>;

}  // namespace konig::residual
