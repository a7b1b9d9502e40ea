// The Hungarian methods on a CPU team; the algorithms are konig/papers/hungarian/classical.h and
// hungarian_tree.h.
//
// Counts: greedy_assignments, initial_assignments, assignments (a list: those gained in each iteration),
// iterations, levels, dual_updates, entries_read, path_edges, supersteps, launches, workers; classical also
// compressions, edges_scanned, zero_edges; and in nanoseconds, under the name of its step, what each took.
#include "assignment/assignment_on_team.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/run_on_team.h"
#include "konig/papers/hungarian/classical.h"
#include "konig/papers/hungarian/tree.h"

namespace konig {
namespace {

using namespace hungarian;

static_assert(std::is_same_v<int32_t, int> && sizeof(int64_t) == sizeof(long long));

// As many as the reduction leaves on ordinary costs; more room is made when it is asked for.
constexpr int64_t kEdgesPerRow = 8;

template <class Cost>
class TeamSolve {
 public:
  TeamSolve(const TeamProblem<Cost>& problem, const Knobs& knobs, Run& run)
      : problem_(problem), knobs_(knobs), run_(run), classical_(knobs.text("variant") == "classical") {}

  bool solve() {
    make_workspace();
    const auto launch = [this](auto& team) {
      using Team = std::remove_reference_t<decltype(team)>;
      if (classical_)
        Classical<Team, Cost>(team, workspace_).run();
      else
        Tree<Team, Cost>(team, workspace_).run();
    };
    const auto between = [this] { return go_on(); };
    count(run_on_team(knobs_, int(knobs_.integer("threads")), run_, launch, between));
    const bool feasible = state_.progress.status == kOptimal;
    for (int64_t row = 0; row < problem_.rows; ++row) problem_.row_reached[row] = row_since_[row] >= 0;
    for (int64_t col = 0; col < problem_.cols; ++col) problem_.col_reached[col] = col_since_[col] >= 0;
    return feasible;
  }

 private:
  // Zeros, so that even a superstep that was cut leaves indices behind.
  void make_workspace() {
    const size_t rows = problem_.rows, cols = problem_.cols;
    row_since_.assign(rows, 0);
    col_since_.assign(cols, 0);
    predecessor_.assign(cols, 0);
    successor_.assign(rows, 0);
    queue_.assign(rows, {});
    leaf_.assign(cols, 0);
    root_.assign(rows, 0);
    cursor_.assign(cols, 0);
    slack_.assign(classical_ ? 0 : cols, 0);
    partial_slack_.assign(classical_ ? 0 : kChunks * cols, 0);
    partial_row_.assign(classical_ ? 0 : kChunks * cols, 0);
    start_.assign(classical_ ? rows + 1 : 0, 0);
    count_.assign(classical_ ? rows : 0, 0);
    state_.progress.initial = -1;
    workspace_ = {problem_.rows,
                  problem_.cols,
                  problem_.costs,
                  problem_.col_of_row,
                  problem_.row_of_col,
                  reinterpret_cast<long long*>(problem_.row_dual),
                  reinterpret_cast<long long*>(problem_.col_dual),
                  row_since_.data(),
                  col_since_.data(),
                  predecessor_.data(),
                  successor_.data(),
                  queue_.data(),
                  leaf_.data(),
                  root_.data(),
                  cursor_.data(),
                  slack_.data(),
                  partial_slack_.data(),
                  partial_row_.data(),
                  start_.data(),
                  count_.data(),
                  nullptr,
                  nullptr,
                  0,
                  problem_.warm,
                  &state_};
    if (classical_) make_room(kEdgesPerRow * problem_.rows);
  }

  void make_room(int64_t edges) {
    neighbour_.assign(edges, 0);
    edge_.assign(edges, {});
    workspace_.neighbour = neighbour_.data();
    workspace_.edge = edge_.data();
    workspace_.room = edges;
  }

  // Between launches: makes room, empties the series, reports, and says whether there is more to do.
  bool go_on() {
    Progress& progress = state_.progress;
    if (progress.status == kNeedsRoom) {
      make_room(std::max(int64_t(progress.edges), 2 * int64_t(workspace_.room)));
      progress.status = kRunning;
    }
    assignments_.insert(assignments_.end(), state_.series, state_.series + progress.series_used);
    progress.series_used = 0;
    run_.report(progress.matched, problem_.rows);
    return progress.status == kRunning;
  }

  void count(int workers) {
    const Progress& progress = state_.progress;
    run_.count("greedy_assignments", int64_t(progress.greedy));
    run_.count("initial_assignments", int64_t(progress.initial < 0 ? progress.matched : progress.initial));
    run_.count("assignments", std::move(assignments_));
    run_.count("iterations", int64_t(progress.iterations));
    run_.count("levels", int64_t(progress.levels));
    run_.count("dual_updates", int64_t(progress.updates));
    run_.count("entries_read", int64_t(progress.entries_read));
    run_.count("path_edges", int64_t(state_.path_edges));
    if (classical_) {
      run_.count("compressions", int64_t(progress.compressions));
      run_.count("zero_edges", int64_t(progress.edges));
      run_.count("edges_scanned", int64_t(state_.edges_scanned));
    }
    run_.count("nanoseconds", std::vector<int64_t>(state_.nanoseconds, state_.nanoseconds + kSteps));
    count_launches(run_, progress.supersteps, state_.launches, workers);
  }

  const TeamProblem<Cost>& problem_;
  const Knobs& knobs_;
  Run& run_;
  const bool classical_;
  Workspace<Cost> workspace_{};
  std::vector<long long> row_since_, col_since_, slack_, partial_slack_, start_;
  std::vector<int> predecessor_, successor_, leaf_, root_, cursor_, partial_row_, count_, neighbour_;
  std::vector<Reached> queue_;
  std::vector<Edge> edge_;
  std::vector<int64_t> assignments_;
  State state_{};
};

}  // namespace

template <class Cost>
bool hungarian_on_team(const TeamProblem<Cost>& problem, const Knobs& knobs, Run& run) {
  return TeamSolve<Cost>(problem, knobs, run).solve();
}

KONIG_INSTANTIATE_ASSIGNMENT_ON_TEAM(hungarian_on_team)

}  // namespace konig
