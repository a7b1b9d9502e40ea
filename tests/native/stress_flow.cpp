// Makes all layouts of random networks on CPU threads and on the shuffled team, and runs push-relabel for
// maximum flow on them, for a build with a sanitiser. A zero budget ends every launch at its first agreement.
// Exit status 0 means that every answer was a flow of the right value, and the cut its proof.
#include "stress.h"

#include "random_networks.h"

#include "konig/papers/tlpns.h"
#include "konig/papers/tlpns/layout.h"

namespace {

using flow::Rules;

// A layout, as layout.h makes it of a network; the net flow of a pair of vertices is what its forward
// capacities in Bcsr have lost.
template <class Residual>
struct LaidOut {
  static constexpr bool kMerges = Residual::kSearches, kListsEntering = !kMerges && !Residual::kScansAll;

  explicit LaidOut(const Network& network)
      : network(network),
        entries(network.arcs() * (kMerges ? 2 : 1)),
        role(network.vertices),
        start(network.vertices + 1),
        head(entries),
        tail(entries),
        in_start(network.vertices + 1),
        in_tail(entries),
        in_arc(entries),
        place(entries),
        degree(network.vertices + 1),
        begins(network.vertices + 1),
        owner(entries),
        forward(entries),
        backward(entries),
        whole(entries),
        flow(network.arcs()),
        side(network.vertices),
        items(2 * entries) {
    role[network.source] = residual::kSource;
    role[network.sink] = residual::kSink;
  }

  template <class Team>
  void launch(Team& team, flow_layout::Task task, const unsigned char* cut = nullptr) {
    flow_layout::Workspace<Index> w{};
    w.arcs = {network.vertices,
              network.arcs(),
              network.tail.data(),
              network.head.data(),
              network.capacity.data(),
              role.data(),
              0,
              0,
              1LL << 40};
    w.task = task;
    w.source = network.source;
    w.sink = network.sink;
    w.entries = entries;
    w.start = start.data();
    w.list_head = head.data();
    w.list_tail = kMerges ? nullptr : tail.data();
    w.in_start = kListsEntering ? in_start.data() : nullptr;
    w.in_tail = in_tail.data();
    w.in_arc = in_arc.data();
    w.forward = forward.data();
    w.backward = kMerges ? nullptr : backward.data();
    w.place = place.data();
    w.whole = whole.data();
    w.flow = flow.data();
    w.cut = cut;
    w.side = side.data();
    w.degree = degree.data();
    w.begins = begins.data();
    w.owner = owner.data();
    w.items = items.data();
    w.state = &state;
    flow_layout::Program<Index>::run(team, w);
  }

  // Arrays as long as the layout, and in Bcsr the vertices that have the places, too.
  void finish() {
    for (auto* part : {&head, &tail}) part->resize(state.listed);
    for (auto* part : {&forward, &backward}) part->resize(state.listed);
    if (!kMerges) return;
    for (int v = 0; v < network.vertices; ++v)
      std::fill(tail.begin() + start[v], tail.begin() + start[v + 1], v);
    for (size_t k = 1; k < head.size(); ++k)
      require(tail[k - 1] < tail[k] || head[k - 1] < head[k], "lists are sorted");
  }

  // That of each arc, after the solve and the last launch.
  void check_flow(long long expected) const {
    std::vector<long long> received(network.vertices);
    for (int k = 0; k < network.arcs(); ++k) {
      require(0 <= flow[k] && flow[k] <= network.capacity[k], "flow is within capacities");
      received[network.tail[k]] -= flow[k];
      received[network.head[k]] += flow[k];
    }
    for (int v = 0; v < network.vertices; ++v)
      require(received[v] == (v == network.sink     ? expected
                              : v == network.source ? -expected
                                                    : 0),
              "the flow is maximum");
  }

  flow::Arrays<Index, Index> view() {
    return {start.data(),   head.data(),   tail.data(),    in_start.data(),
            in_tail.data(), in_arc.data(), forward.data(), backward.data()};
  }

  const Network& network;
  const int entries;
  std::vector<unsigned char> role;
  std::vector<Index> start, head, tail, in_start, in_tail, in_arc, place, degree, begins, owner;
  std::vector<long long> forward, backward, whole, flow;
  std::vector<unsigned char> side;
  std::vector<flow_layout::Item<Index>> items;
  flow_layout::State state{};
};

template <class V>
struct Solver {
  using Residual = typename V::Residual;

  Solver(const Network& network, const Rules& rules, LaidOut<Residual>& arrays)
      : network(network),
        rules(rules),
        arrays(arrays),
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
  LaidOut<Residual>& arrays;
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
    LaidOut<typename V::Residual> arrays(network);
    const auto once = [] { return false; };
    run([&](auto& team) { arrays.launch(team, flow_layout::kLayOut); }, once);
    arrays.finish();
    Solver<V> solver(network, rules, arrays);
    run([&](auto& team) { solver.launch(team); }, [&] { return solver.go_on(); });
    solver.check(expected);
    run([&](auto& team) { arrays.launch(team, flow_layout::kDeal, solver.cut.data()); }, once);
    arrays.check_flow(expected);
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
