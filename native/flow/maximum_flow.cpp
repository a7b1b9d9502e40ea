#include "flow/maximum_flow.h"

#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "core/stopwatch.h"
#include "flow/arc_flows.h"
#include "flow/automatic.h"
#include "flow/circulations.h"
#include "flow/lattice_flow.h"
#include "flow/methods.h"
#include "flow/residual_layout.h"
#include "flow/sorted_arcs.h"
#include "flow/supply.h"
#include "flow/warm_start.h"

namespace konig {
namespace {

template <class Network>
int64_t solve_on(std::string_view name, const Arcs<typename Network::Index>& arcs, TerminalLinks links,
                 StartingFlow initial, const FlowAnswer& answer, const Knobs& knobs, Run& run,
                 Stopwatch& watch) {
  const auto solver = find_flow_solver<Network>(name);
  if (!solver) throw std::out_of_range(std::string(name));
  auto network = make_residual_network<Network>(arcs, std::move(links), run);
  run.count("build_seconds", watch.lap());
  if (initial) {
    if (worth_starting_from(arcs, initial, run) && put_flow(arcs, initial, network, run))
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
  FlowMarks<typename Network::Index> marks(arcs.vertices);
  write_arc_flows(arcs, network, answer.flow, marks, run);
  cancel_circulations(arcs, marks, answer.flow, run);
  run.count("extract_seconds", watch.lap());
  return value;
}

template <class Index>
int64_t solve_sorted(std::string_view solver, const Arcs<Index>& arcs, TerminalLinks links,
                     StartingFlow initial, const FlowAnswer& answer, const Knobs& knobs, Run& run,
                     Stopwatch& watch) {
  if constexpr (std::is_same_v<Index, int32_t>) {
    if (links.bound < int64_t(1) << 31)
      return solve_on<SmallNetwork>(solver, arcs, std::move(links), initial, answer, knobs, run, watch);
    return solve_on<WideNetwork>(solver, arcs, std::move(links), initial, answer, knobs, run, watch);
  } else {
    return solve_on<LargeNetwork>(solver, arcs, std::move(links), initial, answer, knobs, run, watch);
  }
}

// The same with arcs in any order: sorts them first where they are not.
template <class Index>
int64_t solve_in_any_order(std::string_view solver, const Arcs<Index>& arcs, TerminalLinks links,
                           StartingFlow initial, const FlowAnswer& answer, const Knobs& knobs, Run& run,
                           Stopwatch& watch) {
  if (inner_arcs_sorted(arcs, run))
    return solve_sorted(solver, arcs, std::move(links), initial, answer, knobs, run, watch);
  const SortedArcs<Index> sorted(arcs, run);
  LargeArray<int64_t> flow(size_t(arcs.listed)), start_of_sorted(initial ? size_t(arcs.listed) : 0);
  for (Index k = 0; k < Index(start_of_sorted.size()); ++k) start_of_sorted[k] = initial[sorted.order[k]];
  const int64_t value =
      solve_sorted(solver, sorted.arcs(), std::move(links), initial ? start_of_sorted.data() : nullptr,
                   {flow.data(), answer.sink_side}, knobs, run, watch);
  for (Index k = 0; k < arcs.listed; ++k) answer.flow[sorted.order[k]] = flow[k];
  return value;
}

double patience_for(const TerminalLinks& links, int64_t vertices) {
  int64_t linked = 0;
  for (int64_t v = 0; v < vertices; ++v) linked += links.from_source[v] > 0 || links.to_sink[v] > 0;
  return patience_with_trees(linked, vertices, links.bound);
}

}  // namespace

template <class Index>
int64_t maximum_flow(std::string_view solver, const Arcs<Index>& arcs, StartingFlow initial,
                     const FlowAnswer& answer, const Knobs& knobs, Run& run) {
  Stopwatch watch;
  auto links = terminal_links(arcs, run);
  if (links.direct > kLargestFlow) throw FlowOverflow();
  const bool automatic = solver == "automatic_flow";
  const double patience = automatic                      ? patience_for(links, arcs.vertices)
                          : solver == "search_tree_flow" ? kNeverGiveUp
                                                         : 0;
  // On a lattice search trees are faster from nothing than any other method from a flow.
  if (patience > 0) {
    const auto found = flow_on_lattice(arcs, links, patience, answer, run);
    if (found) {
      if (found->value > kLargestFlow) throw FlowOverflow();
      if (automatic) count_choice(true, !found->maximum, run);
      if (found->maximum) {
        if (initial) run.count("start_value", int64_t(0));
        return found->value;
      }
      const std::vector<int64_t> start(answer.flow, answer.flow + arcs.count());
      watch.lap();
      return solve_in_any_order("push_relabel_flow", arcs, terminal_links(arcs, run), start.data(), answer,
                                push_relabel_knobs(), run, watch);
    }
  }
  return solve_in_any_order(solver, arcs, std::move(links), initial, answer, knobs, run, watch);
}

template int64_t maximum_flow(std::string_view, const Arcs<int32_t>&, StartingFlow, const FlowAnswer&,
                              const Knobs&, Run&);
template int64_t maximum_flow(std::string_view, const Arcs<int64_t>&, StartingFlow, const FlowAnswer&,
                              const Knobs&, Run&);

}  // namespace konig
