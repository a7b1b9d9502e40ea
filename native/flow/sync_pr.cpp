#include "flow/programs.h"

#include "konig/flow/sync_pr.h"

namespace konig {

void enter_sync_pr(Programs& programs) {
  enter_for_networks<synchronous_flow::Program, 1>(programs, "flow/sync_pr",
                                                   "konig::synchronous_flow::Program");
}

}  // namespace konig
