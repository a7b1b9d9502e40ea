// Recognises a lattice by a sample of arcs, fills its network and solves it by search trees.
#include "flow/lattice_flow.h"

#include <algorithm>

#include "core/stopwatch.h"
#include "flow/arc_flows.h"
#include "flow/circulations.h"
#include "flow/lattice_network.h"
#include "flow/search_trees.h"

namespace konig {
namespace {

using Network = LatticeNetwork<int32_t, uint32_t, 4>;

// The two steps of a sample of arcs between inner vertices; nothing if there are fewer or more, or if lists
// are too short for a lattice to pay.
std::optional<Network::Steps> sampled_steps(const Arcs<int32_t>& arcs) {
  constexpr int32_t kSample = 256, kInARow = 2 * Network::kDirections;
  const int32_t total = arcs.count(), stride = std::max(1, total / kSample);
  if (total < arcs.vertices) return {};
  Network::Steps steps{};
  size_t found = 0;
  for (int32_t a = stride / 2; a < total; a += std::min(stride, total - a)) {
    // Neighbours too: where arcs come by tail, a stride might meet one direction only.
    for (int32_t k = a; k < a + std::min(kInARow, total - a); ++k) {
      const int32_t u = arcs.tail_of(k), v = arcs.head[k];
      if (!arcs.inner(u, v)) continue;
      const int32_t step = std::abs(v - u);
      if (std::find(steps.begin(), steps.begin() + found, step) != steps.begin() + found) continue;
      if (found == steps.size()) return {};
      steps[found++] = step;
    }
  }
  const int32_t largest = std::max(steps[0], steps[1]);
  if (found < steps.size() || largest > arcs.vertices / 2 || !Network::fits(arcs.vertices, largest))
    return {};
  return steps;
}

// The slot of the step from u to v, or of another one if there is none. No branches: arcs come in any order.
int32_t slot_of(const Network& network, int32_t u, int32_t v) {
  int32_t direction = 0;
  for (int32_t k = 1; k < Network::kDirections; ++k) direction += network.step[k] == v - u ? k : 0;
  return network.first(u + network.margin) + direction;
}

// Says false if an arc makes no step of the lattice, or if two are parallel.
bool fill(Network& network, const Arcs<int32_t>& arcs, int64_t bound, Run& run) {
  bool fits = true;
  arcs.for_each(run, [&](int32_t a, int32_t u, int32_t v) {
    if (!arcs.inner(u, v)) return;
    const int32_t slot = slot_of(network, u, v);
    fits &= network.step[slot % Network::kDirections] == v - u && network.slots[slot] == 0;
    network.slots[slot] = uint32_t(std::min(arcs.capacity[a], bound));
  });
  return fits;
}

}  // namespace

std::optional<LatticeFlow> flow_on_lattice(const Arcs<int32_t>& arcs, TerminalLinks& links,
                                           double steps_per_item, const FlowAnswer& answer, Run& run) {
  if (arcs.undirected || links.bound >= int64_t(1) << 31) return {};
  const auto steps = sampled_steps(arcs);
  if (!steps) return {};
  Stopwatch watch;
  Network network(arcs.vertices, *steps, links.from_source.data(), links.to_sink.data(), links.bound);
  if (!fill(network, arcs, links.bound, run)) return {};
  run.count("build_seconds", watch.lap());
  SearchTreeCounts counts;
  SearchTrees<Network> trees(network, counts, run);
  const double max_steps = steps_per_item * (1 + Network::kDirections) * double(network.vertices);
  const bool solved = trees.solve(max_steps < 1e18 ? int64_t(max_steps) : INT64_MAX);
  counts.write(run);
  run.count("solve_seconds", watch.lap());
  int64_t value = links.direct;
  for (int32_t v = 0; v < arcs.vertices; ++v) {
    const Role role = arcs.role[v];
    const int32_t place = v + network.margin;
    answer.source_side[v] = role == Role::kSource || (role == Role::kInner && trees.in_source_tree(place));
    const int64_t left = trees.link(place);
    links.from_source[v] = network.source_flow(place, left);
    links.to_sink[v] = network.sink_flow(place, left);
    value = bounded_sum(value, links.to_sink[v]);
  }
  Circulations<int32_t> circulations(arcs.vertices, arcs.count(), answer.flow, run);
  arcs.for_each(run, [&](int32_t a, int32_t u, int32_t v) {
    if (!arcs.inner(u, v)) {
      answer.flow[a] = terminal_flow(arcs, a, u, v, links.from_source.data(), links.to_sink.data());
      return;
    }
    // Unsigned: a residual capacity may be twice the bound.
    const auto all = uint64_t(std::min(arcs.capacity[a], links.bound));
    const uint64_t used = all - std::min<uint64_t>(all, network.slots[slot_of(network, u, v)]);
    answer.flow[a] = int64_t(used);
    if (used > 0) circulations.add(a, u, v);
  });
  circulations.cancel();
  run.count("extract_seconds", watch.lap());
  return LatticeFlow{value, solved};
}

}  // namespace konig
