// The residual network of konig/flow/residual.h as the sequential methods have it.
//
// The slots of arcs that only enter a vertex from higher ones come last in its list; the others come by
// increasing head. However many sources there are, they are one virtual source here, and no method ever walks
// along the long list of a terminal's arcs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/large_array.h"
#include "core/run.h"
#include "flow/arcs.h"
#include "flow/merge.h"

namespace konig {

// Sums that stay at "too large" instead of overflowing.
inline constexpr int64_t kTooLarge = kLargestFlow + 1;
inline int64_t bounded_sum(int64_t a, int64_t b) { return a > kTooLarge - b ? kTooLarge : a + b; }
inline int64_t bounded(int64_t a) { return std::min(a, kTooLarge); }

struct TerminalLinks {
  LargeArray<int64_t> from_source;  // capacity from all sources together to each inner vertex
  LargeArray<int64_t> to_sink;
  int64_t direct = 0;  // capacity of the arcs from a source to a sink: always saturated
  // More than any flow through inner vertices: capacities beyond it may be cut down to it, and no minimum
  // cut can tell, for its value stays below.
  int64_t bound = 0;
};

template <class Index>
TerminalLinks terminal_links(const Arcs<Index>& arcs, Run& run) {
  TerminalLinks links;
  const auto n = size_t(arcs.vertices);
  links.from_source = LargeArray<int64_t>(n, 0);
  links.to_sink = LargeArray<int64_t>(n, 0);
  const auto add = [&](Role tail_role, Role head_role, Index tail, Index head, int64_t capacity) {
    if (tail_role == Role::kSource && head_role == Role::kInner)
      links.from_source[head] = bounded_sum(links.from_source[head], capacity);
    else if (tail_role == Role::kInner && head_role == Role::kSink)
      links.to_sink[tail] = bounded_sum(links.to_sink[tail], capacity);
    else if (tail_role == Role::kSource && head_role == Role::kSink)
      links.direct = bounded_sum(links.direct, capacity);
  };
  arcs.for_each(run, [&](Index a, Index u, Index v) {
    const Role own = arcs.role[u], other = arcs.role[v];
    if (own == Role::kInner && other == Role::kInner) return;
    const int64_t capacity = bounded(arcs.capacity[a]);
    add(own, other, u, v, capacity);
    if (arcs.undirected) add(other, own, v, u, capacity);
  });
  int64_t supply = 0, demand = 0;
  for (size_t v = 0; v < n; ++v) {
    supply = bounded_sum(supply, links.from_source[v]);
    demand = bounded_sum(demand, links.to_sink[v]);
  }
  links.bound = std::min(kTooLarge, std::min(supply, demand) + 1);
  for (auto* side : {&links.from_source, &links.to_sink})
    for (int64_t& capacity : *side) capacity = std::min(capacity, links.bound);
  return links;
}

template <class IndexType, class CapacityType>
struct ResidualNetwork {
  using Index = IndexType;
  using Capacity = CapacityType;  // unsigned, and twice the bound fits

  Index vertices = 0;
  LargeArray<Index> start;
  LargeArray<residual::Slot<Index, Capacity>> slots;
  LargeArray<Index> slot_of_arc;  // where each arc of the input is; -1 for those that no flow between inner
                                  // vertices uses

  LargeArray<int64_t> source_left, source_used;  // residual capacity of and flow on the source's links
  LargeArray<int64_t> sink_left, sink_used;
  LargeArray<int64_t> excess;        // for preflows: what entered a vertex and has not left it
  LargeArray<uint8_t> reaches_sink;  // when solved: the sink side of a minimum cut
  int64_t direct = 0;
  int64_t bound = 0;

  Index first(Index v) const { return start[v]; }
  Index last(Index v) const { return start[v + 1]; }
  Index head(Index slot) const { return slots[slot].other; }
  Index reverse(Index slot) const { return slots[slot].mate; }
  Capacity residual(Index slot) const { return slots[slot].out; }
  Capacity opposite(Index slot) const { return slots[slot].in; }

  // What the source can give to v less what v can give to the sink.
  int64_t link(Index v) const { return source_left[v] - sink_left[v]; }
  // The flow from the source over v alone to the sink, and what trees use beyond it, until `left` is left.
  void use_links(Index v, int64_t left) {
    const int64_t source = std::max<int64_t>(left, 0), sink = std::max<int64_t>(-left, 0);
    source_used[v] += source_left[v] - source;
    sink_used[v] += sink_left[v] - sink;
    source_left[v] = source;
    sink_left[v] = sink;
  }

  // Of the flow that has arrived; kTooLarge where it is more than that.
  int64_t value() const {
    int64_t sum = direct;
    for (const int64_t flow : sink_used) sum = bounded_sum(sum, flow);
    return sum;
  }

  void push(Index slot, Capacity amount) {
    auto& forward = slots[slot];
    auto& backward = slots[reverse(slot)];
    forward.out -= amount;
    forward.in += amount;
    backward.out += amount;
    backward.in -= amount;
  }
};

// The types of network that every flow solver is compiled for.
using SmallNetwork = ResidualNetwork<int32_t, uint32_t>;
using WideNetwork = ResidualNetwork<int32_t, uint64_t>;
using LargeNetwork = ResidualNetwork<int64_t, uint64_t>;

// The arcs between inner vertices are sorted by tail and head; see inner_arcs_sorted().
template <class Network>
Network make_residual_network(const Arcs<typename Network::Index>& arcs, TerminalLinks links, Run& run) {
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;
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
  network.start = LargeArray<Index>(n + 1);
  network.slot_of_arc = LargeArray<Index>(size_t(arcs.count()));
  LargeArray<Index> end(n), shift(n + 1);
  residual::Merge<Arcs<Index>, Index, Capacity, Run> merge(arcs, uint64_t(links.bound), network.start.data(),
                                                           network.slot_of_arc.data(), end.data(), run);
  const auto fill = [&](bool symmetric) {
    network.slots = LargeArray<residual::Slot<Index, Capacity>>(size_t(merge.make_room(symmetric)));
    return merge.fill(network.slots.data());
  };
  if (!merge.looks_symmetric() || !fill(true)) fill(false);
  merge.close_gaps(network.slots.data(), shift.data());
  return network;
}

}  // namespace konig
