// Recognises a lattice by a sample of arcs, fills its network and solves it.
#include "flow/lattice_flow.h"

#include <algorithm>

#include "flow/arc_flows.h"

namespace konig {
namespace {

using Network = ArcLattice;

// The two steps of a sample of arcs between inner vertices; nothing if there are fewer or more, or if lists
// are too short for a lattice to pay. As long as no third step is met the sample goes on up to one arc in
// sixteen: of a torus few arcs wrap around, and to fill its lattice up to the first took an eighth of the
// time.
std::optional<Network::Steps> sampled_steps(const Arcs<int32_t>& arcs) {
  constexpr int32_t kInARow = 2 * Network::kDirections, kLeast = 32, kMost = 1024;
  const int32_t total = arcs.count(), samples = std::clamp(total / (16 * kInARow), kLeast, kMost),
                stride = std::max(1, total / samples);
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
  return network.first(network.at(u)) + direction;
}

// Says false if an arc makes no step of the lattice, or if two are parallel.
bool fill(Network& network, const Arcs<int32_t>& arcs, int64_t bound, Run& run) {
  constexpr int32_t kBetweenTests = 1 << 12;
  const int32_t total = arcs.count();
  const auto ahead = arcs.ends_ahead(arcs.scattered());
  uint32_t* const first = &network.slots[network.first(network.at(0))];
  bool fits = true;
  for (int32_t begin = 0, end; begin < total && fits; begin = end) {
    end = begin + std::min(kBetweenTests, total - begin);
    arcs.for_each(run, begin, end, [&](int32_t a, int32_t u, int32_t v) {
      ahead.prefetch_tail(a, [=](int32_t w) { return first + Network::kDirections * w; });
      if (!arcs.inner(u, v)) return;
      const int32_t slot = slot_of(network, u, v);
      fits &= network.step[slot % Network::kDirections] == v - u && network.slots[slot] == 0;
      network.slots[slot] = uint32_t(std::min(arcs.capacity[a], bound));
    });
  }
  return fits;
}

}  // namespace

std::optional<ArcLattice> lattice_of(const Arcs<int32_t>& arcs, const TerminalLinks& links, Run& run) {
  if (arcs.undirected || !links.narrow) return {};
  const auto steps = sampled_steps(arcs);
  if (!steps) return {};
  ArcLattice network(arcs.vertices, *steps);
  if (!fill(network, arcs, links.bound, run)) return {};
  for (int32_t v = 0; v < arcs.vertices; ++v)
    network.balance[network.at(v)] = links.at[v].source - links.at[v].sink;
  return network;
}

int64_t write_arc_flows(const Arcs<int32_t>& arcs, const ArcLattice& network, const TerminalLinks& links,
                        int64_t* flow, Run& run) {
  const auto own = [&](int32_t, int32_t u, int32_t v) { return arcs.inner(u, v); };
  return write_flows(arcs, links, &network.balance[network.at(0)], flow, run, own,
                     [&](int32_t a, int32_t u, int32_t v) {
                       // Unsigned: a residual capacity may be twice the bound.
                       const auto all = uint64_t(std::min(arcs.capacity[a], links.bound));
                       return int64_t(all - std::min<uint64_t>(all, network.slots[slot_of(network, u, v)]));
                     });
}

}  // namespace konig
