// Runs synchronous and asynchronous push-relabel and their residual networks on CPU threads and on the
// shuffled team over random networks, for a build with a sanitiser. A zero budget ends every launch at its
// first agreement. Exit status 0 means that every answer was a flow of the right value, and the cut its
// proof.
#include "stress.h"

#include "random_networks.h"

#include "konig/flow/async_pr.h"
#include "konig/flow/build.h"
#include "konig/flow/sync_pr.h"

namespace {

template <class Amount>
struct Solver {
  using Slot = residual::Slot<Index, Amount>;

  Solver(const Network& network, const synchronous_flow::Rules& rules, bool without_labels, long long waves)
      : network(network), rules(rules), without_labels(without_labels), waves(waves), role(network.vertices) {
    role[network.source] = residual::kSource;
    role[network.sink] = residual::kSink;
  }

  // run(launch, between) runs launches on a team until `between` says that there is nothing left to do.
  template <class Run>
  void solve(Run run) {
    const auto once = [] { return false; };
    const auto look = [&] { run([&](auto& team) { profile_arcs(team); }, once); };
    const auto build = [&] { run([&](auto& team) { build_residual(team); }, once); };
    look();
    places = 2;
    while (places < 2 * seen.inner) places *= 2;
    table.assign(places, 0);
    for (auto* words : {&supply, &demand, &leaving, &entering, &balance}) words->assign(network.vertices, 0);
    slot_of_arc.assign(network.arcs(), 0);
    flow.assign(network.arcs(), 0);
    cut.assign(network.vertices, 0);
    sides.assign(network.vertices, 0);
    aside.assign(network.vertices, 0);
    start.assign(network.vertices + 1, 0);
    degree.assign(network.vertices, 0);
    look();
    // Some stay as they are: excess that cannot arrive is what keeps the solvers busy.
    if (network.vertices % 2 == 1 && total(seen.cut_demand) < total(seen.cut_supply)) {
      std::swap(supply, demand);
      turned = true;
    }
    slots.assign(2 * seen.neighbours, {});
    for (auto* amounts : {&to_sink, &to_source, &excess}) amounts->assign(network.vertices, 0);
    build();
    labels.assign(2 * network.vertices, {0, -1, 0, 0});
    queues.assign(4 * network.vertices, {});
    pieces = frontier::room_for_pieces(network.vertices, (long long)slots.size());
    fronts.assign(2 * pieces, {});
    const auto go = [&] { run([&](auto& team) { push(team); }, [&] { return go_on(); }); };
    if (!without_labels) go();
    const bool deep = state.progress.status == synchronous_flow::kDeep;
    if (without_labels || deep) {
      solve_asynchronously(run, deep ? labels.data() : nullptr);
      if (after.progress.status == asynchronous_flow::kUnfinished) {
        entries = 0;
        state = {};
        rules.deep = 0;
        labels.assign(2 * network.vertices, {0, -1, 0, 0});
        go();
      } else {
        require(after.progress.status == asynchronous_flow::kMaximum, "asynchronous push-relabel ends");
        state.progress.status = synchronous_flow::kMaximum;
      }
    }
    for (const Slot& slot : slots)
      require((network.undirected || slot.out >= 0) && slot.out == slots[slot.reverse].in &&
                  slot.in == slots[slot.reverse].out,
              "both ends of two slots agree");
    build();
  }

  residual::Arcs<Index> arcs() const {
    return {network.vertices,
            network.arcs(),
            network.tail.data(),
            network.head.data(),
            network.capacity.data(),
            role.data(),
            network.undirected,
            turned,
            bound};
  }

  static long long total(const flow_profile::Sum& sum) {
    return (sum.high << flow_profile::kLowBits) + sum.low;
  }

  template <class Team>
  void profile_arcs(Team& team) {
    const flow_profile::Workspace<Index> workspace{
        arcs(),        places,         table.data(),    slot_of_arc.data(), degree.data(), supply.data(),
        demand.data(), leaving.data(), entering.data(), aside.data(),       &seen};
    flow_profile::Program<Index>::run(team, workspace);
  }

