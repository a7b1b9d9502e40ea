// The flow of every arc of the input, from the residual capacities.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "core/prefetch.h"
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

// The value of a maximum preflow along the arcs, which has it at the sinks, or against them, which has it at
// the sources; at most kTooLarge. Only excess, or only its opposite, may be beyond the links.
template <class Index>
int64_t value_at_links(const TerminalLinks& links, const int64_t* balance, Index vertices) {
  bool excess = false;
  int64_t left = links.direct, entered = links.direct;
  const auto add_up = [&](auto sum) {
    for (Index v = 0; v < vertices; ++v) {
      const auto [source, sink] = links.at[v];
      excess |= balance[v] > source;
      left = sum(left, source - std::max<int64_t>(balance[v], 0));
      entered = sum(entered, sink - std::max<int64_t>(-balance[v], 0));
    }
  };
  // Bounded sums wait for each other. The sum that counts is not above that of all links; what the other one
  // is does not matter.
  if (bounded_sum(links.direct, std::max(links.supply, links.demand)) <= kLargestFlow)
    add_up([](int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); });
  else
    add_up(bounded_sum);
  return excess ? entered : left;
}

// From what links can carry to what they do, by the balances that are left. Returns the value of the flow,
// at most kTooLarge.
template <class Index>
int64_t put_flow_on_links(LargeArray<Links>& links, int64_t direct, const int64_t* balance, Index vertices) {
  int64_t value = direct;
  for (Index v = 0; v < vertices; ++v) {
    links[v].source -= std::max<int64_t>(balance[v], 0);
    links[v].sink -= std::max<int64_t>(-balance[v], 0);
    value = bounded_sum(value, links[v].sink);
  }
  return value;
}

// The flow of an arc that has a terminal at an end, or is a loop. It is taken off the flow on the links of
// its inner end, so that parallel arcs are filled one after the other.
template <class Index>
int64_t terminal_flow(const Arcs<Index>& arcs, Index arc, Index u, Index v, LargeArray<Links>& links) {
  const auto along = [&](Index tail, Index head) -> int64_t {
    const Role from = arcs.role[tail], to = arcs.role[head];
    if (from == Role::kSource && to == Role::kInner)
      return take_up_to(links[head].source, arcs.capacity[arc]);
    if (from == Role::kInner && to == Role::kSink) return take_up_to(links[tail].sink, arcs.capacity[arc]);
    return from == Role::kSource && to == Role::kSink ? arcs.capacity[arc] : 0;
  };
  return arcs.undirected ? along(u, v) - along(v, u) : along(u, v);
}

// Writes the flow of each arc, without circulation. `own` says whether an arc is between inner vertices;
// flow_of(a) is its flow. Returns the value, at most kTooLarge.
template <class Index, class Own, class FlowOf>
int64_t write_flows(const Arcs<Index>& arcs, const TerminalLinks& terminals, const int64_t* balances,
                    int64_t* flow, Run& run, Own own, FlowOf flow_of) {
  const auto n = size_t(arcs.vertices);
  LargeArray<Links> links(n);
  std::copy_n(terminals.at.data(), n, links.data());
  Circulations<Index> circulations(arcs.vertices, arcs.count(), flow, run);
  const auto links_at = [&](Index v) { return links[v]; };
  const auto write = [&](Index a, Index u, Index v) {
    const int64_t amount = flow_of(a, u, v);
    flow[a] = amount;
    if (amount > 0) circulations.add(a, u, v);
    if (amount < 0) circulations.add(a, v, u);
  };
  if (links_suffice(arcs.vertices, balances, links_at)) {
    const int64_t value = put_flow_on_links(links, terminals.direct, balances, arcs.vertices);
    arcs.for_each(run, [&](Index a, Index u, Index v) {
      if (own(a, u, v))
        write(a, u, v);
      else
        flow[a] = terminal_flow(arcs, a, u, v, links);
    });
    circulations.cancel();
    return value;
  }
  LargeArray<int64_t> balance(n);
  std::copy_n(balances, n, balance.data());
  arcs.for_each(run, [&](Index a, Index u, Index v) {
    if (own(a, u, v)) write(a, u, v);
  });
  circulations.return_excess(balance.data(), links_at);
  const int64_t value = put_flow_on_links(links, terminals.direct, balance.data(), arcs.vertices);
  arcs.for_each(run, [&](Index a, Index u, Index v) {
    if (!own(a, u, v)) flow[a] = terminal_flow(arcs, a, u, v, links);
  });
  return value;
}

template <class Network>
int64_t write_arc_flows(const Arcs<typename Network::Index>& arcs, const Network& network,
                        const TerminalLinks& links, int64_t* flow, Run& run) {
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;
  using Signed = std::make_signed_t<Capacity>;
  const auto* const slots = network.slots.data();
  const Index* const slot_of_arc = network.slot_of_arc.data();
  const auto capacity_of = [&](Index a) { return std::min(arcs.capacity[a], links.bound); };
  // Slots that do not stay in the cache are asked for early.
  constexpr Index kAhead = 16;
  const Index ahead = network.in_cache() ? 0 : arcs.count() - kAhead;
  const auto own = [&](Index a, Index, Index) {
    if (a < ahead) prefetch(slots + slot_of_arc[a + kAhead]);
    return slot_of_arc[a] >= 0;
  };
  // Against the arc too: what its mirror image carries.
  const auto net_flow = [&](Index a) {
    return int64_t(Signed(Capacity(capacity_of(a)) - slots[slot_of_arc[a]].out));
  };
  if (arcs.undirected)
    return write_flows(arcs, links, network.balance.data(), flow, run, own,
                       [&](Index a, Index, Index) { return net_flow(a); });
  return write_flows(arcs, links, network.balance.data(), flow, run, own,
                     [&](Index a, Index, Index) { return std::max<int64_t>(net_flow(a), 0); });
}

}  // namespace konig
