// Chooses the layout's solver.
#include "flow/papers/team_flow.h"

namespace konig {

template <class Id, class Offset>
void flow_on_team(const TeamFlow<Id, Offset>& network, const Knobs& knobs, Run& run) {
  const std::string& layout = knobs.text("layout");
  if (layout == "csr")
    flow_on_csr(network, knobs, run);
  else if (layout == "rcsr")
    flow_on_rcsr(network, knobs, run);
  else
    flow_on_bcsr(network, knobs, run);
}

template void flow_on_team(const TeamFlow<int32_t, int32_t>&, const Knobs&, Run&);
template void flow_on_team(const TeamFlow<int64_t, int64_t>&, const Knobs&, Run&);

}  // namespace konig
