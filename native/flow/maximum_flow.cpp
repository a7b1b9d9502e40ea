// The stages of a solve on arcs: an image as a lattice, other networks with lists.
#include "flow/maximum_flow.h"

#include <algorithm>
#include <memory>
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
#include "flow/renumbered.h"
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
    TwoSidedPhases(network, vertices_with_balance(network, run), PhaseLimits(), run).solve();
    return;
  }
  if (solver != "push_relabel_flow") throw std::out_of_range(solver);
  if (knobs.text("selection") == "highest")
    solve_by_push_relabel<HighestLabel>(network, push_relabel_knobs(knobs), run);
  else
    solve_by_push_relabel<FirstInFirstOut>(network, push_relabel_knobs(knobs), run);
}

// An arc network that is solved, of lists or of a lattice.
template <class Index, class Network>
class SolvedArcs : public SolvedFlow {
 public:
  SolvedArcs(const Arcs<Index>& arcs, Network network, TerminalLinks links)
      : SolvedFlow(value_at_links(links, &network.balance[network.at(0)], arcs.vertices)),
        arcs_(arcs),
        network_(std::move(network)),
        links_(std::move(links)) {}

  int64_t write(int64_t* flow, Run& run) const override {
    return write_arc_flows(arcs_, network_, links_, flow, run);
  }

 private:
  const Arcs<Index> arcs_;
  const Network network_;
  const TerminalLinks links_;
};

// Arcs with a virtual source in front, which has the last one: links of both terminals add up to more than
// the largest flow, so that excess might overflow. The arcs of sources then leave one inner vertex, which is
// fed just enough to show that a value is too large.
template <class Index>
struct FedArcs {
  std::vector<Index> tail, head;
  std::vector<int64_t> capacity;
  std::vector<Role> role;
  bool undirected;

  FedArcs(const Arcs<Index>& arcs, Run& run)
      : tail(size_t(arcs.count()) + 1),
        head(tail.size()),
        capacity(tail.size()),
        role(arcs.role, arcs.role + arcs.vertices),
        undirected(arcs.undirected) {
    const Index feeder = arcs.vertices;
    const auto fed = [&](Index u, Index other) {
      return role[u] == Role::kSource && role[other] == Role::kInner ? feeder : u;
    };
    arcs.for_each(run, [&](Index a, Index u, Index v) {
      tail[a] = fed(u, v);
      head[a] = arcs.undirected ? fed(v, u) : v;
      capacity[a] = arcs.capacity[a];
    });
    tail.back() = Index(std::find(role.begin(), role.end(), Role::kSource) - role.begin());
    head.back() = feeder;
    capacity.back() = kTooLarge;
    role.push_back(Role::kInner);
  }

  Arcs<Index> arcs() const {
    return {Index(role.size()), nullptr,    head.data(), capacity.data(),
            role.data(),        undirected, tail.data(), Index(tail.size())};
  }
};

template <class Index>
class SolvedFed : public SolvedFlow {
 public:
  SolvedFed(std::unique_ptr<const FedArcs<Index>> fed, std::unique_ptr<const SolvedFlow> solved)
      : SolvedFlow(solved->value), fed_(std::move(fed)), solved_(std::move(solved)) {}

  int64_t write(int64_t* flow, Run& run) const override {
    std::vector<int64_t> all(fed_->tail.size());
    const int64_t value = solved_->write(all.data(), run);
    std::copy(all.begin(), all.end() - 1, flow);
    return value;
  }

 private:
  std::unique_ptr<const FedArcs<Index>> fed_;
  std::unique_ptr<const SolvedFlow> solved_;
};

// A solved network whose vertices were renumbered; its arcs are the given ones.
template <class Index>
class SolvedRenumbered : public SolvedFlow {
 public:
  SolvedRenumbered(std::unique_ptr<const Renumbered<Index>> renumbered,
                   std::unique_ptr<const SolvedFlow> solved)
      : SolvedFlow(solved->value), renumbered_(std::move(renumbered)), solved_(std::move(solved)) {}

  int64_t write(int64_t* flow, Run& run) const override { return solved_->write(flow, run); }

 private:
  std::unique_ptr<const Renumbered<Index>> renumbered_;
  std::unique_ptr<const SolvedFlow> solved_;
};

// One solve: from arcs to a residual network with a maximum flow and its cut. Null if an arc from a source to
// a sink is too large already.
template <class Index>
struct Problem {
  using Solved = std::unique_ptr<const SolvedFlow>;

  const FlowPlan& plan;
  const Arcs<Index> arcs;
  const StartingFlow initial;
  uint8_t* const source_side;
  Run& run;
  bool fed_at_most_enough = false;            // whether a virtual source has been put in front
  bool in_order = false;                      // whether vertices need not be renumbered
  std::optional<Mirrored<Index>> mirrored{};  // as soon as it is known
  bool put_aside = false;                     // whether to put aside what links cannot pass on
  Stopwatch watch{};

  Solved solved() {
    if (!mirrored) mirrored = find_mirrored(arcs, run);
    // Methods by name keep the order that they are given.
    if (plan.trees && !in_order)
      if (auto renumbered = Renumbered<Index>::of(arcs, *mirrored, run))
        return with_other_numbers(std::move(renumbered));
    LargeArray<Index> start(size_t(arcs.vertices) + 2, 0);
    TerminalLinks links = count_arcs(arcs, *mirrored, start.data(), run);
    if (links.direct > kLargestFlow) return {};
    // What the links of a narrow network cannot pass on is put aside once it is built, from what its slots
    // let through. So is that of one that stays wide where the pass that lowers links would wait for memory:
    // trees of a million reals in any order took a sixth less. A start needs sums that fit before.
    const bool sums_fit = links.bound <= kLargestFlow;
    put_aside = links.narrow || (arcs.wide && arcs.misses_cache());
    const bool must_lower = sums_fit ? !put_aside && !stays_wide(arcs, links) : !links.narrow || initial;
    if (must_lower) {
      lower_links(arcs, links, run);
      links.narrow = put_aside = links.narrow || links.bound < kNarrow;
    }
    if (!links.narrow && std::min(links.supply, links.demand) > kLargestFlow && !fed_at_most_enough)
      return with_virtual_source();
    const auto lowered_source = std::move(links.lowered_source), lowered_sink = std::move(links.lowered_sink);
    Solved solved = solved_with(std::move(start), std::move(links));
    for (const size_t v : lowered_source) source_side[v] = 1;
    for (const size_t v : lowered_sink) source_side[v] = 0;
    return solved;
  }