  template <class Team>
  void build_residual(Team& team) {
    const residual::Workspace<Index, Amount> workspace{arcs(),
                                                       (long long)slots.size(),
                                                       slot_of_arc.data(),
                                                       start.data(),
                                                       degree.data(),
                                                       supply.data(),
                                                       demand.data(),
                                                       slots.data(),
                                                       to_sink.data(),
                                                       to_source.data(),
                                                       excess.data(),
                                                       initial.empty() ? nullptr : initial.data(),
                                                       balance.data(),
                                                       flow.data(),
                                                       aside.data(),
                                                       cut.data(),
                                                       sides.data(),
                                                       &built};
    residual::Builder<Team, Index, Amount>(team, workspace).run();
  }

  template <class Team>
  void push(Team& team) {
    const synchronous_flow::Workspace<Index, Amount> workspace{
        network.vertices, start.data(),  slots.data(),  to_sink.data(), to_source.data(),
        excess.data(),    labels.data(), queues.data(), fronts.data(),  pieces,
        cut.data(),       rules,         &state};
    synchronous_flow::Program<Index, Amount, true>::run(team, workspace);
  }

  template <class Run>
  void solve_asynchronously(Run run, const synchronous_flow::Label<Index>* known) {
    const long long n = network.vertices, count = (long long)slots.size();
    std::vector<Index> other(count), reverse(count), notices(n), seen(n);
    std::vector<Amount> out(count);
    std::vector<asynchronous_flow::Label<Index>> heights(n);
    const asynchronous_flow::Workspace<Index, Amount> workspace{n,
                                                                count,
                                                                start.data(),
                                                                slots.data(),
                                                                to_sink.data(),
                                                                to_source.data(),
                                                                excess.data(),
                                                                known,
                                                                other.data(),
                                                                reverse.data(),
                                                                out.data(),
                                                                heights.data(),
                                                                notices.data(),
                                                                seen.data(),
                                                                cut.data(),
                                                                {0, state.progress.level, waves},
                                                                &after};
    run(
        [&](auto& team) {
          using Team = std::remove_reference_t<decltype(team)>;
          asynchronous_flow::Solve<Team, Index, Amount>(team, workspace).run();
        },
        [&] { return after.progress.status == asynchronous_flow::kRunning; });
  }

  bool go_on() {
    entries += state.progress.series_used;
    state.progress.series_used = 0;
    return state.progress.status == synchronous_flow::kRunning;
  }

  void check(long long expected) const {
    require(state.progress.status == synchronous_flow::kMaximum, "the solve has ended");
    require(entries == state.progress.relabels, "the series is complete");
    std::vector<long long> received(network.vertices);
    long long across = 0;
    for (int a = 0; a < network.arcs(); ++a) {
      const int u = network.tail[a], v = network.head[a];
      const long long least = network.undirected ? -network.capacity[a] : 0;
      require(least <= flow[a] && flow[a] <= network.capacity[a], "no arc carries more than it can");
      received[u] -= flow[a];
      received[v] += flow[a];
      const bool from = side(u), to = side(v);
      if (network.undirected ? from != to : from && !to) across += network.capacity[a];
    }
    require(received[network.sink] == expected, "the value is right");
    require(across == expected, "the cut proves the value");
    for (int v = 0; v < network.vertices; ++v)
      if (role[v] == 0) require(received[v] == 0 && excess[v] == 0, "what comes in goes out");
  }

  bool side(int v) const { return sides[v] != 0; }

