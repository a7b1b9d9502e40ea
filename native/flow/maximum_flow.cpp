#include "flow/maximum_flow.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/stopwatch.h"
#include "flow/arc_flows.h"
#include "flow/lattice_flow.h"
#include "flow/residual.h"
#include "flow/search_trees.h"
#include "flow/solvers.h"
#include "flow/supply.h"
#include "flow/warm_start.h"

namespace konig {
namespace {

template <class Network>
using Solver = void (*)(Network&, const Knobs&, Run&);

template <class Network>
Solver<Network> find_solver(std::string_view name) {
  if (name == "push_relabel_flow") return push_relabel_flow<Network>;
  if (name == "search_tree_flow") return search_tree_flow<Network>;
  if (name == "dinic_flow") return dinic_flow<Network>;
  throw std::out_of_range(std::string(name));
}

void count_choice(bool trees, bool handed_over, Run& run) {
  run.count("trees", int64_t(trees));
  run.count("handed_over", int64_t(handed_over));
}

// Whether search trees have found a maximum flow. What they leave behind otherwise is a flow too.
template <class Network>
bool solved_by_trees(Network& network, const TreeRule& rule, Run& run) {
  int64_t linked = 0, connected = 0;
  for (typename Network::Index v = 0; v < network.vertices; ++v) {
    linked += network.source_left[v] > 0 || network.sink_left[v] > 0;
    connected += network.first(v) < network.last(v);
  }
  const double patience = rule.patience(linked, connected, network.bound);
  const double size = double(network.vertices) + double(network.start[network.vertices]);
  const bool solved = patience > 0 && solve_by_trees(network, int64_t(patience * size), run);
  count_choice(patience > 0, patience > 0 && !solved, run);
  return solved;
}

template <class Network>
std::optional<int64_t> solve_on(const FlowPlan& plan, const Arcs<typename Network::Index>& arcs,
                                TerminalLinks links, StartingFlow initial, const FlowAnswer& answer, Run& run,
                                Stopwatch& watch) {
  const auto solver = find_solver<Network>(plan.solver);
  auto network = make_residual_network<Network>(arcs, std::move(links), run);
  run.count("build_seconds", watch.lap());
  if (initial) {
    if (worth_starting_from(arcs, initial, run) && put_flow(arcs, initial, network, run))
      balance(network, run);
    run.count("start_value", arrived(network));
    run.count("start_seconds", watch.lap());
  }
  if (!plan.trees || !solved_by_trees(network, *plan.trees, run)) solver(network, plan.knobs, run);
  run.count("solve_seconds", watch.lap());
  const int64_t value = arrived(network);
  if (value > kLargestFlow) return {};
  for (typename Network::Index v = 0; v < network.vertices; ++v) {
    const Role role = arcs.role[v];
    answer.sink_side[v] = role == Role::kSink || (role == Role::kInner && network.reaches_sink[v]);
  }
  write_arc_flows(arcs, network, answer.flow, run);
  run.count("extract_seconds", watch.lap());
  return value;
}

template <class Index>
std::optional<int64_t> solve_sorted(const FlowPlan& plan, const Arcs<Index>& arcs, TerminalLinks links,
                                    StartingFlow initial, const FlowAnswer& answer, Run& run,
                                    Stopwatch& watch) {
  if constexpr (std::is_same_v<Index, int32_t>) {
    if (links.bound < int64_t(1) << 31)
      return solve_on<SmallNetwork>(plan, arcs, std::move(links), initial, answer, run, watch);
    return solve_on<WideNetwork>(plan, arcs, std::move(links), initial, answer, run, watch);
  } else {
    return solve_on<LargeNetwork>(plan, arcs, std::move(links), initial, answer, run, watch);
  }
}

// Sorts the arcs first where they are not.
template <class Index>
std::optional<int64_t> solve_in_any_order(const FlowPlan& plan, const Arcs<Index>& arcs, TerminalLinks links,
                                          StartingFlow initial, const FlowAnswer& answer, Run& run,
                                          Stopwatch& watch) {
  if (inner_arcs_sorted(arcs, run))
    return solve_sorted(plan, arcs, std::move(links), initial, answer, run, watch);
  const SortedArcs<Index> sorted(arcs, run);
  LargeArray<int64_t> flow(size_t(arcs.listed)), start_of_sorted(initial ? size_t(arcs.listed) : 0);
  for (Index k = 0; k < Index(start_of_sorted.size()); ++k) start_of_sorted[k] = initial[sorted.order[k]];
  const auto value =
      solve_sorted(plan, sorted.arcs(), std::move(links), initial ? start_of_sorted.data() : nullptr,
                   {flow.data(), answer.sink_side}, run, watch);
  for (Index k = 0; k < arcs.listed; ++k) answer.flow[sorted.order[k]] = flow[k];
  return value;
}

// How many steps per vertex and slot search trees get before anything else is known of the arcs.
double tree_patience(const FlowPlan& plan, const TerminalLinks& links) {
  constexpr double kNeverGiveUp = 1e18;
  if (!plan.trees) return plan.solver == "search_tree_flow" ? kNeverGiveUp : 0;
  const auto vertices = int64_t(links.to_sink.size());
  int64_t linked = 0;
  for (int64_t v = 0; v < vertices; ++v) linked += links.from_source[v] > 0 || links.to_sink[v] > 0;
  return plan.trees->patience(linked, vertices, links.bound);
}

}  // namespace

template <class Index>
std::optional<int64_t> maximum_flow(const FlowPlan& plan, const Arcs<Index>& arcs, StartingFlow initial,
                                    const FlowAnswer& answer, Run& run) {
  Stopwatch watch;
  auto links = terminal_links(arcs, run);
  if (links.direct > kLargestFlow) return {};
  std::optional<LatticeFlow> image;
  // On an image search trees are faster from nothing than any other method from a flow.
  if constexpr (std::is_same_v<Index, int32_t>)
    if (const double patience = tree_patience(plan, links); patience > 0)
      image = flow_on_lattice(arcs, links, patience, answer, run);
  if (!image) return solve_in_any_order(plan, arcs, std::move(links), initial, answer, run, watch);
  if (image->value > kLargestFlow) return {};
  if (plan.trees) count_choice(true, !image->maximum, run);
  if (image->maximum) {
    if (initial) run.count("start_value", int64_t(0));
    return image->value;
  }
  const std::vector<int64_t> start(answer.flow, answer.flow + arcs.count());
  watch.lap();
  return solve_in_any_order({plan.solver, plan.knobs, {}}, arcs, terminal_links(arcs, run), start.data(),
                            answer, run, watch);
}

template std::optional<int64_t> maximum_flow(const FlowPlan&, const Arcs<int32_t>&, StartingFlow,
                                             const FlowAnswer&, Run&);
template std::optional<int64_t> maximum_flow(const FlowPlan&, const Arcs<int64_t>&, StartingFlow,
                                             const FlowAnswer&, Run&);

}  // namespace konig
