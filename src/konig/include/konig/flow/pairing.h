// From arcs to the pairs of neighbours of slot.h, and back: no sorting, a hash table.
//
// Four stages, each a launch; between them the caller reads the totals and chooses sizes and types. `survey`
// adds up what there is. `enter` puts each arc between two vertices that are no terminals under its pair of
// ends, where parallel and opposite arcs meet; arcs of the terminals are added up at their other ends.
// `lay_out` gives each vertex its list of slots. `deal`, after the solve, reads the flow of each arc off the
// slots: what a pair carries is dealt out to its arcs in any order, to none beyond its capacity, so no pair
// carries flow both ways.
//
// Assumes ids of 32 bits, at most 2^62 of supply and of demand, and inner capacities whose sum is at most
// 2^62.
//
// Roles are 1 at sources, 2 at sinks, 0 elsewhere. Arcs into a source or out of a sink are left out, as loops
// are: some maximum flow uses none of them. An undirected arc may be used either way.
#pragma once

#include "konig/bsp/team.h"
#include "konig/flow/slot.h"

namespace konig::pairing {

constexpr unsigned char kSource = 1, kSink = 2;

// Everything is zero before the first launch. Sums of capacities come in two parts, of which no one
// overflows.
struct Totals {
  long long supply[2];
  long long demand[2];
  long long straight[2];  // from a source to a sink
  long long inner;        // arcs between other vertices
  long long widest;       // of them, negated
  long long pairs;
  long long widest_pair;  // the larger of its two capacities, negated
  long long longest;      // list of slots, negated
  long long value[2];     // what sinks receive
};
constexpr int kLowBits = 31;

enum Stage : long long { kSurvey, kEnter, kLayOut, kDeal };

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

  KONIG_FN long long room(long long arc) const { return capacity[arc] < bound ? capacity[arc] : bound; }

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

template <class Id, class Amount>
struct Workspace {
  Arcs<Id> arcs;
  long long places;   // of the table: a power of two, at least twice the inner arcs
  long long* keys;    // of the table: both ends in a word, 0 where there is none
  long long* up;      // its capacities from the smaller number to the larger ...
  long long* down;    // ... and back
  Id* at;             // the slot at the end of smaller number
  Id* entry;          // of each arc: its place in the table
  Id* start;          // vertices + 1
  Id* degree;         // vertices; zeros at the start, and again in the end
  long long* supply;  // vertices; zeros at the start
  long long* demand;
  paired_flow::Slot<Id, Amount>* slots;  // twice the pairs
  Amount* to_sink;
  Amount* to_source;
  Amount* excess;
  long long* flow;  // of each arc
  Totals* totals;
};

template <class Team, class Id, class Amount>
class Pairing {
 public:
  using Work = Workspace<Id, Amount>;

  KONIG_FN Pairing(Team& team, const Work& workspace) : team_(team), w_(workspace) {}

  KONIG_FN void run(long long stage) {
    if (stage == kSurvey) survey();
    if (stage == kEnter) enter();
    if (stage == kLayOut) {
      lay_out();
      team_.barrier();
      fill();
    }
    if (stage == kDeal) {
      weigh();
      team_.barrier();
      deal();
    }
  }

 private:
  KONIG_FN void survey() {
    Sum supply, demand, straight;
    long long inner = 0, widest = 0;
    each_arc([&](long long, Id, Id, long long amount, const Sorted<Id>& arc) {
      if (arc.kind == Kind::kStraight) straight.add(amount);
      if (arc.kind == Kind::kFromSource) supply.add(amount);
      if (arc.kind == Kind::kToSink) demand.add(amount);
      if (arc.kind != Kind::kInner) return;
      ++inner;
      if (amount > widest) widest = amount;
    });
    publish(supply, w_.totals->supply);
    publish(demand, w_.totals->demand);
    publish(straight, w_.totals->straight);
    team_.add(&w_.totals->inner, inner);
    most(widest, &w_.totals->widest);
  }

  // What each pair carries, and what vertices got from the source and gave to the sink.
  KONIG_FN void weigh() {
    team_.for_each(w_.places, [&](long long e) {
      if (w_.keys[e] != 0) bsp::store(w_.up + e, w_.up[e] - (long long)w_.slots[w_.at[e]].out);
    });
    team_.for_each(w_.arcs.vertices, [&](long long v) {
      bsp::store(w_.demand + v, w_.demand[v] - (long long)w_.to_sink[v]);
      bsp::store(w_.supply + v, (long long)w_.to_source[v]);
    });
  }

  KONIG_FN void deal() {
    Sum value;
    each_arc([&](long long k, Id t, Id h, long long amount, const Sorted<Id>& arc) {
      long long flow = 0;
      if (arc.kind == Kind::kStraight) flow = amount;
      if (arc.kind == Kind::kFromSource) flow = take(w_.supply + arc.at, amount, 1);
      if (arc.kind == Kind::kToSink) flow = take(w_.demand + arc.at, amount, 1);
      if (arc.kind == Kind::kStraight || arc.kind == Kind::kToSink) value.add(flow);
      if (arc.against) flow = -flow;
      if (arc.kind == Kind::kInner) {
        long long* net = w_.up + w_.entry[k];
        const int along = t < h ? 1 : -1;
        flow = take(net, amount, along);
        if (w_.arcs.undirected && flow == 0) flow = -take(net, amount, -along);
      }
      w_.flow[k] = flow;
    });
    publish(value, w_.totals->value);
  }

