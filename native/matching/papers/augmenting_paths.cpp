// APFB and APsB on a CPU team; the algorithm is konig/matching/augmenting_paths.h. Reads columns only.
//
// Knobs: shortest_only and with_roots (flags: APsB, GPUBFS-WR), width ("ct": as many workers as asked for,
// "mt": not more than there are columns), threads, team ("threads" or "shuffled"), seed, counters (flag).
// Counts: iterations, bfs_levels (per iteration), edges_scanned, walks, alternations, fixes, supersteps,
// launches, workers; without counters those from edges_scanned to fixes are left out.
#include "konig/papers/augmenting_paths.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/run_on_team.h"
#include "matching/team_solvers.h"

namespace konig {
namespace {

using augmenting_paths::State;
using augmenting_paths::Variant;

template <class Id, class Offset>
class TeamSolve {
 public:
  TeamSolve(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run)
      : graph_(graph), mates_(mates), knobs_(knobs), run_(run) {}

  template <class V>
  void solve() {
    // Zeros, so that even a superstep that was cut leaves indices behind.
    level_.assign(graph_.cols, 0);
    predecessor_.assign(graph_.rows, 0);
    root_.assign(V::kWithRoots ? graph_.cols : 0, 0);
    state_.unmatched = -1;
    const augmenting_paths::Workspace<Id, Offset> workspace{graph_.rows,         graph_.cols,
                                                            graph_.of_col.start, graph_.of_col.neighbour,
                                                            mates_.col_of_row,   mates_.row_of_col,
                                                            level_.data(),       predecessor_.data(),
                                                            root_.data(),        &state_};
    const auto launch = [&workspace](auto& team) {
      using Team = std::remove_reference_t<decltype(team)>;
      augmenting_paths::Solve<V, Team, Id, Offset>(team, workspace).run();
    };
    const auto between = [this] { return go_on(); };
    const int workers = run_on_team(knobs_, team_size(), run_, launch, between);
    if (state_.status != augmenting_paths::kMaximum)
      throw std::logic_error("augmenting paths: an iteration found paths and gained nothing");
    count(V::kCounted, workers);
  }

 private:
  int team_size() const {
    const int64_t threads = knobs_.integer("threads");
    return int(knobs_.text("width") == "mt" ? std::clamp<int64_t>(graph_.cols, 1, threads) : threads);
  }

  // Between launches: empties the series, reports, and says whether there is more to do.
  bool go_on() {
    levels_.insert(levels_.end(), state_.levels, state_.levels + state_.levels_used);
    state_.levels_used = 0;
    if (state_.unmatched >= 0)
      run_.report(graph_.cols - state_.unmatched, std::min(graph_.rows, graph_.cols));
    return state_.status == augmenting_paths::kRunning;
  }

  void count(bool counted, int workers) {
    run_.count("iterations", int64_t(state_.iterations));
    run_.count("bfs_levels", std::move(levels_));
    if (counted) {
      run_.count("edges_scanned", int64_t(state_.edges_scanned));
      run_.count("walks", int64_t(state_.walks));
      run_.count("alternations", int64_t(state_.alternations));
      run_.count("fixes", int64_t(state_.fixes));
    }
    count_launches(run_, state_.supersteps, state_.launches, workers);
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  const Knobs& knobs_;
  Run& run_;
  std::vector<Id> level_, predecessor_, root_;
  std::vector<int64_t> levels_;
  State state_{};
};

}  // namespace

template <class Id, class Offset>
void augmenting_paths_on_team(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs,
                              Run& run) {
  TeamSolve<Id, Offset> solver(graph, mates, knobs, run);
  const bool counted = knobs.flag("counters");
  const bool with_roots = knobs.flag("with_roots");
  if (knobs.flag("shortest_only")) {
    if (with_roots)
      counted ? solver.template solve<Variant<true, true, true>>()
              : solver.template solve<Variant<true, true, false>>();
    else
      counted ? solver.template solve<Variant<true, false, true>>()
              : solver.template solve<Variant<true, false, false>>();
  } else {
    if (with_roots)
      counted ? solver.template solve<Variant<false, true, true>>()
              : solver.template solve<Variant<false, true, false>>();
    else
      counted ? solver.template solve<Variant<false, false, true>>()
              : solver.template solve<Variant<false, false, false>>();
  }
}

KONIG_INSTANTIATE_SOLVER(augmenting_paths_on_team)

}  // namespace konig
