#include "flow/grid_flow.h"

#include <array>

#include "core/stopwatch.h"
#include "flow/circulations.h"
#include "flow/lattice_network.h"
#include "flow/residual.h"
#include "flow/search_trees.h"

namespace konig {
namespace {

// The steps (z, y, x) of the first half of the directions.
template <int Directions>
constexpr std::array<std::array<int, 3>, Directions / 2> grid_steps() {
  if constexpr (Directions == 4)
    return {{{0, 0, 1}, {0, 1, 0}}};
  else if constexpr (Directions == 6)
    return {{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}};
  else
    return {{{0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {0, 1, -1}}};
}

template <class Network>
Network make_lattice(const GridProblem& problem, int64_t bound) {
  const GridShape& shape = problem.shape;
  typename Network::Steps steps;
  for (int k = 0; k < Network::kHalf; ++k) {
    const auto [z, y, x] = grid_steps<Network::kDirections>()[k];
    steps[k] = typename Network::Index((z * shape.height + y) * shape.width + x);
  }
  return Network(typename Network::Index(shape.vertices()), steps, problem.source, problem.sink, bound);
}

// Calls visit(place in the network, place in the grid's arrays, z, y, x) for every vertex.
template <class Network, class Visit>
void for_each_vertex(const Network& network, const GridShape& shape, Run& run, Visit visit) {
  int64_t p = 0;
  for (int64_t z = 0; z < shape.depth; ++z)
    for (int64_t y = 0; y < shape.height; ++y) {
      for (int64_t x = 0; x < shape.width; ++x, ++p)
        visit(network.margin + typename Network::Index(p), p, z, y, x);
      run.spend(shape.width);
    }
}

// Where a step from (z, y, x) leads in the grid's arrays, or -1 if it leaves the grid.
int64_t neighbour_of(const GridShape& shape, const std::array<int, 3>& step, int64_t z, int64_t y,
                     int64_t x) {
  z += step[0], y += step[1], x += step[2];
  const bool inside = z >= 0 && z < shape.depth && y >= 0 && y < shape.height && x >= 0 && x < shape.width;
  return inside ? (z * shape.height + y) * shape.width + x : -1;
}

// The capacity of direction k, and of the opposite direction from the other end.
struct BothWays {
  int64_t along, against;
};
BothWays capacities(const GridProblem& problem, int64_t vertices, int k, int half, int64_t p, int64_t q) {
  const int64_t along = problem.neighbour[k * vertices + p];
  return {along, problem.symmetric ? along : problem.neighbour[(k + half) * vertices + q]};
}

// The flow of each direction as slots, to take circulation off it.
template <class IndexType, int Directions>
struct SlotsOfGrid {
  using Index = IndexType;
  Index places;
  std::array<Index, Directions> step;
  int64_t* flow;

  Index first(Index u) const { return u * Directions; }
  Index last(Index u) const { return (u + 1) * Directions; }
  Index head(Index s) const { return s / Directions + step[s % Directions]; }
  int64_t& at(Index s) const { return flow[int64_t(s % Directions) * places + s / Directions]; }
  int64_t amount(Index s) const { return at(s); }
  void take(Index s, int64_t amount) { at(s) -= amount; }
};

// Whether the start keeps to the capacities and balances at every vertex.
template <int Directions>
bool is_flow(const GridProblem& problem, const GridStart& start, int64_t bound, Run& run) {
  constexpr auto steps = grid_steps<Directions>();
  constexpr int half = Directions / 2;
  const GridShape& shape = problem.shape;
  const int64_t n = shape.vertices();
  const auto within = [&](int64_t flow, int64_t capacity) {
    return flow >= 0 && flow <= std::min(capacity, bound);
  };
  LargeArray<uint64_t> balance(size_t(n), 0);  // modulo 2^64, which is enough to see zeros
  bool fits = true;
  int64_t p = 0;
  for (int64_t z = 0; z < shape.depth; ++z)
    for (int64_t y = 0; y < shape.height; ++y) {
      for (int64_t x = 0; x < shape.width; ++x, ++p) {
        fits &=
            within(start.source_flow[p], problem.source[p]) && within(start.sink_flow[p], problem.sink[p]);
        balance[p] += uint64_t(start.source_flow[p]) - uint64_t(start.sink_flow[p]);
        for (int k = 0; k < half; ++k) {
          const int64_t q = neighbour_of(shape, steps[k], z, y, x);
          if (q < 0) continue;
          const auto [along, against] = capacities(problem, n, k, half, p, q);
          const int64_t there = start.flow[k * n + p], back = start.flow[(k + half) * n + q];
          fits &= within(there, along) && within(back, against);
          balance[p] += uint64_t(back) - uint64_t(there);
          balance[q] += uint64_t(there) - uint64_t(back);
        }
      }
      run.spend(shape.width);
    }
  for (int64_t v = 0; v < n; ++v) fits &= balance[v] == 0;
  return fits;
}

template <class Index, class Capacity, int Directions>
std::optional<int64_t> solve(const GridProblem& problem, const GridStart& start, int64_t bound,
                             const GridAnswer& answer, Run& run) {
  using Network = LatticeNetwork<Index, Capacity, Directions>;
  constexpr auto steps = grid_steps<Directions>();
  constexpr int half = Directions / 2;
  const int64_t n = problem.shape.vertices();
  Stopwatch watch;
  const bool started = start.flow && is_flow<Directions>(problem, start, bound, run);
  // What the start leaves of the links.
  LargeArray<int64_t> source_left(started ? size_t(n) : 0), sink_left(started ? size_t(n) : 0);
  GridProblem rest = problem;
  if (started) {
    for (int64_t p = 0; p < n; ++p) {
      source_left[p] = std::min(problem.source[p], bound) - start.source_flow[p];
      sink_left[p] = std::min(problem.sink[p], bound) - start.sink_flow[p];
    }
    rest.source = source_left.data();
    rest.sink = sink_left.data();
  }
  auto network = make_lattice<Network>(rest, bound);
  for_each_vertex(network, problem.shape, run, [&](Index v, int64_t p, int64_t z, int64_t y, int64_t x) {
    for (int k = 0; k < half; ++k) {
      const int64_t q = neighbour_of(problem.shape, steps[k], z, y, x);
      if (q < 0) continue;
      const auto [along, against] = capacities(problem, n, k, half, p, q);
      const Index slot = network.first(v) + k;
      const int64_t net = started ? start.flow[k * n + p] - start.flow[(k + half) * n + q] : 0;
      network.slots[slot] = Capacity(std::min(along, bound)) - Capacity(net);
      network.slots[network.mate(slot)] = Capacity(std::min(against, bound)) + Capacity(net);
    }
  });
  run.count("build_seconds", watch.lap());
  if (start.flow) {
    int64_t brought = 0;
    for (int64_t p = 0; started && p < n; ++p) brought = bounded_sum(brought, start.sink_flow[p]);
    run.count("start_value", brought);
  }
  SearchTreeCounts counts;
  SearchTrees<Network> trees(network, counts, run);
  trees.solve();
  counts.write(run);
  run.count("solve_seconds", watch.lap());
  int64_t value = 0;
  FlowMarks<Index> marks{Index(n)};
  for_each_vertex(network, problem.shape, run, [&](Index v, int64_t p, int64_t z, int64_t y, int64_t x) {
    answer.source_flow[p] = network.source_flow(v, trees.link(v)) + (started ? start.source_flow[p] : 0);
    answer.sink_flow[p] = network.sink_flow(v, trees.link(v)) + (started ? start.sink_flow[p] : 0);
    value = bounded_sum(value, answer.sink_flow[p]);
    answer.source_side[p] = trees.in_source_tree(v);
    for (int k = 0; k < half; ++k) {
      const int64_t q = neighbour_of(problem.shape, steps[k], z, y, x);
      if (q < 0) continue;
      // Unsigned: a residual capacity may be twice the bound.
      const auto before = uint64_t(std::min(capacities(problem, n, k, half, p, q).along, bound));
      const uint64_t left = network.residual(network.first(v) + k);
      answer.flow[k * n + p] = left < before ? int64_t(before - left) : 0;
      answer.flow[(k + half) * n + q] = left > before ? int64_t(left - before) : 0;
      if (left < before) marks.note(Index(p), Index(q));
      if (left > before) marks.note(Index(q), Index(p));
    }
  });
  if (value > kLargestFlow) return {};
  SlotsOfGrid<Index, Directions> slots{Index(n), network.step, answer.flow};
  Circulations(slots, marks, run).cancel();
  run.count("extract_seconds", watch.lap());
  return value;
}

template <int Directions>
std::optional<int64_t> solve_in(const GridProblem& problem, const GridStart& start, int64_t bound,
                                const GridAnswer& answer, Run& run) {
  const auto& [depth, height, width] = problem.shape;
  const int64_t largest_step = Directions == 6 ? height * width : width + 1;
  if (!LatticeNetwork<int32_t, uint32_t, Directions>::fits(problem.shape.vertices(), largest_step))
    return solve<int64_t, uint64_t, Directions>(problem, start, bound, answer, run);
  if (bound >= int64_t(1) << 31)
    return solve<int32_t, uint64_t, Directions>(problem, start, bound, answer, run);
  return solve<int32_t, uint32_t, Directions>(problem, start, bound, answer, run);
}

template <int Directions>
void cancel_in(const GridShape& shape, int64_t* flow, Run& run) {
  constexpr auto steps = grid_steps<Directions>();
  constexpr int half = Directions / 2;
  const int64_t n = shape.vertices();
  SlotsOfGrid<int64_t, Directions> slots{n, {}, flow};
  for (int k = 0; k < half; ++k) {
    slots.step[k] = (steps[k][0] * shape.height + steps[k][1]) * shape.width + steps[k][2];
    slots.step[k + half] = -slots.step[k];
  }
  FlowMarks<int64_t> marks(n);
  for (int64_t s = 0; s < n * Directions; ++s)
    if (slots.amount(s) > 0) marks.note(s / Directions, slots.head(s));
  run.spend(n * Directions);
  Circulations(slots, marks, run).cancel();
}

}  // namespace

void cancel_grid_circulations(const GridShape& shape, int directions, int64_t* flow, Run& run) {
  if (directions == 4) return cancel_in<4>(shape, flow, run);
  if (directions == 6) return cancel_in<6>(shape, flow, run);
  return cancel_in<8>(shape, flow, run);
}

std::optional<int64_t> grid_flow(const GridProblem& problem, const GridStart& start, const GridAnswer& answer,
                                 Run& run) {
  const int64_t n = problem.shape.vertices();
  int64_t supply = 0, demand = 0;
  for (int64_t p = 0; p < n; ++p) {
    supply = bounded_sum(supply, bounded(problem.source[p]));
    demand = bounded_sum(demand, bounded(problem.sink[p]));
  }
  run.spend(n);
  // One more than any flow; above 2^62 the value is refused in the end.
  const int64_t bound = std::min(kTooLarge, std::min(supply, demand) + 1);
  if (problem.directions == 4) return solve_in<4>(problem, start, bound, answer, run);
  if (problem.directions == 6) return solve_in<6>(problem, start, bound, answer, run);
  return solve_in<8>(problem, start, bound, answer, run);
}

}  // namespace konig
