// Runs the sequential flow solvers over random networks and grids, for a build with a sanitiser. Exit status
// 0 means that every answer was a flow as large as its cut, and that a caller who gives up gets away.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "flow/grid_flow.h"
#include "flow/maximum_flow.h"
#include "random_graphs.h"

namespace {

using namespace konig;
using Wide = __int128;

struct Variant {
  const char* solver;
  const char* selection;
  double tree_steps;  // per vertex and slot before the solver; 0 for none
};
const Variant kVariants[] = {{"push_relabel_flow", "highest", 0},
                             {"push_relabel_flow", "fifo", 0},
                             {"dinic_flow", "", 0},
                             {"two_sided_flow", "", 0},
                             {"search_tree_flow", "", 0},
                             {"push_relabel_flow", "highest", 10},
                             {"push_relabel_flow", "highest", 0.01}};

template <class Index>
struct Network {
  std::vector<Index> start, head;
  std::vector<std::int64_t> capacity;
  std::vector<std::uint8_t> role;
  bool undirected = false;

  Arcs<Index> arcs() const {
    return {Index(role.size()),
            start.data(),
            head.data(),
            capacity.data(),
            reinterpret_cast<const Role*>(role.data()),
            undirected};
  }
};

template <class Index>
Network<Index> random_network(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t bound) { return std::int64_t(random() % bound); };
  Network<Index> network;
  const std::int64_t n = 2 + below(60), density = 1 + below(6);
  const std::int64_t largest[] = {2, 100, std::int64_t(1) << 40, std::int64_t(1) << 54};
  const std::int64_t cap = largest[below(4)];
  const bool both_ways = below(3) == 0, layered = below(2) == 0;
  std::vector<std::vector<std::pair<Index, std::int64_t>>> lists(n);
  for (std::int64_t k = 0; k < n * density; ++k) {
    const std::int64_t u = below(n), v = layered ? std::min(n - 1, u + 1 + below(4)) : below(n);
    lists[u].emplace_back(Index(v), below(cap));
    if (both_ways) lists[v].emplace_back(Index(u), below(cap));
  }
  network.start.push_back(0);
  for (auto& list : lists) {
    std::stable_sort(list.begin(), list.end(), [](auto& a, auto& b) { return a.first < b.first; });
    for (auto& [head, capacity] : list) {
      network.head.push_back(head);
      network.capacity.push_back(capacity);
    }
    network.start.push_back(Index(network.head.size()));
  }
  network.role.assign(n, 0);
  const std::int64_t terminals = std::min<std::int64_t>(n / 2, 1 + below(3));
  for (std::int64_t k = 0; k < terminals; ++k) network.role[k] = 1, network.role[n - 1 - k] = 2;
  network.undirected = below(3) == 0;
  return network;
}

template <class Index>
void require_maximum(const Network<Index>& network, const std::vector<std::int64_t>& flow,
                     const std::vector<std::uint8_t>& source_side, std::int64_t value) {
  const auto n = network.role.size();
  std::vector<Wide> net(n, 0);
  Wide across = 0, brought = 0;
  for (std::size_t u = 0; u < n; ++u)
    for (Index a = network.start[u]; a < network.start[u + 1]; ++a) {
      const Index v = network.head[a];
      require(flow[a] <= network.capacity[a], "a flow within its capacity");
      require(flow[a] >= (network.undirected ? -network.capacity[a] : 0), "a flow in its direction");
      net[u] += flow[a];
      net[v] -= flow[a];
      if (source_side[u] && !source_side[v]) across += network.capacity[a];
      if (network.undirected && !source_side[u] && source_side[v]) across += network.capacity[a];
    }
  for (std::size_t v = 0; v < n; ++v) {
    require(network.role[v] != 0 || net[v] == 0, "what enters leaves");
    if (network.role[v] == 1) brought += net[v];
    require(network.role[v] != 1 || source_side[v], "sources on their side");
    require(network.role[v] != 2 || !source_side[v], "sinks on theirs");
  }
  require(brought == value && across == value, "a flow as large as its cut");
}

FlowPlan plan_of(const Variant& variant, double relabel = 0.5, bool gap = true, bool nearest = false) {
  FlowPlan plan{variant.solver, {}, {}};
  plan.knobs.set("selection", std::string(variant.selection));
  plan.knobs.set("relabel", relabel);
  plan.knobs.set("gap", gap);
  plan.knobs.set("nearest", nearest);
  const double steps = variant.tree_steps;
  if (steps > 0) plan.trees = TreeRule{1 << 20, steps, steps > 1 ? 16 : 0};
  return plan;
}

template <class Index>
void solve_everywhere(std::mt19937_64& random) {
  const auto network = random_network<Index>(random);
  std::vector<std::int64_t> before(network.head.size());
  for (auto& flow : before) flow = std::int64_t(random() % 50);
  for (const Variant& variant : kVariants)
    for (const bool warm : {false, true}) {
      std::vector<std::int64_t> flow(network.head.size());
      std::vector<std::uint8_t> source_side(network.role.size());
      Run run;
      const auto value = maximum_flow<Index>(plan_of(variant), network.arcs(), warm ? before.data() : nullptr,
                                             {flow.data(), source_side.data()}, run);
      require_maximum(network, flow, source_side, value.value());
    }
}

