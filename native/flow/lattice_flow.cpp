#include "flow/lattice_flow.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/stopwatch.h"
#include "flow/circulations.h"
#include "flow/lattice_network.h"
#include "flow/search_trees.h"

namespace konig {
namespace {

constexpr int kMostSteps = 4;

// The steps of a sample of arcs between inner vertices, in increasing order; empty if there are too few or
// too many for a lattice, or if lists are too short for it to pay.
template <class Index>
std::vector<Index> sampled_steps(const Arcs<Index>& arcs) {
  constexpr Index kSample = 256;
  const Index total = arcs.count(), stride = std::max<Index>(1, total / kSample);
  std::vector<Index> steps;
  for (Index a = stride / 2; a < total; a += stride) {
    // Neighbours too: where arcs come by tail, a stride might meet one direction only.
    for (Index k = a; k < std::min<Index>(total, a + 2 * kMostSteps); ++k) {
      const Index u =
          arcs.start ? Index(std::upper_bound(arcs.start, arcs.start + arcs.vertices + 1, k) - arcs.start - 1)
                     : arcs.tail[k];
      const Index v = arcs.head[k];
      if (!arcs.inner(u, v)) continue;
      const Index step = v > u ? v - u : u - v;
      const auto place = std::lower_bound(steps.begin(), steps.end(), step);
      if (place != steps.end() && *place == step) continue;
      if (steps.size() == kMostSteps) return {};
      steps.insert(place, step);
    }
  }
  if (steps.size() < 2 || steps.back() > arcs.vertices / 2) return {};
  if (total < int64_t(arcs.vertices) * int64_t(steps.size()) / 2) return {};
  return steps;
}

template <class Network>
class Lattice {
 public:
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;

  Lattice(const Arcs<Index>& arcs, const typename Network::Steps& steps, const TerminalLinks& links)
      : network(arcs.vertices, steps, links.from_source.data(), links.to_sink.data(), links.bound),
        arcs_(arcs),
        bound_(links.bound) {}

  // Says false if an arc makes no step of the lattice, or if two are parallel.
  bool fill(Run& run) {
    bool fits = true;
    auto* const slots = network.slots.data();
    arcs_.for_each(run, [&](Index a, Index u, Index v) {
      if (!arcs_.inner(u, v)) return;
      const Index k = direction(v - u);
      Capacity& slot = slots[network.first(u + network.margin) + k];
      fits &= network.step[k] == v - u && slot == 0;
      slot = Capacity(std::min(arcs_.capacity[a], bound_));
    });
    return fits;
  }

  // Parallel arcs of a terminal are filled in their order, so that what is left of a vertex's flow there has
  // to be known: it is kept where the capacities were. All circulation is taken off.
  void write_flows(int64_t* source_flow, int64_t* sink_flow, int64_t* flow, Run& run) {
    const auto* const slots = network.slots.data();
    FlowMarks<Index> marks(arcs_.vertices);
    FlowOfSlots along{network, LargeArray<Index>(network.slots.size(), kNoArc), flow};
    const auto take = [&](int64_t& rest, int64_t capacity) {
      const int64_t amount = std::min(rest, capacity);
      rest -= amount;
      return amount;
    };
    arcs_.for_each(run, [&](Index a, Index u, Index v) {
      const int64_t capacity = arcs_.capacity[a];
      if (arcs_.inner(u, v)) {
        // Unsigned: a residual capacity may be twice the bound.
        const Index slot = network.first(u + network.margin) + direction(v - u);
        const auto all = uint64_t(std::min(capacity, bound_));
        const uint64_t used = all - std::min<uint64_t>(all, slots[slot]);
        flow[a] = int64_t(used);
        if (used > 0) {
          along.arc[slot] = a;
          marks.note(u, v);
        }
        return;
      }
      const Role own = arcs_.role[u], other = arcs_.role[v];
      flow[a] = own == Role::kSource && other == Role::kInner  ? take(source_flow[v], capacity)
                : own == Role::kInner && other == Role::kSink  ? take(sink_flow[u], capacity)
                : own == Role::kSource && other == Role::kSink ? capacity
                                                               : 0;
    });
    if (marks.cycles_possible()) Circulations(along, marks, run).cancel();
  }

  Network network;

