// Sequential push-relabel by its knobs: highest label first, or first in first out.
#include "flow/push_relabel.h"

#include "flow/residual.h"
#include "flow/solvers.h"

namespace konig {

template <class Network>
void push_relabel_flow(Network& network, const Knobs& knobs, Run& run) {
  const PushRelabelKnobs settings = push_relabel_knobs(knobs);
  if (knobs.text("selection") == "highest")
    solve_by_push_relabel<HighestLabel>(network, settings, run);
  else
    solve_by_push_relabel<FirstInFirstOut>(network, settings, run);
}

KONIG_INSTANTIATE_FLOW_SOLVER(push_relabel_flow)

}  // namespace konig
