#include "flow/search_trees.h"

#include "flow/residual.h"
#include "flow/solvers.h"

namespace konig {

template <class Network>
void search_tree_flow(Network& network, const Knobs&, Run& run) {
  solve_by_trees(network, INT64_MAX, run);
}

#define KONIG_INSTANTIATE(Network) template void search_tree_flow<Network>(Network&, const Knobs&, Run&);
KONIG_FOR_EVERY_NETWORK(KONIG_INSTANTIATE)
#undef KONIG_INSTANTIATE

}  // namespace konig
