// What `auto` runs.
//
// Search trees have no useful bound, so they get a few times as many steps as the network has slots. Then
// push-relabel takes over: trees leave a flow behind, so nothing is lost.
#include "flow/automatic.h"

#include "flow/networks.h"
#include "flow/search_trees.h"
#include "flow/solvers.h"
#include "flow/supply.h"

namespace konig {
namespace {

template <class Network>
double patience_for(const Network& network) {
  int64_t linked = 0, connected = 0;
  for (typename Network::Index v = 0; v < network.vertices; ++v) {
    linked += network.source_left[v] > 0 || network.sink_left[v] > 0;
    connected += network.first(v) < network.last(v);
  }
  return patience_with_trees(linked, connected, network.bound);
}

}  // namespace

template <class Network>
void automatic_flow(Network& network, const Knobs&, Run& run) {
  const double patience = patience_for(network);
  const bool trees = patience > 0;
  const double size = double(network.vertices) + double(network.start[network.vertices]);
  const bool solved = trees && solve_by_trees(network, int64_t(patience * size), run);
  if (!solved) push_relabel_both_phases<Network, HighestLabel>(network, {kFrequency, true}, run);
  count_choice(trees, trees && !solved, run);
}

#define KONIG_INSTANTIATE(Network) template void automatic_flow<Network>(Network&, const Knobs&, Run&);
KONIG_FOR_EVERY_NETWORK(KONIG_INSTANTIATE)
#undef KONIG_INSTANTIATE

}  // namespace konig
