#include "sequential/flow/maximum_flow.h"

#include <stdexcept>
#include <string>
#include <type_traits>

#include "core/flow_methods.h"
#include "core/stopwatch.h"
#include "sequential/flow/arc_flows.h"
#include "sequential/flow/residual_layout.h"
#include "sequential/flow/supply.h"
#include "sequential/flow/warm_start.h"

namespace konig {
namespace {

template <class Network>
int64_t solve_on(std::string_view name, const Arcs<typename Network::Index>& arcs, TerminalLinks links,
                 StartingFlow initial, const FlowAnswer& answer, const Knobs& knobs, Run& run,
                 Stopwatch watch) {
  const auto solver = find_flow_solver<Network>(name);
  if (!solver) throw std::out_of_range(std::string(name));
  auto network = make_residual_network<Network>(arcs, std::move(links), run);
  run.count("build_seconds", watch.lap());
  if (initial && put_flow(arcs, initial, network, run)) {
    balance(network, run);
    run.count("start_value", arrived(network));
    run.count("start_seconds", watch.lap());
  }
  solver(network, knobs, run);
  run.count("solve_seconds", watch.lap());
  const int64_t value = arrived(network);
  if (value > kLargestFlow) throw FlowOverflow();
  for (typename Network::Index v = 0; v < network.vertices; ++v) {
    const Role role = arcs.role[v];
    answer.sink_side[v] = role == Role::kSink || (role == Role::kInner && network.reaches_sink[v]);
  }
  write_arc_flows(arcs, network, answer.flow, run);
  run.count("extract_seconds", watch.lap());
  return value;
}

}  // namespace

template <class Index>
int64_t maximum_flow(std::string_view solver, const Arcs<Index>& arcs, StartingFlow initial,
                     const FlowAnswer& answer, const Knobs& knobs, Run& run) {
  Stopwatch watch;
  auto links = terminal_links(arcs, run);
  if (links.direct > kLargestFlow) throw FlowOverflow();
  if constexpr (std::is_same_v<Index, int32_t>) {
    if (links.bound < int64_t(1) << 31)
      return solve_on<SmallNetwork>(solver, arcs, std::move(links), initial, answer, knobs, run, watch);
    return solve_on<WideNetwork>(solver, arcs, std::move(links), initial, answer, knobs, run, watch);
  } else {
    return solve_on<LargeNetwork>(solver, arcs, std::move(links), initial, answer, knobs, run, watch);
  }
}

template int64_t maximum_flow(std::string_view, const Arcs<int32_t>&, StartingFlow, const FlowAnswer&,
                              const Knobs&, Run&);
template int64_t maximum_flow(std::string_view, const Arcs<int64_t>&, StartingFlow, const FlowAnswer&,
                              const Knobs&, Run&);

}  // namespace konig
