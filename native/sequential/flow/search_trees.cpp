#include "sequential/flow/search_trees.h"

#include "sequential/flow/networks.h"
#include "sequential/flow/solvers.h"

namespace konig {

template <class Network>
void search_tree_flow(Network& network, const Knobs&, Run& run) {
  SearchTreeCounts counts;
  SearchTrees<Network> trees(network, counts, run);
  trees.solve();
  for (typename Network::Index v = 0; v < network.vertices; ++v)
    network.reaches_sink[v] = !trees.in_source_tree(v);
  counts.write(run);
}

#define KONIG_INSTANTIATE(Network) template void search_tree_flow<Network>(Network&, const Knobs&, Run&);
KONIG_FOR_EVERY_NETWORK(KONIG_INSTANTIATE)
#undef KONIG_INSTANTIATE

}  // namespace konig
