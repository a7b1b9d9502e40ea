// Runs the greedy start and the augmenting-path solver on every CPU team over random graphs, for a build with
// a sanitiser. Random pauses inside every shared access widen the races. Exit status 0 means that every
// answer had the right size and was a matching.
#include "stress.h"

#include <ctime>
#include <thread>
#include <type_traits>

#include "konig/matching/greedy.h"
#include "konig/papers/augmenting_paths.h"

namespace {

struct Solver {
  explicit Solver(const Graph& graph)
      : graph(graph),
        col_of_row(graph.rows, -1),
        row_of_col(graph.cols, -1),
        level(graph.cols),
        predecessor(graph.rows),
        root(graph.cols) {}

  template <class V, class Team>
  void launch(Team& team) {
    const augmenting_paths::Workspace<std::int32_t, std::int32_t> workspace{
        {graph.rows, graph.cols, graph.start.data(), graph.neighbour.data(), col_of_row.data(),
         row_of_col.data()},
        level.data(),
        predecessor.data(),
        root.data(),
        &state};
    V::run(team, workspace);
  }

  bool go_on() {
    for (long long k = 0; k < state.progress.levels_used; ++k) levels.push_back(state.levels[k]);
    state.progress.levels_used = 0;
    return state.progress.status == augmenting_paths::kRunning;
  }

  void check(int expected) const {
    require(state.progress.status == augmenting_paths::kMaximum, "the solve has ended");
    require((long long)levels.size() == state.progress.iterations, "the series is complete");
    require(std::count_if(levels.begin(), levels.end(), [](long long n) { return n < 1; }) == 0,
            "levels count");
    require_matching(graph, col_of_row, row_of_col, expected);
  }

  const Graph& graph;
  std::vector<std::int32_t> col_of_row, row_of_col, level, predecessor, root;
  std::vector<long long> levels;
  augmenting_paths::State state{};
};

template <class V>
void solve_everywhere(const Graph& graph, int expected, std::uint64_t seed) {
  on_every_team(seed, [&](auto run) {
    Solver solver(graph);
    run([&](auto& team) { solver.launch<V>(team); }, [&] { return solver.go_on(); });
    solver.check(expected);
  });
}

// The greedy start: a matching that no entry could extend, on any team.
void start_everywhere(const Graph& graph, std::uint64_t seed) {
  on_every_team(seed, [&](auto run) {
    std::vector<std::int32_t> col_of_row(graph.rows, -1), row_of_col(graph.cols, -1);
    greedy::State state{};
    const greedy::Workspace<std::int32_t, std::int32_t> workspace{
        {graph.rows, graph.cols, graph.start.data(), graph.neighbour.data(), col_of_row.data(),
         row_of_col.data()},
        &state};
    const auto launch = [&](auto& team) {
      using Team = std::remove_reference_t<decltype(team)>;
      greedy::Solve<Team, std::int32_t, std::int32_t>(team, workspace).run();
    };
    run(launch, [&] { return state.status == greedy::kRunning; });
    require_maximal(graph, col_of_row, row_of_col);
  });
}

void poll_that_throws(int workers) {
  int polls = 0;
  bsp::ThreadPool pool(std::chrono::hours(1), [&](long long) {
    if (++polls == 3) throw std::runtime_error("stop");
  });
  const auto endless = [](bsp::CpuTeam& team) {
    while (!team.expired()) {
      team.for_each(1 << 16, [](long long) {});
      team.barrier();
    }
  };
  bool thrown = false;
  try {
    pool.run(workers, endless, [] { return true; });
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  require(thrown, "the caller's exception comes back");
}

// One worker of several is late: the others take next to no processor time, and the first of them polls.
void workers_that_wait_sleep(int late) {
  int polls = 0;
  bsp::ThreadPool pool(std::chrono::hours(1), [&](long long) { ++polls; });
  const std::clock_t began = std::clock();
  const auto launch = [&](bsp::CpuTeam& team) {
    if (team.index() == late) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  };
  pool.run(4, launch, [] { return false; });
  const double seconds = double(std::clock() - began) / CLOCKS_PER_SEC;
  require(seconds < 0.15, "workers that wait sleep");
  require(late == 0 || polls >= 3, "a leader that waits polls");
}

}  // namespace

int main(int count, char** arguments) {
  const int graphs = count > 1 ? std::atoi(arguments[1]) : 100;
  for (const int workers : {1, 2, 4}) poll_that_throws(workers);
  for (const int late : {0, 2}) workers_that_wait_sleep(late);
  Random random(1);
  for (int trial = 0; trial < graphs; ++trial) {
    const Graph graph = random_graph(random);
    const int expected = Reference(graph).size();
    start_everywhere(graph, trial);
    solve_everywhere<augmenting_paths::Program<std::int32_t, std::int32_t, false, false, true>>(
        graph, expected, trial);
    solve_everywhere<augmenting_paths::Program<std::int32_t, std::int32_t, false, true, true>>(
        graph, expected, trial);
    solve_everywhere<augmenting_paths::Program<std::int32_t, std::int32_t, true, false, false>>(
        graph, expected, trial);
    solve_everywhere<augmenting_paths::Program<std::int32_t, std::int32_t, true, true, true>>(graph, expected,
                                                                                              trial);
  }
  std::printf("%d graphs\n", graphs);
}
