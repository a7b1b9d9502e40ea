// Runs push-relabel for maximum flow on CPU threads and on the shuffled team over random networks, in all
// layouts, for a build with a sanitiser. A zero budget ends every launch at its first agreement. Exit status
// 0 means that every answer was a flow of the right value, and the cut its proof.
#include "stress.h"

#include "random_networks.h"

#include <map>
#include <utility>

#include "konig/papers/tlpns.h"

namespace {

using flow::Rules;

// The arrays of a layout; the net flow of a pair is what its forward capacities have lost.
struct LayoutArrays {
  std::vector<Index> start, head, tail, in_start, in_tail, in_arc;
  std::vector<long long> forward, backward;

  flow::Arrays<Index, Index> view() {
    return {start.data(),   head.data(),   tail.data(),    in_start.data(),
            in_tail.data(), in_arc.data(), forward.data(), backward.data()};
  }
};

std::vector<Index> starts(const std::vector<Index>& owners, int vertices) {
  std::vector<Index> start(vertices + 1, 0);
  for (const Index owner : owners) ++start[owner + 1];
  for (int v = 0; v < vertices; ++v) start[v + 1] += start[v];
  return start;
}

LayoutArrays by_arcs(const Network& network) {
  LayoutArrays made;
  made.start = starts(network.tail, network.vertices);
  made.head = network.head;
  made.tail = network.tail;
  made.in_start = starts(network.head, network.vertices);
  made.in_arc.resize(network.arcs());
  std::iota(made.in_arc.begin(), made.in_arc.end(), 0);
  std::stable_sort(made.in_arc.begin(), made.in_arc.end(),
                   [&](Index a, Index b) { return network.head[a] < network.head[b]; });
  for (const Index a : made.in_arc) made.in_tail.push_back(network.tail[a]);
  made.forward = network.capacity;
  made.backward.assign(network.arcs(), 0);
  return made;
}

LayoutArrays by_pairs(const Network& network) {
  std::map<std::pair<Index, Index>, long long> pairs;
  for (int a = 0; a < network.arcs(); ++a) {
    pairs[{network.tail[a], network.head[a]}] += network.capacity[a];
    pairs[{network.head[a], network.tail[a]}] += 0;
  }
  LayoutArrays made;
  for (const auto& [pair, capacity] : pairs) {
    made.tail.push_back(pair.first);
    made.head.push_back(pair.second);
    made.forward.push_back(capacity);
  }
  made.start = starts(made.tail, network.vertices);
  return made;
}

template <class V>
struct Solver {
  using Residual = typename V::Residual;

  Solver(const Network& network, const Rules& rules)
      : network(network),
        rules(rules),
        arrays(Residual::kSearches ? by_pairs(network) : by_arcs(network)),
        pieces(frontier::room_for_pieces(network.vertices, 2LL * network.arcs())),
        height(network.vertices),
        excess(network.vertices),
        cut(network.vertices),
        scan_at(network.vertices),
        scan_best(network.vertices),
        queue(flow::kTileSizes * network.vertices),
        front(2 * pieces) {
    initial = arrays.forward;
  }

  template <class Team>
  void launch(Team& team) {
    const flow::Workspace<Index, Index, Residual> workspace{
        network.vertices, network.source, network.sink, {arrays.view(), (long long)arrays.head.size()},
        height.data(),    excess.data(),  cut.data(),   scan_at.data(),
        scan_best.data(), queue.data(),   front.data(), pieces,
        workload,         rules,          &state};
    V::run(team, workspace);
  }

  bool go_on() {
    entries += state.progress.series_used;
    state.progress.series_used = 0;
    return state.progress.status == flow::kRunning;
  }

  void check(long long expected) const {
    require(state.progress.status == flow::kMaximum, "the solve has ended");
    require(entries == state.progress.relabels, "the series is complete");
    require(excess[network.sink] == expected, "the value is right");
    std::vector<long long> received(network.vertices);
    long long across = 0;
    for (size_t k = 0; k < arrays.head.size(); ++k) {
      const int u = arrays.tail[k], v = arrays.head[k];
      const long long sent = initial[k] - arrays.forward[k];  // in Bcsr also what came back
      require(arrays.forward[k] >= 0, "no arc carries more than it can");
      if (!Residual::kSearches) require(sent >= 0 && arrays.backward[k] == sent, "flow is what was sent");
      received[u] -= sent;
      received[v] += Residual::kSearches ? 0 : sent;
      if (cut[u] && !cut[v]) {
        require(arrays.forward[k] == 0, "arcs out of the cut are full");
        across += initial[k];
      }
    }
    require(cut[network.source] && !cut[network.sink] && across == expected, "the cut proves the value");
    for (int v = 0; v < network.vertices; ++v)
      if (v != network.source && v != network.sink)
        require(received[v] == 0 && excess[v] == 0, "what comes in goes out");
  }

  const Network& network;
  const Rules rules;
  LayoutArrays arrays;
  std::vector<long long> initial;
  long long pieces;
  std::vector<Index> height;
  std::vector<long long> excess;
  std::vector<unsigned char> cut;
  std::vector<Index> scan_at, scan_best, queue;
  std::vector<flow::Piece<Index, Index>> front;
  long long workload[8] = {};
  long long entries = 0;
  flow::State state{};
};

struct Totals {
  long long careful = 0, second = 0, launches = 0;
};

template <class V>
void solve_everywhere(const Network& network, const Rules& rules, std::uint64_t seed, Totals& totals) {
  const long long expected = reference(network);
  on_every_team(seed, [&](auto run) {
    Solver<V> solver(network, rules);
    run([&](auto& team) { solver.launch(team); }, [&] { return solver.go_on(); });
    solver.check(expected);
    totals.careful += solver.state.progress.careful_cycles;
    totals.second += solver.state.progress.second_cycles;
    totals.launches += solver.state.launches;
  });
}

}  // namespace

int main(int count, char** arguments) {
  const int graphs = count > 1 ? std::atoi(arguments[1]) : 100;
  Random random(3);
  Totals totals;
  for (int trial = 0; trial < graphs; ++trial) {
    const Network network = random_network(random);
    const double factors[] = {0.5, 0.1, 3.0, 20.0};
    const long long tiles[] = {flow::kByDegree, 1, 8, 32};
    const long long bases[] = {0, network.vertices, 1};
    const Rules rules{bases[trial % 3], factors[trial % 4], tiles[trial / 4 % 4]};
    solve_everywhere<flow::ProgramOn<flow::Csr, Index, Index, false, false>>(network, rules, trial, totals);
    solve_everywhere<flow::ProgramOn<flow::Csr, Index, Index, true, true>>(network, rules, trial, totals);
    solve_everywhere<flow::ProgramOn<flow::Rcsr, Index, Index, false, true>>(network, rules, trial, totals);
    solve_everywhere<flow::ProgramOn<flow::Rcsr, Index, Index, true, false>>(network, rules, trial, totals);
    solve_everywhere<flow::ProgramOn<flow::Bcsr, Index, Index, false, false>>(network, rules, trial, totals);
    solve_everywhere<flow::ProgramOn<flow::Bcsr, Index, Index, true, true>>(network, rules, trial, totals);
  }
  if (graphs >= 60) {
    require(totals.second > 0, "some excess went back");
    if (flow::kCyclesPerLevel == 0) require(totals.careful > 0, "some cycles were careful");
  }
  std::printf("%d graphs\n", graphs);
}
