// The stages of a solve on arcs: an image as a lattice, other networks with lists.
#include "flow/maximum_flow.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/stopwatch.h"
#include "flow/arc_flows.h"
#include "flow/build.h"
#include "flow/lattice_flow.h"
#include "flow/papers/dinic.h"
#include "flow/stages.h"
#include "flow/warm_start.h"

namespace konig {
namespace {

void solve(const FlowPlan& plan, ArcLattice& network, Run& run) { solve_by_trees(plan, network, run); }

template <class Network>
void solve(const FlowPlan& plan, Network& network, Run& run) {
  const auto& [solver, knobs, trees] = plan;
  if (trees || solver == "search_tree_flow") return solve_by_trees(plan, network, run);
  if (solver == "dinic_flow") return solve_by_dinic(network, knobs.flag("nearest"), run);
  if (solver == "two_sided_flow") {
    augment_short_paths(network, run);
    TwoSidedPhases(network, INT64_MAX, INT64_MAX, run).solve();
    return;
  }
  if (solver != "push_relabel_flow") throw std::out_of_range(solver);
  if (knobs.text("selection") == "highest")
    solve_by_push_relabel<HighestLabel>(network, push_relabel_knobs(knobs), run);
  else
    solve_by_push_relabel<FirstInFirstOut>(network, push_relabel_knobs(knobs), run);
}

// One solve: from arcs to a flow and its cut. Values are at most kTooLarge.
template <class Index>
struct Problem {
  const FlowPlan& plan;
  const Arcs<Index> arcs;
  const StartingFlow initial;
  const FlowAnswer answer;
  Run& run;
  bool fed_at_most_enough = false;  // whether a virtual source has been put in front
  Stopwatch watch{};

  int64_t value() {
    LargeArray<Index> start(size_t(arcs.vertices) + 2, 0);
    TerminalLinks links = count_arcs(arcs, start.data(), run);
    if (links.direct > kLargestFlow) return kTooLarge;
    constexpr int64_t kNarrow = int64_t(1) << 31;
    if (links.bound > kLargestFlow || (links.bound >= kNarrow && !stays_wide(arcs, links, kNarrow)))
      lower_links(arcs, links, run);
    if (std::min(links.supply, links.demand) > kLargestFlow && !fed_at_most_enough)
      return with_virtual_source();
    const int64_t value = solve_with(std::move(start), links);
    for (const size_t v : links.lowered_source) answer.source_side[v] = 1;
    for (const size_t v : links.lowered_sink) answer.source_side[v] = 0;
    return value;
  }

  int64_t solve_with(LargeArray<Index> start, TerminalLinks& links) {
    if constexpr (std::is_same_v<Index, int64_t>) {
      return solve_on_lists<LargeNetwork>(std::move(start), links);
    } else {
      // On an image search trees are faster from nothing than any other method from a flow.
      if (plan.trees || plan.solver == "search_tree_flow")
        if (auto lattice = lattice_of(arcs, links, run)) {
          run.count("build_seconds", watch.lap());
          if (initial) run.count("start_value", int64_t(0));
          return solve_on(*lattice, links);
        }
      if (links.bound < int64_t(1) << 31) return solve_on_lists<SmallNetwork>(std::move(start), links);
      return solve_on_lists<WideNetwork>(std::move(start), links);
    }
  }

  template <class Network>
  int64_t solve_on_lists(LargeArray<Index> start, TerminalLinks& links) {
    auto network = build_network<Network>(arcs, links, std::move(start), run);
    run.count("build_seconds", watch.lap());
    if (initial) {
      const bool used = worth_starting_from(arcs, initial, run);
      run.count("start_value", used ? put_flow(arcs, initial, links, network, run) : 0);
      run.count("start_seconds", watch.lap());
    }
    return solve_on(network, links);
  }

  template <class Network>
  int64_t solve_on(Network& network, TerminalLinks& links) {
    solve(plan, network, run);
    run.count("solve_seconds", watch.lap());
    for (Index v = 0; v < arcs.vertices; ++v) {
      const Role role = arcs.role[v];
      answer.source_side[v] =
          role == Role::kSource || (role == Role::kInner && network.source_side[network.at(v)]);
    }
    const int64_t value = write_arc_flows(arcs, network, links, answer.flow, run);
    run.count("extract_seconds", watch.lap());
    return value;
  }

  // Links of both terminals add up to more than the largest flow, so that excess might overflow. The arcs of
  // sources then leave one inner vertex, which is fed just enough to show that a value is too large.
  int64_t with_virtual_source() {
    const Index count = arcs.count(), feeder = arcs.vertices;
    std::vector<Index> tail(size_t(count) + 1), head(size_t(count) + 1);
    std::vector<int64_t> capacity(size_t(count) + 1), flow(size_t(count) + 1);
    std::vector<Role> role(arcs.role, arcs.role + arcs.vertices);
    std::vector<uint8_t> side(size_t(arcs.vertices) + 1);
    const auto fed = [&](Index u, Index other) {
      return role[u] == Role::kSource && role[other] == Role::kInner ? feeder : u;
    };
    arcs.for_each(run, [&](Index a, Index u, Index v) {
      tail[a] = fed(u, v);
      head[a] = arcs.undirected ? fed(v, u) : v;
      capacity[a] = arcs.capacity[a];
    });
    tail[count] = Index(std::find(role.begin(), role.end(), Role::kSource) - role.begin());
    head[count] = feeder;
    capacity[count] = kTooLarge;
    role.push_back(Role::kInner);
    std::vector<int64_t> start;
    if (initial) {
      start.assign(initial, initial + count);
      start.push_back(0);
    }
    const Arcs<Index> all{feeder + 1,  nullptr,         head.data(), capacity.data(),
                          role.data(), arcs.undirected, tail.data(), count + 1};
    const int64_t value =
        Problem{plan, all, initial ? start.data() : nullptr, {flow.data(), side.data()}, run, true}.value();
    std::copy(flow.begin(), flow.end() - 1, answer.flow);
    std::copy(side.begin(), side.end() - 1, answer.source_side);
    return value;
  }
};

}  // namespace

template <class Index>
std::optional<int64_t> maximum_flow(const FlowPlan& plan, const Arcs<Index>& arcs, StartingFlow initial,
                                    const FlowAnswer& answer, Run& run) {
  const int64_t value = Problem<Index>{plan, arcs, initial, answer, run}.value();
  return value > kLargestFlow ? std::nullopt : std::optional(value);
}

template std::optional<int64_t> maximum_flow(const FlowPlan&, const Arcs<int32_t>&, StartingFlow,
                                             const FlowAnswer&, Run&);
template std::optional<int64_t> maximum_flow(const FlowPlan&, const Arcs<int64_t>&, StartingFlow,
                                             const FlowAnswer&, Run&);

}  // namespace konig
