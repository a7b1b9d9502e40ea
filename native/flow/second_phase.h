// The second phase: from a maximum preflow to a maximum flow.
//
// Excess that cannot reach the sink goes back to the sources. That is again a problem of bringing excess to
// where there is room for it, the room being the flow on the links of the source, so push-relabel does it.
// No residual arc leaves the side of the cut that this happens on, so the cut stays saturated.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/run.h"
#include "flow/push_relabel.h"

namespace konig {

// Excess goes back over the vertex's own link where there is enough flow on it.
template <class Network>
bool return_over_own_links(Network& network) {
  bool left = false;
  for (typename Network::Index v = 0; v < network.vertices; ++v) {
    int64_t& excess = network.excess[v];
    if (excess <= 0) continue;
    const int64_t amount = std::min(excess, network.source_used[v]);
    network.source_used[v] -= amount;
    network.source_left[v] += amount;
    excess -= amount;
    left |= excess > 0;
  }
  return left;
}

template <class Network>
void return_excess(Network& network, Run& run) {
  run.spend(network.vertices);
  if (!return_over_own_links(network)) return;
  PushRelabelCounts counts;
  PushRelabel<Network, HighestLabel<typename Network::Index>> engine(network, {}, counts, run);
  engine.bring(network.source_used, network.source_left);
  run.count("return_arc_scans", counts.arc_scans + counts.global_arc_scans);
}

}  // namespace konig
