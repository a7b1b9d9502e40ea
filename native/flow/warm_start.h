// A start from an earlier flow, whose capacities may have changed since.
//
// Flow beyond a capacity is cut off, which leaves vertices that receive too much or too little. Too much goes
// back to where it came from, the sources and the vertices with too little; what is then still too little is
// taken back from where it went, the sinks: the same again with all arcs turned round. The result is a flow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/large_array.h"
#include "core/run.h"
#include "flow/push_relabel.h"
#include "flow/residual.h"

namespace konig {

// Whether starting from a flow saves more than its repair costs: after it is lowered to the capacities, at
// most one in kBalancedOf of the vertices on it is out of balance. With more of them a start from zero is
// faster on every family measured (genrmf, random, levels, bipartite; one arc of ten lowered).
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

// Pushes the flow of each arc into the network, up to its capacity; `excess` is what does not balance. Says
// false, and changes nothing, if the sums might overflow.
template <class Network>
bool put_flow(const Arcs<typename Network::Index>& arcs, const int64_t* flow, Network& network, Run& run) {
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;
  int64_t together = 0;
  const auto amount_of = [&](Index a) { return std::min(flow[a] < 0 ? -flow[a] : flow[a], network.bound); };
  for (Index a = 0; a < arcs.count(); ++a) together = bounded_sum(together, amount_of(a));
  if (together > kLargestFlow) return false;
  network.excess = LargeArray<int64_t>(size_t(network.vertices), 0);
  const auto use = [](int64_t& left, int64_t& used, int64_t amount) {
    amount = std::min(amount, left);
    left -= amount;
    used += amount;
    return amount;
  };
  arcs.for_each(run, [&](Index a, Index u, Index v) {
    const int64_t amount = amount_of(a);
    if (amount == 0) return;
    Index tail = u, head = v;
    if (flow[a] < 0) std::swap(tail, head);
    if (arcs.inner(u, v)) {
      const Index own = network.slot_of_arc[a];
      if (own < 0) return;
      const Index slot = flow[a] < 0 ? network.reverse(own) : own;
      const auto fits = Capacity(std::min(uint64_t(amount), uint64_t(network.slots[slot].out)));
      network.push(slot, fits);
      network.excess[tail] -= int64_t(fits);
      network.excess[head] += int64_t(fits);
    } else if (arcs.role[tail] == Role::kSource && arcs.role[head] == Role::kInner) {
      network.excess[head] += use(network.from_source[head], network.source_flow[head], amount);
    } else if (arcs.role[tail] == Role::kInner && arcs.role[head] == Role::kSink) {
      network.excess[tail] -= use(network.to_sink[tail], network.sink_flow[tail], amount);
    }
  });
  return true;
}

// Makes a flow of the network in which put_flow() left excess and shortage.
template <class Network>
void balance(Network& network, Run& run) {
  using Index = typename Network::Index;
  using Engine = PushRelabel<Network, HighestLabel<Index>>;
  const Index n = network.vertices;
  PushRelabelCounts counts;
  LargeArray<int64_t> shortage(size_t(n), 0), room(size_t(n), 0), taken(size_t(n), 0);
  bool surplus = false, short_of = false;
  for (Index v = 0; v < n; ++v) {
    surplus |= network.excess[v] > 0;
    if (network.excess[v] < 0) shortage[v] = -std::exchange(network.excess[v], 0);
    room[v] = shortage[v] + network.source_flow[v];
  }
  if (surplus) Engine(network, {}, counts, run).bring(room, taken);
  for (Index v = 0; v < n; ++v) {
    const int64_t filled = std::min(taken[v], shortage[v]), returned = taken[v] - filled;
    shortage[v] -= filled;
    network.source_flow[v] -= returned;
    network.from_source[v] += returned;
    short_of |= shortage[v] > 0;
  }
  if (!short_of) return;
  const auto turn_round = [&] {
    for (Index a = 0; a < network.start[n]; ++a) std::swap(network.slots[a].out, network.slots[a].in);
    run.spend(network.start[n]);
  };
  turn_round();
  std::swap(network.excess, shortage);
  Engine(network, {}, counts, run).bring(network.sink_flow, network.to_sink);
  turn_round();
}

}  // namespace konig
