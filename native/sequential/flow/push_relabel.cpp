// Sequential push-relabel: highest label first, or first in first out.
#include "sequential/flow/push_relabel.h"

#include "sequential/flow/networks.h"
#include "sequential/flow/second_phase.h"
#include "sequential/flow/solvers.h"
#include "sequential/flow/supply.h"

namespace konig {
namespace {

template <class Network, template <class> class Selection>
void solve(Network& network, const PushRelabelKnobs& knobs, Run& run) {
  using Index = typename Network::Index;
  PushRelabelCounts counts;
  feed_and_solve(network, run, [&] {
    PushRelabel<Network, Selection<Index>> first_phase(network, knobs, counts, run);
    first_phase.bring(network.sink_left, network.sink_used);
    first_phase.find_reaching(network.reaches_sink);
  });
  counts.write(run);
}

}  // namespace

template <class Network>
void push_relabel_flow(Network& network, const Knobs& knobs, Run& run) {
  const PushRelabelKnobs settings{knobs.real("relabel"), knobs.flag("gap")};
  if (knobs.text("selection") == "highest")
    solve<Network, HighestLabel>(network, settings, run);
  else
    solve<Network, FirstInFirstOut>(network, settings, run);
}

#define KONIG_INSTANTIATE(Network) template void push_relabel_flow<Network>(Network&, const Knobs&, Run&);
KONIG_FOR_EVERY_NETWORK(KONIG_INSTANTIATE)
#undef KONIG_INSTANTIATE

}  // namespace konig
