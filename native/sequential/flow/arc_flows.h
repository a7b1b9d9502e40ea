// From net flows on pairs of slots back to a flow on every arc of the input.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/run.h"
#include "sequential/flow/residual_network.h"

namespace konig {

// Writes the flow of each arc; parallel arcs are filled in their order. Uses up the network.
template <class Network>
void write_arc_flows(const Arcs<typename Network::Index>& arcs, Network& network, int64_t* flow, Run& run) {
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;
  auto* slots = network.slots.data();
  const auto take = [&](int64_t& rest, int64_t capacity) {
    const int64_t amount = std::min(rest, capacity);
    rest -= amount;
    return amount;
  };
  const auto terminal_flow = [&](Index u, Index v, int64_t capacity) -> int64_t {
    const Role own = arcs.role[u], other = arcs.role[v];
    if (own == Role::kSource && other == Role::kInner) return take(network.source_used[v], capacity);
    if (own == Role::kInner && other == Role::kSink) return take(network.sink_used[u], capacity);
    if (own == Role::kSource && other == Role::kSink) return capacity;
    if (!arcs.undirected) return 0;
    if (own == Role::kInner && other == Role::kSource) return -take(network.source_used[u], capacity);
    if (own == Role::kSink && other == Role::kInner) return -take(network.sink_used[v], capacity);
    if (own == Role::kSink && other == Role::kSource) return -capacity;
    return 0;
  };
  for (Index u = 0; u < network.vertices; ++u) {
    Index s = network.start[u];
    const Index s_end = network.start[u + 1], end = arcs.start[u + 1];
    for (Index a = arcs.start[u]; a < end;) {
      const Index v = arcs.head[a];
      if (!arcs.inner(u, v)) {
        flow[a] = u == v ? 0 : terminal_flow(u, v, arcs.capacity[a]);
        ++a;
        continue;
      }
      const Index first = a;
      int64_t together = 0;
      for (; a < end && arcs.head[a] == v; ++a) together = bounded_sum(together, bounded(arcs.capacity[a]));
      while (s < s_end && slots[s].head < v) ++s;
      const bool used = s < s_end && slots[s].head == v;
      if (!arcs.undirected) {
        // Unsigned: a residual capacity may be twice the bound.
        const auto all = uint64_t(std::min(together, network.bound));
        const uint64_t left = used ? slots[s].residual : all;
        int64_t rest = left < all ? int64_t(all - left) : 0;
        for (Index k = first; k < a; ++k) flow[k] = take(rest, arcs.capacity[k]);
        continue;
      }
      // Net flow from u to v, which the arcs of this direction take first; what they cannot take is left to
      // those of the other direction, in the mate.
      const Capacity residual = used ? slots[s].residual : 0, opposite = used ? slots[s].opposite : 0;
      const bool backwards = residual > opposite;
      int64_t rest = int64_t((backwards ? residual - opposite : opposite - residual) / 2);
      for (Index k = first; k < a; ++k) {
        const int64_t amount = take(rest, arcs.capacity[k]);
        flow[k] = backwards ? -amount : amount;
      }
      if (used) {
        auto& mate = slots[slots[s].mate];
        mate.residual = !backwards ? Capacity(2 * rest) : 0;
        mate.opposite = backwards ? Capacity(2 * rest) : 0;
      }
    }
    run.spend(end - arcs.start[u] + 1);
  }
}

}  // namespace konig
