// Push-relabel on the layout Csr; see push_relabel_on_team.h.
#include "flow/papers/push_relabel_on_team.h"

namespace konig {

template <class Id, class Offset>
void flow_on_csr(const TeamFlow<Id, Offset>& network, const Knobs& knobs, Run& run) {
  TeamFlowSolve<flow::Csr, Id, Offset>(network, knobs, run).solve();
}

template void flow_on_csr(const TeamFlow<int32_t, int32_t>&, const Knobs&, Run&);
template void flow_on_csr(const TeamFlow<int64_t, int64_t>&, const Knobs&, Run&);

}  // namespace konig
