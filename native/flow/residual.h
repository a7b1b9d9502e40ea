// The residual network of the sequential methods, in the slots of konig/flow/residual.h.
//
// In the list of a vertex slots come by increasing head, except those of arcs that only enter it from higher
// vertices, which come last. All sources are one virtual source, all sinks one virtual sink, and their arcs
// are links: a number at each vertex, so that no method walks along the long list of a terminal's arcs.
//
// The words of all flow code, here and in Python:
//   reverse                  the residual arc in the other direction; the slot's `mate`
//   from_source, to_sink     the residual capacity of a vertex's link from the source, and to the sink
//   source_flow, sink_flow   the flow on these links (device programs hold source_flow as `to_source`)
//   direct                   the capacity of arcs from a source to a sink, which are always saturated
//   source_side              1 for vertices on the source's side of the cut
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/large_array.h"
#include "core/run.h"
#include "flow/arcs.h"
#include "konig/flow/residual.h"

namespace konig {

// Sums that stay at "too large" instead of overflowing.
inline constexpr int64_t kTooLarge = kLargestFlow + 1;
inline int64_t bounded_sum(int64_t a, int64_t b) { return a > kTooLarge - b ? kTooLarge : a + b; }
inline int64_t bounded(int64_t a) { return std::min(a, kTooLarge); }

// What the arcs of the terminals amount to.
struct TerminalLinks {
  LargeArray<int64_t> from_source;  // from all sources together to each inner vertex
  LargeArray<int64_t> to_sink;
  int64_t direct = 0;
  // More than any flow through inner vertices. Capacities above it may be lowered to it: the value of a
  // minimum cut is below, so no such arc crosses one.
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
  LargeArray<Index> slot_of_arc;  // of each arc of the input; -1 for those that are not between inner
                                  // vertices or have no capacity
  LargeArray<int64_t> from_source, source_flow;
  LargeArray<int64_t> to_sink, sink_flow;
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

  // The residual capacity from the source to v less that from v to the sink.
  int64_t link(Index v) const { return from_source[v] - to_sink[v]; }
  // Puts flow on both links of v until link(v) is `left` and one of them is saturated.
  void use_links(Index v, int64_t left) {
    const int64_t source = std::max<int64_t>(left, 0), sink = std::max<int64_t>(-left, 0);
    source_flow[v] += from_source[v] - source;
    sink_flow[v] += to_sink[v] - sink;
    from_source[v] = source;
    to_sink[v] = sink;
  }

  // Of the flow that has reached the sink; at most kTooLarge.
  int64_t value() const {
    int64_t sum = direct;
    for (const int64_t flow : sink_flow) sum = bounded_sum(sum, flow);
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

}  // namespace konig
