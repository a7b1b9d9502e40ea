#include "flow/programs.h"

#include "konig/flow/async_pr.h"

namespace konig {

void enter_async_pr(Programs& programs) {
  enter_for_networks<asynchronous_flow::Program, 0>(programs, "flow/async_pr",
                                                    "konig::asynchronous_flow::Program");
}

}  // namespace konig
