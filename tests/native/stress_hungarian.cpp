// Runs both Hungarian methods on CPU threads, on the shuffled team and on one with groups of workers over
// random costs, for a build with a sanitiser. A zero budget ends every launch at its first agreement. Exit
// status 0 means that every answer carried its proof: duals for an assignment, a Hall violator where there is
// none.
#include "stress.h"

#include <cstdint>
#include <type_traits>

#include "konig/papers/hungarian/classical.h"
#include "konig/papers/hungarian/tree.h"
#include "random_costs.h"

namespace {

using namespace konig::hungarian;

struct Solver {
  explicit Solver(const CostProblem& problem)
      : problem(problem),
        col_of_row(problem.rows, -1),
        row_of_col(problem.cols, -1),
        successor(problem.rows),
        root(problem.rows),
        count(problem.rows),
        predecessor(problem.cols),
        leaf(problem.cols),
        cursor(problem.cols),
        partial_row(size_t(kChunks) * problem.cols),
        row_dual(problem.rows),
        col_dual(problem.cols),
        row_since(problem.rows),
        col_since(problem.cols),
        slack(problem.cols),
        partial_slack(size_t(kChunks) * problem.cols),
        start(problem.rows + 1),
        queue(problem.rows) {}

  template <class Team>
  void launch(Team& team, bool classical) {
    const konig::assignment::Problem<double> given{problem.rows,
                                                   problem.cols,
                                                   problem.tile(),
                                                   col_of_row.data(),
                                                   row_of_col.data(),
                                                   row_dual.data(),
                                                   col_dual.data(),
                                                   0,
                                                   (long long)(neighbour.size())};
    const Workspace<double> workspace{given,
                                      row_since.data(),
                                      col_since.data(),
                                      predecessor.data(),
                                      successor.data(),
                                      queue.data(),
                                      leaf.data(),
                                      root.data(),
                                      cursor.data(),
                                      slack.data(),
                                      partial_slack.data(),
                                      partial_row.data(),
                                      start.data(),
                                      count.data(),
                                      neighbour.data(),
                                      edge.data(),
                                      &state};
    if (classical)
      Classical<Team, double>(team, workspace).run();
    else
      Tree<Team, double>(team, workspace).run();
  }

  bool go_on() {
    if (state.progress.status == kNeedsRoom) {
      neighbour.resize(state.progress.edges);
      edge.resize(state.progress.edges);
      state.progress.status = kRunning;
    }
    for (long long k = 0; k < state.progress.series_used; ++k) gained += state.series[k];
    state.progress.series_used = 0;
    return state.progress.status == kRunning;
  }

  const CostProblem& problem;
  std::vector<int> col_of_row, row_of_col, successor, root, count, predecessor, leaf, cursor, partial_row,
      neighbour;
  std::vector<long long> row_dual, col_dual, row_since, col_since, slack, partial_slack, start;
  std::vector<Reached> queue;
  std::vector<Edge> edge;
  long long gained = 0;
  State state{};
};

// The shuffled team with groups of four, as a warp has 32: one lane after the other, the first one last, so
// that it learns of the least value of its group.
class WideTeam : public bsp::ShuffledTeam {
 public:
  using ShuffledTeam::ShuffledTeam;
  static constexpr int kWarp = 4;
  static constexpr int kStrip = 3;

  template <class Launch, class Between>
  void run(Launch launch, Between between) {
    do {
      launch(*this);
    } while (between());
  }

  template <class Visit>
  void for_each_wide(long long items, int, Visit visit) {
    for_each(items, [&](long long i) {
      least_ = bsp::kNoLeast;
      for (int lane = kWarp - 1; lane >= 0; --lane) visit(i, lane, kWarp);
    });
  }

  long long group_min(long long value, int) { return least_ = std::min(least_, value); }

 private:
  long long least_ = 0;
};

constexpr int kShuffled = 0, kWide = -1;

void solve(const CostProblem& problem, bool classical, int threads, unsigned seed) {
  Solver solver(problem);
  const auto launch = [&](auto& team) { solver.launch(team, classical); };
  const auto between = [&] { return solver.go_on(); };
  if (threads == kWide)
    WideTeam(seed, {}).run(launch, between);
  else if (threads == kShuffled)
    bsp::ShuffledTeam(seed, {}).run(launch, between);
  else
    bsp::ThreadPool(std::chrono::nanoseconds(seed % 2 ? 0 : 1000000000), {}).run(threads, launch, between);
  if (solver.state.progress.status == kOptimal) {
    require(solver.state.progress.greedy + solver.gained == problem.rows, "gains do not sum up");
    require_optimal(problem, solver);
  } else {
    require_violator(problem, solver.row_since, solver.col_since, [](long long since) { return since >= 0; });
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int graphs = count > 1 ? std::atoi(arguments[1]) : 100;
  Random random(17);
  for (int i = 0; i < graphs; ++i) {
    const CostProblem problem = random_costs(random);
    for (const bool classical : {false, true})
      for (const int threads : {kWide, kShuffled, 1, 2, 4})
        solve(problem, classical, threads, unsigned(random()));
  }
  std::printf("%d graphs\n", graphs);
}
