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
#include <memory>
#include <utility>
#include <vector>

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
  std::vector<Index> start;
  std::unique_ptr<Slot<Index, Capacity>[]> slots;

  std::vector<int64_t> source_left, source_used;  // residual capacity of and flow on the source's links
  std::vector<int64_t> sink_left, sink_used;
  std::vector<int64_t> excess;  // what entered a vertex and has not left it; 0 at inner vertices of a flow
  std::vector<uint8_t> reaches_sink;  // when solved: the sink side of a minimum cut
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

// The inner arcs by head: their tails, in increasing order, and capacities.
template <class Index>
struct IncomingArcs {
  std::vector<Index> start;
  std::unique_ptr<Index[]> tail;
  std::unique_ptr<int64_t[]> capacity;
};

template <class Index>
IncomingArcs<Index> incoming_arcs(const Arcs<Index>& arcs, Run& run) {
  IncomingArcs<Index> in;
  in.start.assign(size_t(arcs.vertices) + 2, 0);
  for (Index u = 0; u < arcs.vertices; ++u) {
    if (arcs.role[u] == Role::kInner)
      for (Index a = arcs.start[u]; a < arcs.start[u + 1]; ++a) ++in.start[size_t(arcs.head[a]) + 2];
    run.spend(arcs.start[u + 1] - arcs.start[u] + 1);
  }
  for (size_t v = 2; v < in.start.size(); ++v) in.start[v] += in.start[v - 1];
  const auto total = size_t(in.start.back());
  in.tail = std::make_unique_for_overwrite<Index[]>(total);
  in.capacity = std::make_unique_for_overwrite<int64_t[]>(total);
  for (Index u = 0; u < arcs.vertices; ++u) {
    if (arcs.role[u] != Role::kInner) continue;
    for (Index a = arcs.start[u]; a < arcs.start[u + 1]; ++a) {
      const Index place = in.start[size_t(arcs.head[a]) + 1]++;
      in.tail[place] = u;
      in.capacity[place] = arcs.capacity[a];
    }
    run.spend(arcs.start[u + 1] - arcs.start[u] + 1);
  }
  in.start.pop_back();
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
  network.source_used.assign(size_t(n), 0);
  network.sink_used.assign(size_t(n), 0);
  network.excess.assign(size_t(n), 0);
  network.reaches_sink.assign(size_t(n), 0);
  network.start.assign(size_t(n) + 1, 0);

  const auto in = detail::incoming_arcs(arcs, run);
  const size_t most = 2 * size_t(in.start[n]);
  network.slots = std::make_unique_for_overwrite<Slot<Index, Capacity>[]>(most ? most : 1);
  auto* slots = network.slots.get();
  // The next slot of each vertex whose mate is not known yet: mates come in increasing order.
  const auto next_mate = std::make_unique_for_overwrite<Index[]>(size_t(n));
  const auto clipped = [&](int64_t capacity) { return Capacity(std::min(capacity, network.bound)); };
  Index filled = 0;
  for (Index u = 0; u < n; ++u) {
    network.start[u] = filled;
    if (arcs.role[u] != Role::kInner) continue;
    Index out = arcs.start[u], from = in.start[u];
    const Index out_end = arcs.start[u + 1], from_end = in.start[u + 1];
    bool upper = false;
    while (out < out_end || from < from_end) {
      const Index v = out == out_end     ? in.tail[from]
                      : from == from_end ? arcs.head[out]
                                         : std::min(arcs.head[out], in.tail[from]);
      int64_t forward = 0, backward = 0;
      for (; out < out_end && arcs.head[out] == v; ++out)
        forward = bounded_sum(forward, bounded(arcs.capacity[out]));
      for (; from < from_end && in.tail[from] == v; ++from)
        backward = bounded_sum(backward, bounded(in.capacity[from]));
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
