// The residual network in three layouts (Hsieh, Lin, Kuo, section III-B and Figure 1); layout.h makes them.
//
// A layout numbers the places of a vertex u, 0 <= k < places(u): where a residual arc from u may be. For
// each it gives the other end, the residual capacity from u to it (`out`), and, after `reverse` has found the
// opposite arc, the residual capacity back (`in`). `push` moves flow. Only the worker that handles u takes
// from its arcs; others only add to them, so what it read it may push.
//
//   Csr   forward and backward flow of an arc lie beside each other, at the arc's place in the list of its
//         tail. The opposite arc is at hand, but the arcs that enter u are found by looking at all arcs.
//   Rcsr  Csr, and lists of the arcs that enter each vertex, with the index of each.
//   Bcsr  one list of neighbours for both directions, sorted, one place for each ordered pair of neighbours
//         (parallel arcs are merged). The opposite arc is found by binary search.
//
// Amounts are words of 64 bits, read without a sign: with both arcs of a pair at 2^62, a residual capacity of
// 2^63 can occur. Parallel arcs stay apart in Csr and Rcsr. Loops are left out.
#pragma once

#include "konig/bsp/team.h"

namespace konig::flow {

KONIG_FN int leading_zeros(unsigned long long amount) {
#if defined(__CUDACC__)
  return __clzll((long long)amount);
#else
  return __builtin_clzll(amount);
#endif
}

// What a place of a vertex holds. `at` is an index into the layout's arrays; `back` says that the place is
// the backward side of an arc that enters the vertex.
template <class Id, class Offset>
struct Place {
  Id other;  // -1: no arc here
  Offset at;
  bool back;
};

// The arrays of all layouts; each uses some of them.
template <class Id, class Offset>
struct Arrays {
  const Offset* start;     // Csr, Rcsr: of the arcs that leave; Bcsr: of the neighbours; vertices + 1
  const Id* head;          // their other ends
  const Id* tail;          // Csr: where the arcs come from
  const Offset* in_start;  // Rcsr: of the arcs that enter; vertices + 1
  const Id* in_tail;       // Rcsr: where they come from
  const Offset* in_arc;    // Rcsr: which arcs they are
  long long* forward;      // residual capacities
  long long* backward;     // Csr, Rcsr: those of the opposite direction, which are the flow
};

// Csr, and where the entering arcs are listed Rcsr.
template <class Id, class Offset, bool kEnteringListed>
struct ArcLists {
  static constexpr bool kScansAll = !kEnteringListed;
  static constexpr bool kSearches = false;
  Arrays<Id, Offset> a;
  long long arcs;

  KONIG_FN Offset leaving(Id u) const { return a.start[u + 1] - a.start[u]; }
  KONIG_FN Offset places(Id u) const {
    return leaving(u) + (kEnteringListed ? a.in_start[u + 1] - a.in_start[u] : Offset(arcs));
  }

  KONIG_FN Place<Id, Offset> place(Id u, Offset k) const {
    const Offset own = leaving(u);
    if (k < own) return {a.head[a.start[u] + k], a.start[u] + k, false};
    const Offset entry = kEnteringListed ? a.in_start[u] + k - own : k - own;
    if (kEnteringListed) return {a.in_tail[entry], a.in_arc[entry], true};
    return {a.head[entry] == u ? a.tail[entry] : Id(-1), entry, true};
  }

  KONIG_FN Offset reverse(Id, const Place<Id, Offset>& p, long long&) const { return p.at; }
  KONIG_FN long long* out(const Place<Id, Offset>& p) const {
    return (p.back ? a.backward : a.forward) + p.at;
  }
  KONIG_FN long long* in(const Place<Id, Offset>& p, Offset reverse) const {
    return (p.back ? a.forward : a.backward) + reverse;
  }
};
template <class Id, class Offset>
using Csr = ArcLists<Id, Offset, false>;
template <class Id, class Offset>
using Rcsr = ArcLists<Id, Offset, true>;

template <class Id, class Offset>
struct Bcsr {
  static constexpr bool kScansAll = false;
  static constexpr bool kSearches = true;
  Arrays<Id, Offset> a;
  long long arcs;

  KONIG_FN Offset places(Id u) const { return a.start[u + 1] - a.start[u]; }

  KONIG_FN Place<Id, Offset> place(Id u, Offset k) const {
    return {a.head[a.start[u] + k], a.start[u] + k, false};
  }

  // The list of the other end is sorted and holds u: both directions of a pair have a place.
  KONIG_FN Offset reverse(Id u, const Place<Id, Offset>& p, long long& probes) const {
    Offset low = a.start[p.other], high = a.start[p.other + 1] - 1;
    while (low < high) {
      const Offset middle = low + (high - low) / 2;
      ++probes;
      if (a.head[middle] < u)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  KONIG_FN long long* out(const Place<Id, Offset>& p) const { return a.forward + p.at; }
  KONIG_FN long long* in(const Place<Id, Offset>&, Offset reverse) const { return a.forward + reverse; }
};

}  // namespace konig::flow
