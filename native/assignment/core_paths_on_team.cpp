// core-paths on a CPU team; the algorithm is konig/assignment/core_paths.h.
//
// Counts: selections, phases, paths, path_edges, sweeps, pricing_rounds, extensions, core_entries,
// supersteps, launches, workers; and in nanoseconds, by step, what each took.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "assignment/assignment_on_team.h"
#include "core/run_on_team.h"
#include "konig/assignment/core_paths.h"

namespace konig {
namespace {

using namespace core_paths;

template <class Cost>
class CoreSolve {
 public:
  CoreSolve(const TeamProblem<Cost>& problem, const Knobs& knobs, Run& run)
      : problem_(problem), knobs_(knobs), run_(run) {}

  bool solve() {
    make_workspace();
    const auto launch = [this](auto& team) {
      using Team = std::remove_reference_t<decltype(team)>;
      Solver<Team, Cost>(team, workspace_).run();
    };
    const auto between = [this] { return go_on(); };
    count(run_on_team(knobs_, int(knobs_.integer("threads")), run_, launch, between));
    for (int64_t row = 0; row < problem_.rows; ++row)
      problem_.row_reached[row] = row_distance_[row] >= kUnreached;
    for (int64_t col = 0; col < problem_.cols; ++col)
      problem_.col_reached[col] = col_distance_[col] >= kUnreached;
    return state_.progress.status == kOptimal;
  }

 private:
  // Zeros, so that even a superstep that was cut leaves indices behind.
  void make_workspace() {
    const size_t rows = problem_.rows, cols = problem_.cols;
    row_distance_.assign(rows, 0);
    col_distance_.assign(cols, 0);
    next_col_.assign(rows, 0);
    claim_.assign(cols, 0);
    col_key_.assign(cols, 0);
    free_row_.assign(rows, 0);
    free_col_.assign(rows, 0);
    count_.assign(rows, 0);
    arc_col_.assign(rows * kFirstRoom, 0);
    arc_value_.assign(rows * kFirstRoom, 0);
    arc_slack_.assign(rows * kFirstRoom, 0);
    state_.progress.finest = state_.progress.undercut = -1;
    workspace_ = {problem_.rows,
                  problem_.cols,
                  problem_.costs,
                  problem_.col_of_row,
                  problem_.row_of_col,
                  reinterpret_cast<long long*>(problem_.row_dual),
                  reinterpret_cast<long long*>(problem_.col_dual),
                  row_distance_.data(),
                  col_distance_.data(),
                  next_col_.data(),
                  claim_.data(),
                  col_key_.data(),
                  free_row_.data(),
                  free_col_.data(),
                  count_.data(),
                  arc_col_.data(),
                  arc_value_.data(),
                  arc_slack_.data(),
                  kFirstRoom,
                  problem_.warm,
                  &state_};
  }

  template <class T>
  static void widen(std::vector<T>& lists, int64_t rows, int64_t before, int64_t after) {
    std::vector<T> wider(size_t(rows * after), T(0));
    for (int64_t row = 0; row < rows; ++row)
      std::copy_n(lists.begin() + row * before, before, wider.begin() + row * after);
    lists.swap(wider);
  }

  // Between launches: makes room, reports, and says whether there is more to do.
  bool go_on() {
    Progress& progress = state_.progress;
    if (progress.status == kNeedsRoom) {
      const int64_t before = workspace_.room;
      workspace_.room = 2 * before;
      widen(arc_col_, problem_.rows, before, workspace_.room);
      widen(arc_value_, problem_.rows, before, workspace_.room);
      arc_slack_.assign(arc_value_.size(), 0);
      workspace_.arc_slack = arc_slack_.data();
      workspace_.arc_col = arc_col_.data();
      workspace_.arc_value = arc_value_.data();
      progress.status = kRunning;
    }
    run_.report(problem_.rows - progress.free, problem_.rows);
    return progress.status == kRunning;
  }

  void count(int workers) {
    const Progress& progress = state_.progress;
    run_.count("stalled", int64_t(progress.status == kStalled));
    run_.count("selections", int64_t(state_.selections));
    run_.count("phases", int64_t(state_.phases));
    run_.count("paths", int64_t(state_.paths));
    run_.count("path_edges", int64_t(state_.path_edges));
    run_.count("sweeps", int64_t(state_.sweeps));
    run_.count("pricing_rounds", int64_t(state_.pricings));
    run_.count("extensions", int64_t(state_.extensions));
    run_.count("core_entries", int64_t(state_.arcs));
    run_.count("coarser_starts", int64_t(progress.coarser));
    run_.count("nanoseconds", std::vector<int64_t>(state_.nanoseconds, state_.nanoseconds + kSteps));
    count_launches(run_, state_.supersteps, state_.launches, workers);
  }

  const TeamProblem<Cost>& problem_;
  const Knobs& knobs_;
  Run& run_;
  Workspace<Cost> workspace_{};
  std::vector<long long> row_distance_, col_distance_, arc_value_, arc_slack_;
  std::vector<int> next_col_, claim_, free_row_, free_col_, count_, arc_col_;
  std::vector<float> col_key_;
  State state_{};
};

}  // namespace

template <class Cost>
bool core_paths_on_team(const TeamProblem<Cost>& problem, const Knobs& knobs, Run& run) {
  return CoreSolve<Cost>(problem, knobs, run).solve();
}

KONIG_INSTANTIATE_ASSIGNMENT_ON_TEAM(core_paths_on_team)

}  // namespace konig
