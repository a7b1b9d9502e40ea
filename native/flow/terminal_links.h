// The arcs of sources and sinks, added up for each inner vertex. However many sources there are, they are one
// virtual source here, and no method ever walks along the long list of a terminal's arcs.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/large_array.h"
#include "core/run.h"
#include "flow/arcs.h"

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

}  // namespace konig
