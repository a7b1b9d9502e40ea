// The parallel programs of maximum flow, for every width of ids and capacities.
#include "core/program.h"
#include "konig/flow/async_pr.h"
#include "konig/flow/build.h"
#include "konig/flow/cycles.h"
#include "konig/flow/profile.h"
#include "konig/flow/sync_pr.h"
#include "konig/flow/units.h"

namespace konig {

void add_flow_programs(Programs& programs) {
  add_for_each_of<flow_profile::Program, int, long long>(programs,
                                                         {"flow/profile", "konig::flow_profile::Program"});
  add_for_each_of<flow_cycles::Program, int, long long>(programs,
                                                        {"flow/cycles", "konig::flow_cycles::Program"});
  add_for_each_of<flow_units::Program, long long>(programs, {"flow/units", "konig::flow_units::Program"});
  add_for_widths<residual::Program, 0>(programs, {"flow/build", "konig::residual::Program"});
  add_for_widths<synchronous_flow::Program, 1>(programs,
                                               {"flow/sync_pr", "konig::synchronous_flow::Program"});
  add_for_widths<asynchronous_flow::Program, 0>(programs,
                                                {"flow/async_pr", "konig::asynchronous_flow::Program"});
}

}  // namespace konig
