// A start from an earlier flow, whose capacities may have changed since: any numbers will do. Flow beyond a
// capacity is cut off, and balances say what does not add up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/large_array.h"
#include "core/run.h"
#include "flow/residual.h"

namespace konig {

// Whether starting from a flow saves more than it costs: after it is lowered to the capacities, at most one
// in kBalancedOf of the vertices on it is out of balance. With more of them a start from zero is faster on
// every family measured (genrmf, random, levels, bipartite; one arc of ten lowered).
template <class Index>
bool worth_starting_from(const Arcs<Index>& arcs, const int64_t* flow, Run& run) {
  constexpr int64_t kBalancedOf = 128;
  LargeArray<uint64_t> balance(size_t(arcs.vertices), 0);  // modulo 2^64, which is enough to see zeros
  LargeArray<uint8_t> passed(size_t(arcs.vertices), 0);
  arcs.for_each(run, [&](Index a, Index u, Index v) {
    if (flow[a] == 0 || u == v) return;
    const int64_t size = std::min(flow[a] < 0 ? -flow[a] : flow[a], arcs.capacity[a]);
    const auto amount = uint64_t(flow[a] < 0 ? -size : size);
    balance[u] -= amount;
    balance[v] += amount;
    passed[u] = passed[v] = 1;
  });
  int64_t vertices = 0, unbalanced = 0;
  for (Index v = 0; v < arcs.vertices; ++v) {
    if (arcs.role[v] != Role::kInner) continue;
    vertices += passed[v];
    unbalanced += balance[v] != 0;
  }
  return unbalanced * kBalancedOf <= vertices;
}

// Pushes the flow of each arc between inner vertices into the network, up to its capacity; links follow by
// themselves. Does nothing if sums might overflow. Returns what the start brings to the sinks.
template <class Network>
int64_t put_flow(const Arcs<typename Network::Index>& arcs, const int64_t* flow, const TerminalLinks& links,
                 Network& network, Run& run) {
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;
  int64_t together = links.bound;
  const auto amount_of = [&](Index a) { return std::min(flow[a] < 0 ? -flow[a] : flow[a], links.bound); };
  for (Index a = 0; a < arcs.count(); ++a) together = bounded_sum(together, amount_of(a));
  if (together > kLargestFlow) return 0;
  arcs.for_each(run, [&](Index a, Index u, Index v) {
    const Index own = network.slot_of_arc[a];
    if (own < 0 || flow[a] == 0) return;
    const Index slot = flow[a] < 0 ? network.reverse(own) : own;
    const auto fits = Capacity(std::min(uint64_t(amount_of(a)), uint64_t(network.residual(slot))));
    network.push(slot, fits);
    const int64_t moved = flow[a] < 0 ? -int64_t(fits) : int64_t(fits);
    network.balance[u] -= moved;
    network.balance[v] += moved;
  });
  int64_t brought = 0;
  for (Index v = 0; v < network.vertices; ++v) {
    const auto [source, sink] = links.at[v];
    const int64_t balance = network.balance[v];
    brought += std::max<int64_t>(0, sink - std::max<int64_t>(-balance, 0));
    brought -= std::max<int64_t>(0, balance - source);
  }
  return links.direct + brought;
}

}  // namespace konig
