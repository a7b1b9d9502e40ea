// A flow network as it comes from Python: arcs, and the part that each vertex plays.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/run.h"

namespace konig {

// Flow values up to this are exact. A supply of one more is enough to see that a value is too large.
inline constexpr int64_t kLargestFlow = int64_t(1) << 62;

enum class Role : uint8_t { kInner = 0, kSource = 1, kSink = 2 };

// With `start`, the arcs of vertex u are start[u] .. start[u + 1], sorted by head, parallel arcs side by
// side. Without, there are `listed` arcs with a `tail` each, in any order. Capacities are not negative. An
// undirected arc can be used in either direction, and its flow is negative against it.
template <class Index>
struct Arcs {
  Index vertices = 0;
  const Index* start = nullptr;
  const Index* head = nullptr;
  const int64_t* capacity = nullptr;
  const Role* role = nullptr;
  bool undirected = false;
  const Index* tail = nullptr;
  Index listed = 0;

  Index count() const { return start ? start[vertices] : listed; }
  bool inner(Index u, Index v) const { return role[u] == Role::kInner && role[v] == Role::kInner && u != v; }

  // Calls visit(arc, tail, head) for every arc, in order.
  template <class Visit>
  void for_each(Run& run, Visit visit) const {
    if (start) {
      for (Index u = 0; u < vertices; ++u) {
        const Index end = start[u + 1];
        run.spend(end - start[u] + 1);
        for (Index a = start[u]; a < end; ++a) visit(a, u, head[a]);
      }
      return;
    }
    constexpr Index kBetweenLooks = 4096;
    for (Index a = 0; a < listed;) {
      const Index end = a + std::min(kBetweenLooks, listed - a);
      run.spend(end - a);
      for (; a < end; ++a) visit(a, tail[a], head[a]);
    }
  }
};

// Whether the arcs between inner vertices come sorted by tail and head, parallel ones right after each other.
// Arcs of terminals may stand anywhere.
template <class Index>
bool inner_arcs_sorted(const Arcs<Index>& arcs, Run& run) {
  if (arcs.start) return true;
  bool sorted = true;
  Index last = -1, last_tail = -1, last_head = -1;
  arcs.for_each(run, [&](Index a, Index u, Index v) {
    if (!arcs.inner(u, v)) return;
    const bool parallel = u == last_tail && v == last_head && a == last + 1;
    sorted &= parallel || u > last_tail || (u == last_tail && v > last_head);
    last = a, last_tail = u, last_head = v;
  });
  return sorted;
}

}  // namespace konig
