// Runs core-paths on CPU threads and on the shuffled team over random costs, for a build with a sanitiser. A
// zero budget ends every launch at its first agreement. Exit status 0 means that every answer carried its
// proof: duals for an assignment, a Hall violator where there is none.
#include "stress.h"

#include <cstdint>

#include "konig/assignment/core_paths.h"

namespace {

using namespace konig::core_paths;

struct Problem {
  int rows, cols;
  std::vector<std::int32_t> cost;

  assignment::Tile<std::int32_t> tile() const { return {cost.data(), cols, 0, 0, 1}; }
  bool allowed(int i, int j) const { return cost[size_t(i) * cols + j] != tile().kGreatest; }
  long long value(int i, int j) const { return cost[size_t(i) * cols + j]; }
};

Problem random_problem(Random& random) {
  Problem problem;
  problem.rows = 1 + int(random() % 24);
  problem.cols = problem.rows + int(random() % 3 == 0 ? random() % 20 : 0);
  const int top = random() % 2 ? 4 : 1000;
  const unsigned forbidden = random() % 3 == 0 ? random() % 100 : 0;  // percent
  for (int k = 0; k < problem.rows * problem.cols; ++k)
    problem.cost.push_back(random() % 100 < forbidden ? problem.tile().kGreatest
                                                      : std::int32_t(random() % unsigned(top)));
  return problem;
}

struct Solve {
  explicit Solve(const Problem& problem)
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
        col_key(problem.cols) {
    state.progress.finest = state.progress.undercut = -1;
  }

  template <class Team>
  void launch(Team& team) {
    const Workspace<std::int32_t> workspace{problem.rows,
                                            problem.cols,
                                            problem.tile(),
                                            col_of_row.data(),
                                            row_of_col.data(),
                                            row_dual.data(),
                                            col_dual.data(),
                                            row_distance.data(),
                                            col_distance.data(),
                                            next_col.data(),
                                            claim.data(),
                                            col_key.data(),
                                            free_row.data(),
                                            free_col.data(),
                                            count.data(),
                                            arc_col.data(),
                                            arc_value.data(),
                                            arc_slack.data(),
                                            room,
                                            0,
                                            &state};
    Solver<Team, std::int32_t>(team, workspace).run();
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

  const Problem& problem;
  std::vector<int> col_of_row, row_of_col, next_col, claim, free_row, free_col, count, arc_col;
  std::vector<long long> row_dual, col_dual, row_distance, col_distance, arc_value, arc_slack;
  std::vector<float> col_key;
  long long room = kFirstRoom;
  State state{};
};

void require_optimal(const Solve& s) {
  const Problem& p = s.problem;
  for (int i = 0; i < p.rows; ++i) {
    require(s.col_of_row[i] >= 0 && s.row_of_col[s.col_of_row[i]] == i, "not an assignment");
    for (int j = 0; j < p.cols; ++j) {
      if (!p.allowed(i, j)) continue;
      require(s.row_dual[i] + s.col_dual[j] <= p.value(i, j), "duals exceed a cost");
    }
    const int j = s.col_of_row[i];
    require(p.allowed(i, j) && s.row_dual[i] + s.col_dual[j] == p.value(i, j), "a pair is not tight");
  }
  for (int j = 0; j < p.cols && p.rows < p.cols; ++j)
    require(s.row_of_col[j] < 0 ? s.col_dual[j] == 0 : s.col_dual[j] <= 0,
            "a column's dual has the wrong sign");
}

void require_violator(const Solve& s) {
  const Problem& p = s.problem;
  int rows = 0, cols = 0;
  for (int j = 0; j < p.cols; ++j) cols += s.col_distance[j] >= kUnreached;
  for (int i = 0; i < p.rows; ++i) {
    if (s.row_distance[i] < kUnreached) continue;
    ++rows;
    for (int j = 0; j < p.cols; ++j)
      require(!p.allowed(i, j) || s.col_distance[j] >= kUnreached, "the violator has another neighbour");
  }
  require(rows > cols, "no violator");
}

void solve(const Problem& problem, std::uint64_t seed) {
  on_every_team(seed, [&](auto run) {
    Solve solver(problem);
    run([&](auto& team) { solver.launch(team); }, [&] { return solver.go_on(); });
    require(solver.state.progress.status != kStalled, "stalled");
    solver.state.progress.status == kOptimal ? require_optimal(solver) : require_violator(solver);
  });
}

}  // namespace

int main(int count, char** arguments) {
  const int graphs = count > 1 ? std::atoi(arguments[1]) : 100;
  Random random(17);
  for (int i = 0; i < graphs; ++i) {
    const Problem problem = random_problem(random);
    solve(problem, random());
  }
  std::printf("%d graphs\n", graphs);
}
