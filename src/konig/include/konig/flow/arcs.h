// The arcs of a network as they come: in any order, and what each of them is to a flow.
//
// Roles are 1 at sources, 2 at sinks, 0 elsewhere. Arcs into a source or out of a sink are left out, as loops
// are: some maximum flow uses none of them. An undirected arc may be used either way. Ids are of 32 or 64
// bits and count vertices, arcs and slots.
#pragma once

#include "konig/bsp/program.h"
#include "konig/bsp/team.h"

namespace konig::residual {

constexpr unsigned char kSource = 1, kSink = 2;

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
  long long turned;  // whether arcs are taken from head to tail, and sources for sinks
  long long bound;   // more than a flow can carry

  template <class Layout>
  KONIG_FN void describe(Layout& layout) {
    layout.number(KONIG_NAMED(vertices, undirected, turned, bound));
    layout.number("arcs", count);
    layout.given(KONIG_NAMED(tail, head, capacity, role));
  }

  KONIG_FN Id tail_of(long long arc) const { return turned ? head[arc] : tail[arc]; }
  KONIG_FN Id head_of(long long arc) const { return turned ? tail[arc] : head[arc]; }
  KONIG_FN unsigned char role_of(Id vertex) const {
    const unsigned char given = role[vertex];
    return turned && given != 0 ? (unsigned char)(kSource + kSink - given) : given;
  }
  KONIG_FN long long room(long long arc) const { return capacity[arc] < bound ? capacity[arc] : bound; }

  KONIG_FN bool inner(Id t, Id h, long long amount) const {
    return t != h && amount != 0 && role[t] == 0 && role[h] == 0;
  }

  KONIG_FN Sorted<Id> sorted(Id t, Id h, long long amount) const {
    if (t == h || amount == 0) return {Kind::kNone, t, false};
    const unsigned char from = role_of(t), to = role_of(h);
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

// visit(arc, tail, head, capacity)
template <class Team, class Id, class Visit>
KONIG_FN void each_arc(Team& team, const Arcs<Id>& arcs, Visit visit) {
  struct Read {
    Id tail, head;
    long long amount;
  };
  team.for_each_ahead(
      arcs.count, [&](long long k) { return Read{arcs.tail_of(k), arcs.head_of(k), arcs.room(k)}; },
      [&](long long k, const Read& arc) { visit(k, arc.tail, arc.head, arc.amount); });
}

// Adds, but not beyond the bound; what was added. The amount is not above it.
template <class T>
KONIG_FN T add_up_to(T* place, T amount, T bound) {
  for (T seen = bsp::load(place);;) {
    if (seen >= bound) return 0;
    const T free = bound - seen, added = amount < free ? amount : free;
    const T found = bsp::compare_exchange(place, seen, T(seen + added));
    if (found == seen) return added;
    seen = found;
  }
}

}  // namespace konig::residual