  const Network& network;
  synchronous_flow::Rules rules;
  const bool without_labels;
  const long long waves;
  std::vector<unsigned char> role, cut, sides, aside;
  flow_profile::State seen{};
  residual::State built{};
  long long places = 0, pieces = 0, entries = 0;
  bool turned = false;
  std::vector<long long> supply, demand, leaving, entering, balance, flow;
  std::vector<long long> initial;  // a flow to start from
  long long bound = 1LL << 20;
  std::vector<Index> table, slot_of_arc, start, degree;
  std::vector<synchronous_flow::Entry<Index>> queues;
  std::vector<Slot> slots;
  std::vector<Amount> to_sink, to_source, excess;
  std::vector<synchronous_flow::Label<Index>> labels;
  std::vector<synchronous_flow::Piece<Index>> fronts;
  synchronous_flow::State state{};
  asynchronous_flow::State after{};
};

struct Counts {
  long long second = 0, alone = 0, rises = 0, visits = 0, returned = 0, left = 0;
};

template <class Amount>
void solve_everywhere(const Network& network, const synchronous_flow::Rules& rules, bool without_labels,
                      long long waves, std::uint64_t seed, Counts& counts) {
  const long long expected = reference(network);
  const auto solve = [&](auto run) {
    Solver<Amount> solver(network, rules, without_labels, waves);
    if (seed % 3 == 1) {  // some flow that is none
      solver.initial.resize(network.arcs());
      for (auto& amount : solver.initial)
        amount = (long long)((seed + std::size_t(&amount - solver.initial.data())) % 4);
    }
    solver.solve(run);
    solver.check(expected);
    counts.second += solver.state.progress.second_pushes;
    counts.alone += solver.state.progress.lone_pushes;
    counts.rises += solver.state.rises;
    counts.visits += solver.after.visits;
    counts.returned += solver.after.returned;
    counts.left += solver.after.progress.status == asynchronous_flow::kUnfinished;
  };
  for (const auto budget : {std::chrono::milliseconds(0), std::chrono::milliseconds(50)})
    for (const int workers : {1, 2, 4})
      solve([&](auto launch, auto between) { bsp::ThreadPool(budget, {}).run(workers, launch, between); });
  solve([&](auto launch, auto between) { bsp::ShuffledTeam(seed, {}).run(launch, between); });
}

// What goes to vertex 2 has to come back but for 1, and the residual capacity that way is 2^63 meanwhile.
void solve_with_the_widest_arcs() {
  const long long wide = 1LL << 62;
  const Network network{5, 0, 3, {0, 1, 2, 4}, {1, 2, 3, 3}, {wide, wide, 1, wide}, true};
  for (const bool without_labels : {false, true}) {
    Solver<long long> solver(network, {0.75, 4, 4, 0, 0}, without_labels, 2000);
    solver.bound = wide + 1;
    solver.solve([](auto launch, auto between) {
      bsp::ThreadPool(std::chrono::milliseconds(50), {}).run(2, launch, between);
    });
    solver.check(1);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int graphs = count > 1 ? std::atoi(arguments[1]) : 100;
  Random random(5);
  Counts counts;
  solve_with_the_widest_arcs();
  for (int trial = 0; trial < graphs; ++trial) {
    const Network network = random_network(random);
    const double factors[] = {0.75, 0.1, 3.0, 20.0};
    // In supersteps; without them from the labels of a first search, and without any labels.
    const bool without_labels = trial % 3 == 2;
    const long long waves[] = {2, 5, 2000, 2000};
    const synchronous_flow::Rules rules{factors[trial % 4], 1 + trial % 3, 1 + trial % 5, trial % 3,
                                        1LL << 40};
    solve_everywhere<int>(network, rules, without_labels, waves[trial % 4], trial, counts);
    solve_everywhere<long long>(network, rules, without_labels, waves[trial % 4], trial, counts);
  }
  if (graphs >= 60)
    require(counts.second > 0 && counts.alone > 0 && counts.rises > 0, "some excess went back, some rose");
  if (graphs >= 60) require(counts.visits > 0 && counts.returned > 0, "some did without supersteps");
  if (graphs >= 20) require(counts.left > 0, "some was left to supersteps");
  std::printf("%d graphs\n", graphs);
}
