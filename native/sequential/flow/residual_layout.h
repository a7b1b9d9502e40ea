// Makes residual networks from sorted arcs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/large_array.h"
#include "core/run.h"
#include "sequential/flow/residual_network.h"

namespace konig {
namespace detail {

// The inner arcs by head: their tails in increasing order, and capacities up to the bound.
template <class Index, class Capacity>
struct IncomingArcs {
  struct Arc {
    Index tail;
    Capacity capacity;
  };
  LargeArray<Index> start;
  LargeArray<Arc> arcs;
};

template <class Index, class Capacity>
IncomingArcs<Index, Capacity> incoming_arcs(const Arcs<Index>& arcs, int64_t bound, Run& run) {
  IncomingArcs<Index, Capacity> in;
  const auto n = size_t(arcs.vertices);
  in.start = LargeArray<Index>(n + 2, 0);
  for (Index u = 0; u < arcs.vertices; ++u) {
    if (arcs.role[u] == Role::kInner)
      for (Index a = arcs.start[u]; a < arcs.start[u + 1]; ++a) ++in.start[size_t(arcs.head[a]) + 2];
    run.spend(arcs.start[u + 1] - arcs.start[u] + 1);
  }
  for (size_t v = 2; v < n + 2; ++v) in.start[v] += in.start[v - 1];
  in.arcs = LargeArray<typename IncomingArcs<Index, Capacity>::Arc>(size_t(in.start[n + 1]));
  for (Index u = 0; u < arcs.vertices; ++u) {
    if (arcs.role[u] != Role::kInner) continue;
    for (Index a = arcs.start[u]; a < arcs.start[u + 1]; ++a) {
      const Index place = in.start[size_t(arcs.head[a]) + 1]++;
      in.arcs[place] = {u, Capacity(std::min(arcs.capacity[a], bound))};
    }
    run.spend(arcs.start[u + 1] - arcs.start[u] + 1);
  }
  return in;
}

// Mates come in increasing order: the slots of v that lead to higher vertices are met, from there, one after
// the other. `next[v]` is the first of them whose mate has not been met.
template <class Index>
struct MateCursor {
  explicit MateCursor(Index vertices) : next(size_t(vertices)) {}
  LargeArray<Index> next;
};

// Whether every arc of a sample has an opposite one.
template <class Index>
bool looks_symmetric(const Arcs<Index>& arcs) {
  constexpr Index kSample = 64;
  const Index total = arcs.start[arcs.vertices], step = std::max<Index>(1, total / kSample);
  Index u = 0;
  for (Index a = step / 2; a < total; a += step) {
    while (arcs.start[u + 1] <= a) ++u;
    const Index v = arcs.head[a];
    if (!arcs.inner(u, v)) continue;
    if (!std::binary_search(arcs.head + arcs.start[v], arcs.head + arcs.start[v + 1], u)) return false;
  }
  return true;
}

// Fills the slots in one pass if each inner arc has an opposite one; gives up where that is not so.
template <class Network>
bool fill_symmetric(const Arcs<typename Network::Index>& arcs, Network& network, Run& run) {
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;
  const Index n = arcs.vertices;
  network.slots = LargeArray<Slot<Index, Capacity>>(size_t(arcs.start[n]));
  auto* slots = network.slots.data();
  MateCursor<Index> cursor(n);
  Index filled = 0;
  for (Index u = 0; u < n; ++u) {
    network.start[u] = filled;
    Index upper = -1;
    const Index end = arcs.role[u] == Role::kInner ? arcs.start[u + 1] : arcs.start[u];
    for (Index a = arcs.start[u]; a < end;) {
      const Index v = arcs.head[a];
      int64_t together = bounded(arcs.capacity[a++]);
      for (; a < end && arcs.head[a] == v; ++a) together = bounded_sum(together, bounded(arcs.capacity[a]));
      if (v == u || arcs.role[v] != Role::kInner) continue;
      const auto capacity = Capacity(std::min(together, network.bound));
      if (v > u) {
        if (upper < 0) upper = filled;
        slots[filled++] = {v, 0, capacity, 0};
        continue;
      }
      const Index mate = cursor.next[v]++;
      if (mate >= network.start[v + 1] || slots[mate].head != u) return false;
      slots[mate].mate = filled;
      slots[mate].opposite = capacity;
      slots[filled++] = {v, mate, capacity, slots[mate].residual};
    }
    cursor.next[u] = upper < 0 ? filled : upper;
    network.start[u + 1] = filled;
    run.spend(end - arcs.start[u] + 1);
  }
  for (Index v = 0; v < n; ++v)
    if (cursor.next[v] != network.start[v + 1]) return false;
  return true;
}

// Fills the slots of any network: merges the arcs out of and into each vertex.
template <class Network>
void fill_slots(const Arcs<typename Network::Index>& arcs, Network& network, Run& run) {
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;
  const Index n = arcs.vertices;
  const auto in = incoming_arcs<Index, Capacity>(arcs, network.bound, run);
  network.slots = LargeArray<Slot<Index, Capacity>>(2 * size_t(in.start[n]));
  auto* slots = network.slots.data();
  MateCursor<Index> cursor(n);
  const auto clipped = [&](int64_t capacity) { return Capacity(std::min(capacity, network.bound)); };
  Index filled = 0;
  for (Index u = 0; u < n; ++u) {
    network.start[u] = filled;
    if (arcs.role[u] != Role::kInner) continue;
    Index out = arcs.start[u], from = in.start[u];
    const Index out_end = arcs.start[u + 1], from_end = in.start[u + 1];
    bool upper = false;
    while (out < out_end || from < from_end) {
      const Index v = out == out_end     ? in.arcs[from].tail
                      : from == from_end ? arcs.head[out]
                                         : std::min(arcs.head[out], in.arcs[from].tail);
      int64_t forward = 0, backward = 0;
      for (; out < out_end && arcs.head[out] == v; ++out)
        forward = bounded_sum(forward, bounded(arcs.capacity[out]));
      for (; from < from_end && in.arcs[from].tail == v; ++from)
        backward = bounded_sum(backward, int64_t(in.arcs[from].capacity));
      if (v == u || arcs.role[v] != Role::kInner || (forward == 0 && backward == 0)) continue;
      if (arcs.undirected) forward = backward = bounded_sum(forward, backward);
      Index mate = 0;
      if (v < u) {
        mate = cursor.next[v]++;
        slots[mate].mate = filled;
      } else if (!upper) {
        cursor.next[u] = filled;
        upper = true;
      }
      slots[filled++] = {v, mate, clipped(forward), clipped(backward)};
    }
    run.spend(out_end - arcs.start[u] + from_end - in.start[u] + 1);
  }
  network.start[n] = filled;
}

}  // namespace detail

template <class Network>
Network make_residual_network(const Arcs<typename Network::Index>& arcs, TerminalLinks links, Run& run) {
  Network network;
  const auto n = size_t(arcs.vertices);
  network.vertices = arcs.vertices;
  network.direct = links.direct;
  network.bound = links.bound;
  network.source_left = std::move(links.from_source);
  network.sink_left = std::move(links.to_sink);
  network.source_used = LargeArray<int64_t>(n, 0);
  network.sink_used = LargeArray<int64_t>(n, 0);
  network.reaches_sink = LargeArray<uint8_t>(n, 0);
  network.start = LargeArray<typename Network::Index>(n + 1);
  network.start[0] = 0;
  const bool filled =
      !arcs.undirected && detail::looks_symmetric(arcs) && detail::fill_symmetric(arcs, network, run);
  if (!filled) detail::fill_slots(arcs, network, run);
  return network;
}

}  // namespace konig
