// The lattice network of a grid, from a flow if one is given, and the flow of each direction.
#include "flow/grid_flow.h"

#include <array>
#include <tuple>

#include "core/stopwatch.h"
#include "flow/circulations.h"
#include "flow/lattice_network.h"
#include "flow/residual.h"
#include "flow/stages.h"

namespace konig {
namespace {

// The step (z, y, x) of direction k of the first half; that of direction k + directions / 2 is opposite.
constexpr std::array<int, 3> step_of(int directions, int k) {
  constexpr std::array<int, 3> kInPlane[] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {0, 1, -1}};
  return directions == 6 && k == 2 ? std::array{1, 0, 0} : kInPlane[k];
}

// How far apart the ends of that step are in the grid's arrays.
int64_t stride_of(const GridShape& shape, int directions, int k) {
  const auto [z, y, x] = step_of(directions, k);
  return (z * shape.height + y) * shape.width + x;
}

// Calls visit(k, p, q) for every direction k of the first half and every two places p and q that it connects.
template <int Directions, class Visit>
void for_each_edge(const GridShape& shape, Run& run, Visit visit) {
  for (int64_t z = 0; z < shape.depth; ++z)
    for (int64_t y = 0; y < shape.height; ++y) {
      const int64_t row = (z * shape.height + y) * shape.width;
      for (int k = 0; k < Directions / 2; ++k) {
        const auto [dz, dy, dx] = step_of(Directions, k);
        if (z + dz == shape.depth || y + dy == shape.height) continue;
        const int64_t stride = stride_of(shape, Directions, k);
        const int64_t first = row + (dx < 0), last = row + shape.width - (dx > 0);
        for (int64_t p = first; p < last; ++p) visit(k, p, p + stride);
      }
      run.spend(shape.width);
    }
}

// The capacity of direction k, and of the opposite direction from the other end.
struct BothWays {
  int64_t along, against;
};
template <int Directions>
BothWays capacities(const GridProblem& problem, int64_t n, int k, int64_t p, int64_t q) {
  const int64_t along = problem.capacity.neighbour[k * n + p];
  return {along, problem.symmetric ? along : problem.capacity.neighbour[(k + Directions / 2) * n + q]};
}

// Whether the start keeps to the capacities and balances at every vertex.
template <int Directions>
bool is_flow(const GridProblem& problem, int64_t bound, Run& run) {
  const auto& start = problem.start;
  const int64_t n = problem.shape.vertices();
  const auto within = [&](int64_t flow, int64_t capacity) {
    return flow >= 0 && flow <= std::min(capacity, bound);
  };
  LargeArray<uint64_t> balance(size_t(n), 0);  // modulo 2^64, which is enough to see zeros
  bool fits = true;
  for (int64_t p = 0; p < n; ++p) {
    fits &= within(start.source[p], problem.capacity.source[p]) &&
            within(start.sink[p], problem.capacity.sink[p]);
    balance[p] += uint64_t(start.source[p]) - uint64_t(start.sink[p]);
  }
  for_each_edge<Directions>(problem.shape, run, [&](int k, int64_t p, int64_t q) {
    const auto [along, against] = capacities<Directions>(problem, n, k, p, q);
    const int64_t there = start.neighbour[k * n + p], back = start.neighbour[(k + Directions / 2) * n + q];
    fits &= within(there, along) && within(back, against);
    balance[p] += uint64_t(back) - uint64_t(there);
    balance[q] += uint64_t(there) - uint64_t(back);
  });
  for (int64_t p = 0; p < n; ++p) fits &= balance[p] == 0;
  return fits;
}

template <class Index, class Capacity, int Directions>
std::optional<int64_t> solve(const FlowPlan& plan, const GridProblem& problem, int64_t bound, Run& run) {
  using Network = LatticeNetwork<Index, Capacity, Directions>;
  constexpr int half = Directions / 2;
  const int64_t n = problem.shape.vertices();
  Stopwatch watch;
  const auto& [start, flow] = std::tie(problem.start, problem.flow);
  const bool started = start.neighbour && is_flow<Directions>(problem, bound, run);
  typename Network::Steps steps;
  for (int k = 0; k < half; ++k) steps[k] = Index(stride_of(problem.shape, Directions, k));
  Network network(Index(n), steps);
  // Where the slot of each direction of the first half stands in the list of a vertex. In a grid of width or
  // height 1 steps may be equal: each gets a place of its own.
  std::array<Index, half> place;
  for (int k = 0; k < half; ++k) {
    place[k] = half;
    for (int other = 0; other < half; ++other)
      place[k] += steps[other] < steps[k] || (steps[other] == steps[k] && other < k);
  }
  int64_t* const balance = &network.balance[network.at(0)];
  const auto links_at = [&](int64_t p) {
    return Links{std::min(problem.capacity.source[p], bound), std::min(problem.capacity.sink[p], bound)};
  };
  for (int64_t p = 0; p < n; ++p) balance[p] = links_at(p).source - links_at(p).sink;
  for_each_edge<Directions>(problem.shape, run, [&](int k, int64_t p, int64_t q) {
    const auto [along, against] = capacities<Directions>(problem, n, k, p, q);
    const Index slot = network.first(network.at(Index(p))) + place[k];
    const int64_t net = started ? start.neighbour[k * n + p] - start.neighbour[(k + half) * n + q] : 0;
    network.slots[slot] = Capacity(std::min(along, bound)) - Capacity(net);
    network.slots[network.reverse(slot)] = Capacity(std::min(against, bound)) + Capacity(net);
    balance[p] -= net;
    balance[q] += net;
  });
  run.count("build_seconds", watch.lap());
  if (start.neighbour) {
    int64_t brought = 0;
    for (int64_t p = 0; started && p < n; ++p) brought = bounded_sum(brought, start.sink[p]);
    run.count("start_value", brought);
  }
  solve_by_trees(plan, network, run);
  run.count("solve_seconds", watch.lap());
  Circulations<Index> circulations(Index(n), n * Directions, flow.neighbour, run);
  for_each_edge<Directions>(problem.shape, run, [&](int k, int64_t p, int64_t q) {
    // Unsigned: a residual capacity may be twice the bound.
    const auto before = uint64_t(std::min(capacities<Directions>(problem, n, k, p, q).along, bound));
    const uint64_t left = network.residual(network.first(network.at(Index(p))) + place[k]);
    flow.neighbour[k * n + p] = left < before ? int64_t(before - left) : 0;
    flow.neighbour[(k + half) * n + q] = left > before ? int64_t(left - before) : 0;
    if (left < before) circulations.add(Index(k * n + p), Index(p), Index(q));
    if (left > before) circulations.add(Index((k + half) * n + q), Index(q), Index(p));
  });
  circulations.return_excess(balance, links_at);
  int64_t value = 0;
  for (int64_t p = 0; p < n; ++p) {
    flow.source[p] = links_at(p).source - std::max<int64_t>(balance[p], 0);
    flow.sink[p] = links_at(p).sink - std::max<int64_t>(-balance[p], 0);
    problem.source_side[p] = network.source_side[network.at(Index(p))];
    value = bounded_sum(value, flow.sink[p]);
  }
  run.count("extract_seconds", watch.lap());
  if (value > kLargestFlow) return {};
  return value;
}

template <int Directions>
std::optional<int64_t> solve_in(const FlowPlan& plan, const GridProblem& problem, int64_t bound, Run& run) {
  const auto& [depth, height, width] = problem.shape;
  const int64_t largest_step = Directions == 6 ? height * width : width + 1;
  if (!LatticeNetwork<int32_t, uint32_t, Directions>::fits(problem.shape.vertices(), largest_step))
    return solve<int64_t, uint64_t, Directions>(plan, problem, bound, run);
  if (bound >= int64_t(1) << 31) return solve<int32_t, uint64_t, Directions>(plan, problem, bound, run);
  return solve<int32_t, uint32_t, Directions>(plan, problem, bound, run);
}

}  // namespace

std::optional<int64_t> grid_flow(const FlowPlan& plan, const GridProblem& problem, Run& run) {
  const int64_t n = problem.shape.vertices();
  int64_t supply = 0, demand = 0;
  for (int64_t p = 0; p < n; ++p) {
    supply = bounded_sum(supply, bounded(problem.capacity.source[p]));
    demand = bounded_sum(demand, bounded(problem.capacity.sink[p]));
  }
  run.spend(n);
  // One more than any flow; above 2^62 the value is refused in the end.
  const int64_t bound = std::min(kTooLarge, std::min(supply, demand) + 1);
  // Excess might overflow.
  if (bound == kTooLarge && plan.trees) return grid_flow({"search_tree_flow", {}, {}}, problem, run);
  if (problem.directions == 4) return solve_in<4>(plan, problem, bound, run);
  if (problem.directions == 6) return solve_in<6>(plan, problem, bound, run);
  return solve_in<8>(plan, problem, bound, run);
}

}  // namespace konig
