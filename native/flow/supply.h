// The virtual source: it never feeds more than one unit beyond the largest flow, so no excess overflows.
#pragma once

#include <cstdint>

#include "core/run.h"
#include "flow/residual.h"
#include "flow/second_phase.h"

namespace konig {

// Feeds vertices for which `wanted` holds until `budget` is used up; says whether all could be fed.
template <class Network, class Wanted>
bool feed(Network& network, int64_t budget, Wanted wanted) {
  bool all = true;
  for (typename Network::Index v = 0; v < network.vertices; ++v) {
    if (network.source_left[v] == 0 || !wanted(v)) continue;
    const int64_t amount = std::min(budget, network.source_left[v]);
    all &= amount == network.source_left[v];
    network.source_left[v] -= amount;
    network.source_used[v] += amount;
    network.excess[v] += amount;
    budget -= amount;
  }
  return all;
}

template <class Network>
int64_t arrived(const Network& network) {
  int64_t value = network.direct;
  for (const int64_t flow : network.sink_used) value = bounded_sum(value, flow);
  return value;
}

// Saturates the links of the source and runs `first_phase`, which brings excess to the sink and fills
// reaches_sink; then returns what is stranded. One round, unless the sources could give more than any flow
// may have: then what is left is fed to the vertices that still reach the sink, until the value does not fit.
// In a round that feeds all it may either nothing is stranded, and it does not, or the vertex that stranded
// never reaches the sink again, so the rounds end.
template <class Network, class FirstPhase>
void feed_and_solve(Network& network, Run& run, FirstPhase first_phase) {
  network.excess = LargeArray<int64_t>(size_t(network.vertices), 0);
  bool all = feed(network, kTooLarge, [](auto) { return true; });
  first_phase();
  return_excess(network, run);
  for (int64_t value; !all && (value = arrived(network)) <= kLargestFlow;) {
    all = feed(network, kTooLarge - value, [&](auto v) { return network.reaches_sink[v]; });
    first_phase();
    return_excess(network, run);
  }
}

// Push-relabel from the flow that the network carries to a maximum one.
template <class Network, template <class> class Selection>
void push_relabel_both_phases(Network& network, const PushRelabelKnobs& knobs, Run& run) {
  using Index = typename Network::Index;
  PushRelabelCounts counts;
  feed_and_solve(network, run, [&] {
    PushRelabel<Network, Selection<Index>> first_phase(network, knobs, counts, run);
    first_phase.bring(network.sink_left, network.sink_used);
    first_phase.find_reaching(network.reaches_sink);
  });
  counts.write(run);
}

}  // namespace konig
