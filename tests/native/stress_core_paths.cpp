// Runs core-paths on CPU threads and on the shuffled team over random costs, for a build with a sanitiser. A
// zero budget ends every launch at its first agreement. Exit status 0 means that every answer carried its
// proof: duals for an assignment, a Hall violator where there is none.
#include "stress.h"

#include <cstdint>

#include "konig/assignment/core_paths.h"
#include "random_costs.h"

namespace {

using namespace konig::core_paths;

struct Solve {
  explicit Solve(const CostProblem& problem)
      : problem(problem),
        col_of_row(problem.rows, -1),
        row_of_col(problem.cols, -1),
        next_col(problem.rows),
        claim(problem.cols),
        free_row(problem.rows),
        free_col(problem.rows),
        count(problem.rows),
        arc_col(size_t(kFirstRoom) * problem.rows),
        row_dual(problem.rows),
        col_dual(problem.cols),
        row_distance(problem.rows),
        col_distance(problem.cols),
        arc_value(size_t(kFirstRoom) * problem.rows),
        arc_slack(arc_value.size()),
        col_key(problem.cols),
        least_key(size_t(kBuckets) * problem.rows) {}

  template <class Team>
  void launch(Team& team) {
    const konig::assignment::Problem<double> given{problem.rows,
                                                   problem.cols,
                                                   problem.tile(),
                                                   col_of_row.data(),
                                                   row_of_col.data(),
                                                   row_dual.data(),
                                                   col_dual.data(),
                                                   0,
                                                   room};
    const Workspace<double> workspace{given,
                                      row_distance.data(),
                                      col_distance.data(),
                                      next_col.data(),
                                      claim.data(),
                                      col_key.data(),
                                      least_key.data(),
                                      free_row.data(),
                                      free_col.data(),
                                      count.data(),
                                      arc_col.data(),
                                      arc_value.data(),
                                      arc_slack.data(),
                                      0,
                                      &state};
    Solver<Team, double>(team, workspace).run();
  }

  template <class T>
  void widen(std::vector<T>& lists) {
    std::vector<T> wider(size_t(2 * room * problem.rows));
    for (int i = 0; i < problem.rows; ++i)
      std::copy_n(lists.begin() + i * room, room, wider.begin() + 2 * i * room);
    lists.swap(wider);
  }

  bool go_on() {
    if (state.progress.status == kNeedsRoom) {
      widen(arc_col);
      widen(arc_value);
      room *= 2;
      arc_slack.resize(arc_value.size());
      state.progress.status = kRunning;
    }
    return state.progress.status == kRunning;
  }

  const CostProblem& problem;
  std::vector<int> col_of_row, row_of_col, next_col, claim, free_row, free_col, count, arc_col;
  std::vector<long long> row_dual, col_dual, row_distance, col_distance, arc_value, arc_slack;
  std::vector<float> col_key;
  std::vector<long long> least_key;
  long long room = kFirstRoom;
  State state{};
};

void solve(const CostProblem& problem, std::uint64_t seed) {
  on_every_team(seed, [&](auto run) {
    Solve solver(problem);
    run([&](auto& team) { solver.launch(team); }, [&] { return solver.go_on(); });
    require(solver.state.progress.status != kStalled, "stalled");
    if (solver.state.progress.status == kOptimal)
      require_optimal(problem, solver);
    else
      require_violator(problem, solver.row_distance, solver.col_distance,
                       [](long long distance) { return distance >= kUnreached; });
  });
}

}  // namespace

int main(int count, char** arguments) {
  const int graphs = count > 1 ? std::atoi(arguments[1]) : 100;
  Random random(17);
  for (int i = 0; i < graphs; ++i) {
    const CostProblem problem = random_costs(random);
    solve(problem, random());
  }
  std::printf("%d graphs\n", graphs);
}
