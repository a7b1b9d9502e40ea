// Sequential push-relabel: highest label first, or first in first out.
#include "flow/push_relabel.h"

#include "flow/residual.h"
#include "flow/solvers.h"
#include "flow/supply.h"

namespace konig {

template <class Network>
void push_relabel_flow(Network& network, const Knobs& knobs, Run& run) {
  const PushRelabelKnobs settings{knobs.real("relabel"), knobs.flag("gap")};
  if (knobs.text("selection") == "highest")
    push_relabel_both_phases<Network, HighestLabel>(network, settings, run);
  else
    push_relabel_both_phases<Network, FirstInFirstOut>(network, settings, run);
}

#define KONIG_INSTANTIATE(Network) template void push_relabel_flow<Network>(Network&, const Knobs&, Run&);
KONIG_FOR_EVERY_NETWORK(KONIG_INSTANTIATE)
#undef KONIG_INSTANTIATE

}  // namespace konig
