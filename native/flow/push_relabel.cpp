// Sequential push-relabel: highest label first, or first in first out.
//
// The first phase saturates the links of the source and brings excess to the sink. In the second, excess that
// cannot reach the sink goes back to the sources. That is again a problem of bringing excess to where there
// is room for it, the room being the flow on the links of the source. No residual arc leaves the side of the
// cut that this happens on, so the cut stays saturated.
//
// The virtual source never feeds more than one unit beyond the largest flow, so no excess overflows. One
// round of both phases does, unless the sources could give more than that: then what is left is fed to the
// vertices that still reach the sink, until the value does not fit. In a round that feeds all it may either
// nothing is stranded, and it does not, or the vertex that stranded never reaches the sink again, so the
// rounds end.
#include "flow/push_relabel.h"

#include <algorithm>
#include <cstdint>

#include "flow/residual.h"
#include "flow/solvers.h"

namespace konig {
namespace {

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

// From the flow that the network carries to a maximum one.
template <class Selection, class Network>
void solve(Network& network, const PushRelabelKnobs& knobs, Run& run) {
  network.excess = LargeArray<int64_t>(size_t(network.vertices), 0);
  PushRelabelCounts counts;
  bool all = feed(network, kTooLarge, [](auto) { return true; });
  for (;;) {
    PushRelabel<Network, Selection> first_phase(network, knobs, counts, run);
    first_phase.bring(network.sink_left, network.sink_used);
    first_phase.find_reaching(network.reaches_sink);
    return_excess(network, run);
    const int64_t value = all ? 0 : network.value();
    if (all || value > kLargestFlow) break;
    all = feed(network, kTooLarge - value, [&](auto v) { return network.reaches_sink[v]; });
  }
  counts.write(run);
}

}  // namespace

template <class Network>
void push_relabel_flow(Network& network, const Knobs& knobs, Run& run) {
  using Index = typename Network::Index;
  const PushRelabelKnobs settings{knobs.real("relabel"), knobs.flag("gap")};
  if (knobs.text("selection") == "highest")
    solve<HighestLabel<Index>>(network, settings, run);
  else
    solve<FirstInFirstOut<Index>>(network, settings, run);
}

KONIG_INSTANTIATE_FLOW_SOLVER(push_relabel_flow)

}  // namespace konig
