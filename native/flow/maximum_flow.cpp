// The stages of a solve on arcs: an image as a lattice, search trees by their rule, then the solver asked
// for.
#include "flow/maximum_flow.h"

#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "core/stopwatch.h"
#include "flow/arc_flows.h"
#include "flow/lattice_flow.h"
#include "flow/merge.h"
#include "flow/search_trees.h"
#include "flow/solvers.h"
#include "flow/warm_start.h"

namespace konig {
namespace {

void count_choice(bool trees, bool handed_over, Run& run) {
  run.count("trees", int64_t(trees));
  run.count("handed_over", int64_t(handed_over));
}

// Search trees, for as many steps as the rule allows; whether they found a maximum flow. If not, the network
// holds a flow all the same.
template <class Network>
bool try_trees(Network& network, const TreeRule& rule, Run& run) {
  int64_t linked = 0, connected = 0;
  for (typename Network::Index v = 0; v < network.vertices; ++v) {
    linked += network.from_source[v] > 0 || network.to_sink[v] > 0;
    connected += network.first(v) < network.last(v);
  }
  const double steps = rule.steps_per_item(linked, connected, network.bound);
  const double size = double(network.vertices) + double(network.start[network.vertices]);
  const bool solved = steps > 0 && solve_by_trees(network, int64_t(steps * size), run);
  count_choice(steps > 0, steps > 0 && !solved, run);
  return solved;
}

template <class Network>
void solve(const FlowPlan& plan, Network& network, Run& run) {
  if (plan.trees && try_trees(network, *plan.trees, run)) return;
  if (plan.solver == "push_relabel_flow") return push_relabel_flow(network, plan.knobs, run);
  if (plan.solver == "dinic_flow") return dinic_flow(network, plan.knobs, run);
  if (plan.solver != "search_tree_flow") throw std::out_of_range(plan.solver);
  solve_by_trees(network, INT64_MAX, run);
}

// One solve: from arcs to a flow and its cut.
template <class Index>
struct Problem {
  const FlowPlan& plan;
  Arcs<Index> arcs;
  StartingFlow initial;
  FlowAnswer answer;
  Run& run;
  Stopwatch watch{};

  template <class Network>
  std::optional<int64_t> solve_on(TerminalLinks links) {
    auto network = make_residual_network<Network>(arcs, std::move(links), run);
    run.count("build_seconds", watch.lap());
    if (initial) {
      if (worth_starting_from(arcs, initial, run) && put_flow(arcs, initial, network, run))
        balance(network, run);
      run.count("start_value", network.value());
      run.count("start_seconds", watch.lap());
    }
    solve(plan, network, run);
    run.count("solve_seconds", watch.lap());
    const int64_t value = network.value();
    if (value > kLargestFlow) return {};
    for (Index v = 0; v < network.vertices; ++v) {
      const Role role = arcs.role[v];
      answer.source_side[v] = role == Role::kSource || (role == Role::kInner && !network.reaches_sink[v]);
    }
    write_arc_flows(arcs, network, answer.flow, run);
    run.count("extract_seconds", watch.lap());
    return value;
  }

  std::optional<int64_t> solve_sorted(TerminalLinks links) {
    if constexpr (std::is_same_v<Index, int64_t>)
      return solve_on<LargeNetwork>(std::move(links));
    else if (links.bound < int64_t(1) << 31)
      return solve_on<SmallNetwork>(std::move(links));
    else
      return solve_on<WideNetwork>(std::move(links));
  }

  // Solves a sorted copy where the arcs are not sorted.
  std::optional<int64_t> solve_in_any_order(TerminalLinks links) {
    if (inner_arcs_sorted(arcs, run)) return solve_sorted(std::move(links));
    const auto count = size_t(arcs.listed);
    LargeArray<Index> order(count), head(count), start(size_t(arcs.vertices) + 1, 0);
    LargeArray<int64_t> capacity(count), flow(count), sorted_initial(initial ? count : 0);
    sort_arcs(arcs.tail, arcs.head, arcs.listed, arcs.vertices, start.data(), order.data(), run);
    for (size_t k = 0; k < count; ++k) {
      head[k] = arcs.head[order[k]];
      capacity[k] = arcs.capacity[order[k]];
      if (initial) sorted_initial[k] = initial[order[k]];
    }
    run.spend(arcs.listed);
    const Arcs<Index> sorted{arcs.vertices,   start.data(), head.data(),
                             capacity.data(), arcs.role,    arcs.undirected};
    Problem in_order{
        plan, sorted, initial ? sorted_initial.data() : nullptr, {flow.data(), answer.source_side},
        run,  watch};
    const auto value = in_order.solve_sorted(std::move(links));
    for (size_t k = 0; k < count; ++k) answer.flow[order[k]] = flow[k];
    return value;
  }
};

// How many steps per vertex and slot search trees get, before the network is built: vertices without slots
// count too.
double tree_steps(const FlowPlan& plan, const TerminalLinks& links) {
  constexpr double kNeverGiveUp = 1e18;
  if (!plan.trees) return plan.solver == "search_tree_flow" ? kNeverGiveUp : 0;
  const auto vertices = int64_t(links.to_sink.size());
  int64_t linked = 0;
  for (int64_t v = 0; v < vertices; ++v) linked += links.from_source[v] > 0 || links.to_sink[v] > 0;
  return plan.trees->steps_per_item(linked, vertices, links.bound);
}

}  // namespace

template <class Index>
std::optional<int64_t> maximum_flow(const FlowPlan& plan, const Arcs<Index>& arcs, StartingFlow initial,
                                    const FlowAnswer& answer, Run& run) {
  Problem<Index> problem{plan, arcs, initial, answer, run};
  auto links = terminal_links(arcs, run);
  if (links.direct > kLargestFlow) return {};
  std::optional<LatticeFlow> image;
  // On an image search trees are faster from nothing than any other method from a flow.
  if constexpr (std::is_same_v<Index, int32_t>)
    if (const double steps = tree_steps(plan, links); steps > 0)
      image = flow_on_lattice(arcs, links, steps, answer, run);
  if (!image) return problem.solve_in_any_order(std::move(links));
  if (image->value > kLargestFlow) return {};
  if (plan.trees) count_choice(true, !image->maximum, run);
  if (image->maximum) {
    if (initial) run.count("start_value", int64_t(0));
    return image->value;
  }
  const std::vector<int64_t> start(answer.flow, answer.flow + arcs.count());
  const FlowPlan without_trees{plan.solver, plan.knobs, {}};
  return Problem<Index>{without_trees, arcs, start.data(), answer, run}.solve_in_any_order(
      terminal_links(arcs, run));
}

template std::optional<int64_t> maximum_flow(const FlowPlan&, const Arcs<int32_t>&, StartingFlow,
                                             const FlowAnswer&, Run&);
template std::optional<int64_t> maximum_flow(const FlowPlan&, const Arcs<int64_t>&, StartingFlow,
                                             const FlowAnswer&, Run&);

}  // namespace konig
