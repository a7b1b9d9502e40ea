// What `auto` runs.
//
// Search trees win where paths are short and many, which is where many vertices are linked to a terminal:
// images. They have no useful bound, so they get a few times as many steps as the network has slots. Then
// push-relabel takes over: trees leave a flow behind, so nothing is lost.
#include "sequential/flow/automatic.h"

#include "sequential/flow/networks.h"
#include "sequential/flow/search_trees.h"
#include "sequential/flow/solvers.h"
#include "sequential/flow/supply.h"

namespace konig {
namespace {

template <class Network>
bool many_are_linked(const Network& network) {
  int64_t linked = 0, connected = 0;
  for (typename Network::Index v = 0; v < network.vertices; ++v) {
    linked += network.source_left[v] > 0 || network.sink_left[v] > 0;
    connected += network.first(v) < network.last(v);
  }
  return linked * kLinkedOf >= connected;
}

}  // namespace

template <class Network>
void automatic_flow(Network& network, const Knobs&, Run& run) {
  using Index = typename Network::Index;
  const bool trees = many_are_linked(network);
  bool solved = false;
  if (trees) {
    SearchTreeCounts counts;
    SearchTrees<Network> search(network, counts, run);
    solved = search.solve(kPatience * (int64_t(network.vertices) + network.start[network.vertices]));
    counts.write(run);
    for (Index v = 0; v < network.vertices; ++v) network.reaches_sink[v] = !search.in_source_tree(v);
  }
  if (!solved) push_relabel_both_phases<Network, HighestLabel>(network, {kFrequency, true}, run);
  count_choice(trees, trees && !solved, run);
}

#define KONIG_INSTANTIATE(Network) template void automatic_flow<Network>(Network&, const Knobs&, Run&);
KONIG_FOR_EVERY_NETWORK(KONIG_INSTANTIATE)
#undef KONIG_INSTANTIATE

}  // namespace konig
