// The flow of every arc of the input, from the residual capacities.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/run.h"
#include "flow/circulations.h"
#include "flow/residual.h"

namespace konig {

// Takes from `rest` as much as the capacity allows; returns how much.
inline int64_t take_up_to(int64_t& rest, int64_t capacity) {
  const int64_t amount = std::min(rest, capacity);
  rest -= amount;
  return amount;
}

// The flow of an arc that has a terminal at an end, or is a loop. It is taken off the flow on the links of
// its inner end, so that parallel arcs are filled one after the other.
template <class Index>
int64_t terminal_flow(const Arcs<Index>& arcs, Index arc, Index u, Index v, int64_t* source_flow,
                      int64_t* sink_flow) {
  const auto along = [&](Index tail, Index head) -> int64_t {
    const Role from = arcs.role[tail], to = arcs.role[head];
    if (from == Role::kSource && to == Role::kInner) return take_up_to(source_flow[head], arcs.capacity[arc]);
    if (from == Role::kInner && to == Role::kSink) return take_up_to(sink_flow[tail], arcs.capacity[arc]);
    return from == Role::kSource && to == Role::kSink ? arcs.capacity[arc] : 0;
  };
  return arcs.undirected ? along(u, v) - along(v, u) : along(u, v);
}

// Writes the flow of each arc, without circulation; parallel arcs are filled in their order. Uses up the
// network.
template <class Network>
void write_arc_flows(const Arcs<typename Network::Index>& arcs, Network& network, int64_t* flow, Run& run) {
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;
  auto* slots = network.slots.data();
  const Index* const slot_of_arc = network.slot_of_arc.data();
  const Index count = arcs.count();
  Circulations<Index> circulations(arcs.vertices, count, flow, run);
  arcs.for_each(run, [&](Index a, Index u, Index v) {
    const Index s = slot_of_arc[a];
    if (s < 0) {
      flow[a] = terminal_flow(arcs, a, u, v, network.source_flow.data(), network.sink_flow.data());
      return;
    }
    if (a > 0 && slot_of_arc[a - 1] == s) return;  // done with the first of the parallel arcs
    Index end = a + 1;
    int64_t together = bounded(arcs.capacity[a]);
    for (; end < count && slot_of_arc[end] == s; ++end)
      together = bounded_sum(together, bounded(arcs.capacity[end]));
    if (!arcs.undirected) {
      // Unsigned: a residual capacity may be twice the bound.
      const auto all = uint64_t(std::min(together, network.bound));
      const uint64_t left = slots[s].out;
      int64_t rest = left < all ? int64_t(all - left) : 0;
      for (Index k = a; k < end; ++k) {
        flow[k] = take_up_to(rest, arcs.capacity[k]);
        if (flow[k] > 0) circulations.add(k, u, v);
      }
      return;
    }
    // Net flow from u to v, which the arcs of this direction take first; what they cannot take is left to
    // those of the other direction, in the reverse arc.
    const Capacity residual = slots[s].out, opposite = slots[s].in;
    const bool backwards = residual > opposite;
    int64_t rest = int64_t((backwards ? residual - opposite : opposite - residual) / 2);
    for (Index k = a; k < end; ++k) {
      const int64_t amount = take_up_to(rest, arcs.capacity[k]);
      flow[k] = backwards ? -amount : amount;
      if (amount > 0) backwards ? circulations.add(k, v, u) : circulations.add(k, u, v);
    }
    auto& reverse = slots[network.reverse(s)];
    reverse.out = !backwards ? Capacity(2 * rest) : 0;
    reverse.in = backwards ? Capacity(2 * rest) : 0;
  });
  circulations.cancel();
}

}  // namespace konig