 private:
  static constexpr Index kNoArc = -1;

  // The flow along each slot, to take circulation off it.
  struct FlowOfSlots {
    using Index = typename Network::Index;
    const Network& network;
    LargeArray<Index> arc;  // with flow along the slot
    int64_t* flow;

    Index first(Index u) const { return network.first(u + network.margin); }
    Index last(Index u) const { return network.last(u + network.margin); }
    Index head(Index s) const { return network.head(s) - network.margin; }
    int64_t amount(Index s) const { return arc[s] == kNoArc ? 0 : flow[arc[s]]; }
    void take(Index s, int64_t amount) { flow[arc[s]] -= amount; }
  };

  // The direction that makes this step; 0 if there is none. No branches: arcs come in any order.
  Index direction(Index step) const {
    Index k = 0;
    for (Index d = 1; d < Network::kDirections; ++d) k += network.step[d] == step ? d : 0;
    return k;
  }

  const Arcs<Index>& arcs_;
  const int64_t bound_;
};

template <class Index, class Capacity, int Directions>
std::optional<LatticeFlow> solve(const Arcs<Index>& arcs, TerminalLinks& links,
                                 const std::vector<Index>& sampled, double patience, const FlowAnswer& answer,
                                 Run& run) {
  using Network = LatticeNetwork<Index, Capacity, Directions>;
  if (!Network::fits(arcs.vertices, sampled.back())) return {};
  Stopwatch watch;
  typename Network::Steps steps;
  std::copy(sampled.begin(), sampled.end(), steps.begin());
  Lattice<Network> lattice(arcs, steps, links);
  if (!lattice.fill(run)) return {};
  run.count("build_seconds", watch.lap());
  auto& network = lattice.network;
  SearchTreeCounts counts;
  SearchTrees<Network> trees(network, counts, run);
  const double most = patience * (1 + Directions) * double(network.vertices);
  const bool solved = trees.solve(most < 1e18 ? int64_t(most) : INT64_MAX);
  counts.write(run);
  run.count("solve_seconds", watch.lap());
  int64_t value = links.direct;
  for (Index v = 0; v < arcs.vertices; ++v) {
    const Role role = arcs.role[v];
    const Index place = v + network.margin;
    answer.sink_side[v] = role == Role::kSink || (role == Role::kInner && !trees.in_source_tree(place));
    const int64_t left = trees.link(place);
    links.from_source[v] = network.source_flow(place, left);
    links.to_sink[v] = network.sink_flow(place, left);
    value = bounded_sum(value, links.to_sink[v]);
  }
  lattice.write_flows(links.from_source.data(), links.to_sink.data(), answer.flow, run);
  run.count("extract_seconds", watch.lap());
  return LatticeFlow{value, solved};
}

template <class Index, class Capacity>
std::optional<LatticeFlow> solve_with(const Arcs<Index>& arcs, TerminalLinks& links,
                                      const std::vector<Index>& steps, double patience,
                                      const FlowAnswer& answer, Run& run) {
  if (steps.size() == 2) return solve<Index, Capacity, 4>(arcs, links, steps, patience, answer, run);
  if (steps.size() == 3) return solve<Index, Capacity, 6>(arcs, links, steps, patience, answer, run);
  return solve<Index, Capacity, 8>(arcs, links, steps, patience, answer, run);
}

}  // namespace

template <class Index>
std::optional<LatticeFlow> flow_on_lattice(const Arcs<Index>& arcs, TerminalLinks& links, double patience,
                                           const FlowAnswer& answer, Run& run) {
  if (arcs.undirected) return {};
  const auto steps = sampled_steps(arcs);
  if (steps.empty()) return {};
  if (std::is_same_v<Index, int32_t> && links.bound < int64_t(1) << 31)
    return solve_with<Index, uint32_t>(arcs, links, steps, patience, answer, run);
  return solve_with<Index, uint64_t>(arcs, links, steps, patience, answer, run);
}

template std::optional<LatticeFlow> flow_on_lattice(const Arcs<int32_t>&, TerminalLinks&, double,
                                                    const FlowAnswer&, Run&);
template std::optional<LatticeFlow> flow_on_lattice(const Arcs<int64_t>&, TerminalLinks&, double,
                                                    const FlowAnswer&, Run&);

}  // namespace konig