// Arcs in some order, with a tail each.
template <class Index>
struct Listed {
  Listed(const Network<Index>& network, const std::vector<std::size_t>& order) {
    for (const std::size_t arc : order) {
      const auto after = std::upper_bound(network.start.begin(), network.start.end(), Index(arc));
      tail.push_back(Index(after - network.start.begin() - 1));
      head.push_back(network.head[arc]);
      capacity.push_back(network.capacity[arc]);
    }
  }
  Arcs<Index> arcs(const Network<Index>& network) const {
    auto arcs = network.arcs();
    arcs.start = nullptr;
    arcs.tail = tail.data();
    arcs.head = head.data();
    arcs.capacity = capacity.data();
    arcs.listed = Index(tail.size());
    return arcs;
  }
  std::vector<Index> tail, head;
  std::vector<std::int64_t> capacity;
};

// The same answer, whatever the order in which arcs are listed.
template <class Index>
void solve_listed(const Network<Index>& network, std::mt19937_64& random) {
  std::vector<std::size_t> order(network.head.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  const auto way = random() % 3;
  if (way == 1)  // by tail only
    for (std::size_t u = 0; u < network.role.size(); ++u)
      std::shuffle(order.begin() + network.start[u], order.begin() + network.start[u + 1], random);
  if (way == 2) std::shuffle(order.begin(), order.end(), random);
  const Listed<Index> listed(network, order);
  const Variant& variant = kVariants[random() % std::size(kVariants)];
  std::vector<std::int64_t> flow(order.size()), placed(order.size());
  std::vector<std::uint8_t> source_side(network.role.size());
  Run run;
  const auto value = maximum_flow<Index>(plan_of(variant), listed.arcs(network), nullptr,
                                         {flow.data(), source_side.data()}, run);
  for (std::size_t k = 0; k < order.size(); ++k) placed[order[k]] = flow[k];
  require_maximum(network, placed, source_side, value.value());
}

void solve_grid(std::mt19937_64& random) {
  const int directions[] = {4, 8, 6};
  const int k = directions[random() % 3];
  const GridShape shape{k == 6 ? 1 + std::int64_t(random() % 5) : 1, 1 + std::int64_t(random() % 9),
                        1 + std::int64_t(random() % 9)};
  const auto n = std::size_t(shape.vertices());
  const bool symmetric = random() % 2;
  const std::uint64_t cap = random() % 2 ? 30 : std::uint64_t(1) << 50;
  std::vector<std::int64_t> source(n), sink(n), neighbour(n * k / (symmetric ? 2 : 1));
  for (auto* part : {&source, &sink, &neighbour})
    for (auto& capacity : *part) capacity = std::int64_t(random() % cap);
  std::vector<std::int64_t> source_flow(n), sink_flow(n), flow(n * k, 0);
  std::vector<std::uint8_t> side(n);
  Run run;
  const GridProblem problem{shape,      k,
                            symmetric,  {source.data(), sink.data(), neighbour.data()},
                            {},         {source_flow.data(), sink_flow.data(), flow.data()},
                            side.data()};
  const FlowPlan plan = plan_of(kVariants[3 + random() % 3]);
  const auto value = grid_flow(plan, problem, run);
  Wide brought = 0, received = 0;
  for (std::size_t p = 0; p < n; ++p) {
    require(source_flow[p] <= source[p] && sink_flow[p] <= sink[p], "links within their capacities");
    brought += source_flow[p];
    received += sink_flow[p];
  }
  require(brought == value && received == value, "what enters a grid leaves it");
}

// A long solve whose caller gives up: the exception gets through, and nothing leaks.
void give_up(std::mt19937_64& random) {
  Network<std::int32_t> network;
  const std::int32_t width = 200, levels = 60, n = width * levels;
  network.start.push_back(0);
  for (std::int32_t v = 0; v < n; ++v) {
    std::vector<std::int32_t> heads;
    for (int k = 0; k < 3 && v < n - width; ++k)
      heads.push_back((v / width + 1) * width + std::int32_t(random() % width));
    std::sort(heads.begin(), heads.end());
    for (const auto head : heads) {
      network.head.push_back(head);
      network.capacity.push_back(1 + std::int64_t(random() % 10000));
    }
    network.start.push_back(std::int32_t(network.head.size()));
    network.role.push_back(v < width / 2 ? 1 : v >= n - width / 2 ? 2 : 0);
  }
  struct GivenUp {};
  for (const Variant& variant : kVariants) {
    std::vector<std::int64_t> flow(network.head.size());
    std::vector<std::uint8_t> source_side(network.role.size());
    Run run([](const Run&) { throw GivenUp(); });
    try {
      maximum_flow<std::int32_t>(plan_of(variant, 0.0, false, true), network.arcs(), nullptr,
                                 {flow.data(), source_side.data()}, run);
    } catch (const GivenUp&) {
    }
  }
}

}  // namespace

int main(int, char** arguments) {
  const int networks = std::atoi(arguments[1]);
  std::mt19937_64 random(7);
  for (int k = 0; k < networks; ++k) {
    solve_everywhere<std::int32_t>(random);
    solve_everywhere<std::int64_t>(random);
    solve_listed(random_network<std::int32_t>(random), random);
    solve_listed(random_network<std::int64_t>(random), random);
    solve_grid(random);
  }
  give_up(random);
  std::printf("%d networks\n", networks);
  return 0;
}
