// Sequential push-relabel: highest label first, or first in first out.
//
// The first phase saturates the links of the source and brings excess to the sink. In the second, excess that
// cannot reach the sink goes back to the source: the same problem, with the flow on the source's links as the
// demand. It stays on the source's side of the cut, which no residual arc leaves, so the cut stays saturated.
//
// The source feeds at most one unit more than the largest flow, so that no excess overflows. One round of
// both phases is enough unless the links of the source have more capacity than that. Then a round feeds what
// is left to vertices that still reach the sink. Rounds end: either no excess comes back, and the value is
// too large, or a vertex whose excess comes back never reaches the sink again.
#include "flow/push_relabel.h"

#include <algorithm>
#include <cstdint>

#include "flow/residual.h"
#include "flow/solvers.h"

namespace konig {
namespace {

// Saturates the source's links of the vertices for which `wanted` holds, up to `budget` in all; says whether
// that was enough.
template <class Network, class Wanted>
bool feed(Network& network, int64_t budget, Wanted wanted) {
  bool all = true;
  for (typename Network::Index v = 0; v < network.vertices; ++v) {
    if (network.from_source[v] == 0 || !wanted(v)) continue;
    const int64_t amount = std::min(budget, network.from_source[v]);
    all &= amount == network.from_source[v];
    network.from_source[v] -= amount;
    network.source_flow[v] += amount;
    network.excess[v] += amount;
    budget -= amount;
  }
  return all;
}

// Excess goes back over the vertex's own link from the source; says whether some is left.
template <class Network>
bool return_over_own_links(Network& network) {
  bool left = false;
  for (typename Network::Index v = 0; v < network.vertices; ++v) {
    int64_t& excess = network.excess[v];
    if (excess <= 0) continue;
    const int64_t amount = std::min(excess, network.source_flow[v]);
    network.source_flow[v] -= amount;
    network.from_source[v] += amount;
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
  engine.bring(network.source_flow, network.from_source);
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
    first_phase.bring(network.to_sink, network.sink_flow);
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