  struct Sum {
    long long high = 0, low = 0;
    KONIG_FN void add(long long amount) {
      high += amount >> kLowBits;
      low += amount & ((1LL << kLowBits) - 1);
    }
  };

  KONIG_FN void publish(const Sum& sum, long long* place) {
    team_.add(place, sum.high);
    team_.add(place + 1, sum.low);
  }

  KONIG_FN void most(long long value, long long* negated) {
    value = -team_.group_min(-value, Team::kWarp);
    if (value > 0 && team_.index() % Team::kWarp == 0) bsp::fetch_min(negated, -value);
  }

  template <class Visit>
  KONIG_FN void each_arc(Visit visit) {
    struct Read {
      Id tail, head;
      long long amount;
    };
    team_.for_each_ahead(
        w_.arcs.count, [&](long long k) { return Read{w_.arcs.tail[k], w_.arcs.head[k], w_.arcs.room(k)}; },
        [&](long long k, const Read& arc) {
          visit(k, arc.tail, arc.head, arc.amount, w_.arcs.sorted(arc.tail, arc.head, arc.amount));
        });
  }

  KONIG_FN void enter() {
    long long pairs = 0, widest = 0;
    each_arc([&](long long k, Id t, Id h, long long amount, const Sorted<Id>& arc) {
      if (arc.kind == Kind::kFromSource) bsp::fetch_add(w_.supply + arc.at, amount);
      if (arc.kind == Kind::kToSink) bsp::fetch_add(w_.demand + arc.at, amount);
      if (arc.kind != Kind::kInner) return;
      const Id low = t < h ? t : h, high = t < h ? h : t;
      const long long place = find(low, high, pairs);
      w_.entry[k] = Id(place);
      for (int way = 0; way < 2; ++way) {
        if (!w_.arcs.undirected && (t < h) == (way == 1)) continue;
        const long long both = bsp::fetch_add((way ? w_.down : w_.up) + place, amount) + amount;
        if (both > widest) widest = both;
      }
    });
    team_.add(&w_.totals->pairs, pairs);
    most(widest, &w_.totals->widest_pair);
  }

  // The place of a pair in the table; a new one counts at both ends.
  KONIG_FN long long find(Id low, Id high, long long& pairs) {
    const long long key = ((long long)low << 32) + (long long)high;
    unsigned long long mixed = (unsigned long long)key * 0x9E3779B97F4A7C15ULL;
    mixed ^= mixed >> 29;
    for (long long place = (long long)(mixed * 0xBF58476D1CE4E5B9ULL >> 20) & (w_.places - 1);;
         place = (place + 1) & (w_.places - 1)) {
      long long seen = bsp::load(w_.keys + place);
      if (seen == 0) seen = bsp::compare_exchange(w_.keys + place, 0LL, key);
      if (seen == 0) {
        ++pairs;
        bsp::fetch_add(w_.degree + low, Id(1));
        bsp::fetch_add(w_.degree + high, Id(1));
        return place;
      }
      if (seen == key) return place;
    }
  }

  // Where the lists begin: sums over the vertices before, a run of them for each worker.
  KONIG_FN void lay_out() {
    const long long run = (w_.arcs.vertices + team_.count() - 1) / team_.count();
    const long long first = run * team_.index();
    const long long last = first + run < w_.arcs.vertices ? first + run : w_.arcs.vertices;
    long long own = 0, longest = 0;
    for (long long v = first; v < last; ++v) {
      const long long degree = bsp::load(w_.degree + v);
      own += degree;
      if (degree > longest) longest = degree;
    }
    most(longest, &w_.totals->longest);
    const bsp::Scanned sums = team_.scan(own);
    long long at = sums.before;
    for (long long v = first; v < last; ++v) {
      bsp::store(w_.start + v, Id(at));
      at += bsp::load(w_.degree + v);
    }
    if (team_.leads()) bsp::store(w_.start + w_.arcs.vertices, Id(sums.total));
  }

  KONIG_FN void fill() {
    team_.for_each(w_.places, [&](long long e) {
      const long long key = bsp::load(w_.keys + e);
      if (key == 0) return;
      const Id low = Id(key >> 32), high = Id(key & 0xffffffffLL);
      const Amount up = Amount(bsp::load(w_.up + e)), down = Amount(bsp::load(w_.down + e));
      const Id here = bsp::load(w_.start + low) + bsp::fetch_add(w_.degree + low, Id(-1)) - 1;
      const Id there = bsp::load(w_.start + high) + bsp::fetch_add(w_.degree + high, Id(-1)) - 1;
      w_.at[e] = here;
      w_.slots[here] = {high, there, up, down};
      w_.slots[there] = {low, here, down, up};
    });
    // What a vertex can pass from the source to the sink by itself is on its way.
    team_.for_each(w_.arcs.vertices, [&](long long v) {
      const long long supply = bsp::load(w_.supply + v), demand = bsp::load(w_.demand + v);
      const long long at_once = supply < demand ? supply : demand;
      w_.to_source[v] = Amount(supply);
      w_.to_sink[v] = Amount(demand - at_once);
      w_.excess[v] = Amount(supply - at_once);
    });
  }

  // Takes up to `most` from what is left in the direction `sign`; arcs of a pair come here at the same time.
  KONIG_FN long long take(long long* left, long long most, int sign) {
    for (;;) {
      const long long seen = bsp::load(left);
      const long long there = sign * seen;
      if (there <= 0) return 0;
      const long long amount = there < most ? there : most;
      if (bsp::compare_exchange(left, seen, seen - sign * amount) == seen) return amount;
    }
  }

  Team& team_;
  const Work& w_;
};

}  // namespace konig::pairing