  Solved solved_with(LargeArray<Index> start, TerminalLinks links) {
    if constexpr (std::is_same_v<Index, int64_t>) {
      return solved_on_lists<LargeNetwork>(std::move(start), std::move(links));
    } else {
      // On an image search trees are faster from nothing than any other method from a flow.
      if (plan.trees || plan.solver == "search_tree_flow")
        if (auto lattice = lattice_of(arcs, links, run)) {
          run.count("build_seconds", watch.lap());
          if (initial) run.count("start_value", int64_t(0));
          return solved_on(std::move(*lattice), std::move(links));
        }
      if (links.narrow) return solved_on_lists<SmallNetwork>(std::move(start), std::move(links));
      return solved_on_lists<WideNetwork>(std::move(start), std::move(links));
    }
  }

  template <class Network>
  Solved solved_on_lists(LargeArray<Index> start, TerminalLinks links) {
    auto network = build_network<Network>(arcs, *mirrored, links, std::move(start), run);
    run.count("build_seconds", watch.lap());
    if (initial) {
      const bool used = worth_starting_from(arcs, initial, run);
      run.count("start_value", used ? put_flow(arcs, initial, links, network, run) : 0);
      run.count("start_seconds", watch.lap());
    }
    return solved_on(std::move(network), std::move(links));
  }

  template <class Network>
  Solved solved_on(Network network, TerminalLinks links) {
    {
      // Links that were not lowered are, to what the slots of their vertices let through: a vertex with a
      // large supply that can pass on nothing more would begin every search.
      std::optional<PutAside<Network>> aside;
      if (put_aside && links.bound >= kNarrow) aside.emplace(network, run);
      solve(plan, network, run);
    }
    std::copy_n(&network.source_side[network.at(0)], arcs.vertices, source_side);
    for_each_terminal(arcs, [&](Index v) { source_side[v] = arcs.role[v] == Role::kSource; });
    run.count("solve_seconds", watch.lap());
    return std::make_unique<SolvedArcs<Index, Network>>(arcs, std::move(network), std::move(links));
  }

  Solved with_other_numbers(std::unique_ptr<const Renumbered<Index>> renumbered) {
    LargeArray<uint8_t> side(size_t(arcs.vertices));
    run.count("renumbered", int64_t(1));
    Problem inside{plan, renumbered->arcs(arcs), initial, side.data(), run, false, true, mirrored};
    inside.watch = watch;
    auto solved = inside.solved();
    if (!solved) return {};
    for (Index v = 0; v < arcs.vertices; ++v) source_side[v] = side[(*renumbered)[v]];
    return std::make_unique<SolvedRenumbered<Index>>(std::move(renumbered), std::move(solved));
  }

  Solved with_virtual_source() {
    auto fed = std::make_unique<const FedArcs<Index>>(arcs, run);
    std::vector<uint8_t> side(fed->role.size());
    std::vector<int64_t> start;
    if (initial) {
      start.assign(initial, initial + arcs.count());
      start.push_back(0);
    }
    auto solved =
        Problem{plan, fed->arcs(), initial ? start.data() : nullptr, side.data(), run, true, true}.solved();
    if (!solved) return {};
    std::copy(side.begin(), side.end() - 1, source_side);
    return std::make_unique<SolvedFed<Index>>(std::move(fed), std::move(solved));
  }
};

}  // namespace

template <class Index>
std::unique_ptr<const SolvedFlow> solve_flow(const FlowPlan& plan, const Arcs<Index>& arcs,
                                             StartingFlow initial, uint8_t* source_side, Run& run) {
  auto solved = Problem<Index>{plan, arcs, initial, source_side, run}.solved();
  if (solved && !initial && solved->value > kLargestFlow) return {};
  return solved;
}

template <class Index>
std::optional<int64_t> maximum_flow(const FlowPlan& plan, const Arcs<Index>& arcs, StartingFlow initial,
                                    const FlowAnswer& answer, Run& run) {
  const auto solved = solve_flow(plan, arcs, initial, answer.source_side, run);
  if (!solved) return {};
  Stopwatch watch;
  const int64_t value = solved->write(answer.flow, run);
  run.count("extract_seconds", watch.lap());
  return value > kLargestFlow ? std::nullopt : std::optional(value);
}

template std::unique_ptr<const SolvedFlow> solve_flow(const FlowPlan&, const Arcs<int32_t>&, StartingFlow,
                                                      uint8_t*, Run&);
template std::unique_ptr<const SolvedFlow> solve_flow(const FlowPlan&, const Arcs<int64_t>&, StartingFlow,
                                                      uint8_t*, Run&);
template std::optional<int64_t> maximum_flow(const FlowPlan&, const Arcs<int32_t>&, StartingFlow,
                                             const FlowAnswer&, Run&);
template std::optional<int64_t> maximum_flow(const FlowPlan&, const Arcs<int64_t>&, StartingFlow,
                                             const FlowAnswer&, Run&);

}  // namespace konig
