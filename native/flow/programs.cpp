#include "flow/programs.h"

#include "konig/flow/async_pr.h"
#include "konig/flow/build.h"
#include "konig/flow/survey.h"
#include "konig/flow/sync_pr.h"

namespace konig {
namespace {

// Amounts are as wide as ids or wider.
template <template <class, class, bool...> class P, int kFlags>
void enter_for_networks(Programs& programs, const char* name, const char* type) {
  enter_pair<P, int, int, kFlags>(programs, name, type);
  enter_pair<P, int, long long, kFlags>(programs, name, type);
  enter_pair<P, long long, long long, kFlags>(programs, name, type);
}

}  // namespace

void enter_flow_programs(Programs& programs) {
  enter_each<survey::Program, int, long long>(programs, "flow/survey", "konig::survey::Program");
  enter_for_networks<residual::Program, 0>(programs, "flow/build", "konig::residual::Program");
  enter_for_networks<synchronous_flow::Program, 1>(programs, "flow/sync_pr",
                                                   "konig::synchronous_flow::Program");
  enter_for_networks<asynchronous_flow::Program, 0>(programs, "flow/async_pr",
                                                    "konig::asynchronous_flow::Program");
}

}  // namespace konig
