// The sequential flow solvers. Each turns the flow of the network into a maximum flow and fills
// `reaches_sink`.
#pragma once

#include "core/knobs.h"
#include "core/run.h"
#include "flow/residual.h"

namespace konig {

template <class Network>
void push_relabel_flow(Network& network, const Knobs& knobs, Run& run);

template <class Network>
void dinic_flow(Network& network, const Knobs& knobs, Run& run);

#define KONIG_INSTANTIATE_FLOW_SOLVER(name)              \
  template void name(SmallNetwork&, const Knobs&, Run&); \
  template void name(WideNetwork&, const Knobs&, Run&);  \
  template void name(LargeNetwork&, const Knobs&, Run&);

}  // namespace konig
