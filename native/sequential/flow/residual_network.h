// The residual network that the sequential methods work on.
//
// Terminals are not in it: what an inner vertex gets from the sources and may give to the sinks is a number
// at the vertex. All arcs between two inner vertices, parallel and antiparallel, are one pair of slots, one
// in the list of each end; a pair carries net flow, so no answer uses both directions. The slots of a vertex
// are contiguous and sorted by head. Each slot knows its mate and repeats the mate's residual capacity, so
// that searches against the arcs read memory in order too.
//
// Invariant: slots[a].opposite == slots[slots[a].mate].residual, and the sum of both never changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/large_array.h"
#include "core/run.h"
#include "sequential/flow/arcs.h"
#include "sequential/flow/terminal_links.h"

namespace konig {

template <class Index, class Capacity>
struct Slot {
  Index head;
  Index mate;
  Capacity residual;
  Capacity opposite;
};

template <class IndexType, class CapacityType>
struct ResidualNetwork {
  using Index = IndexType;
  using Capacity = CapacityType;  // unsigned, and twice the bound fits

  Index vertices = 0;
  LargeArray<Index> start;
  LargeArray<Slot<Index, Capacity>> slots;

  LargeArray<int64_t> source_left, source_used;  // residual capacity of and flow on the source's links
  LargeArray<int64_t> sink_left, sink_used;
  LargeArray<int64_t> excess;        // for preflows: what entered a vertex and has not left it
  LargeArray<uint8_t> reaches_sink;  // when solved: the sink side of a minimum cut
  int64_t direct = 0;
  int64_t bound = 0;

  void push(Index slot, Capacity amount) {
    auto& forward = slots[slot];
    auto& backward = slots[forward.mate];
    forward.residual -= amount;
    forward.opposite += amount;
    backward.residual += amount;
    backward.opposite -= amount;
  }
};

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

}  // namespace detail

template <class Network>
Network make_residual_network(const Arcs<typename Network::Index>& arcs, TerminalLinks links, Run& run) {
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;
  Network network;
  const Index n = network.vertices = arcs.vertices;
  network.direct = links.direct;
  network.bound = links.bound;
  network.source_left = std::move(links.from_source);
  network.sink_left = std::move(links.to_sink);
  network.source_used = LargeArray<int64_t>(size_t(n), 0);
  network.sink_used = LargeArray<int64_t>(size_t(n), 0);
  network.reaches_sink = LargeArray<uint8_t>(size_t(n), 0);
  network.start = LargeArray<Index>(size_t(n) + 1);

  const auto in = detail::incoming_arcs<Index, Capacity>(arcs, network.bound, run);
  const size_t most = 2 * size_t(in.start[n]);
  network.slots = LargeArray<Slot<Index, Capacity>>(most);
  auto* slots = network.slots.data();
  // The next slot of each vertex whose mate is not known yet: mates come in increasing order.
  LargeArray<Index> next_mate{size_t(n)};
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
        mate = next_mate[v]++;
        slots[mate].mate = filled;
      } else if (!upper) {
        next_mate[u] = filled;
        upper = true;
      }
      slots[filled++] = {v, mate, clipped(forward), clipped(backward)};
    }
    run.spend(out_end - arcs.start[u] + from_end - in.start[u] + 1);
  }
  network.start[n] = filled;
  return network;
}

}  // namespace konig
