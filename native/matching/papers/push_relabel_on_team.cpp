// G-PR on a CPU team; the algorithm is konig/matching/push_relabel.h. Reads rows and columns.
//
// Knobs: lists and shrink (flags: G-PR-NoShr has the first, G-PR-Shr both), relabel ("adaptive" or "fix"), k,
// gap, concurrent (flags), threads, team ("threads" or "shuffled"), seed, counters (flag). Counts:
// global_relabels; relabel_levels, relabel_interval, active and list_length for each of them; revived,
// gap_relabels, rescues, edges_scanned, pushes, conflicts, retired, iterations, supersteps, launches,
// workers; without counters those from edges_scanned to retired are left out.
#include "konig/papers/g_pr.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "core/run_on_team.h"
#include "matching/team_solvers.h"

namespace konig {
namespace {

using push_relabel::Rules;
using push_relabel::State;
using push_relabel::Variant;

template <class Id, class Offset>
class TeamSolve {
 public:
  TeamSolve(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run)
      : graph_(graph), mates_(mates), knobs_(knobs), run_(run) {}

  template <class V>
  void solve() {
    const push_relabel::Workspace<Id, Offset> workspace = make_workspace(V::kLists);
    const auto launch = [&workspace](auto& team) {
      using Team = std::remove_reference_t<decltype(team)>;
      push_relabel::Solve<V, Team, Id, Offset>(team, workspace).run();
    };
    const auto between = [this] { return go_on(); };
    const int workers = run_on_team(knobs_, int(knobs_.integer("threads")), run_, launch, between);
    if (state_.progress.status != push_relabel::kMaximum)
      throw std::logic_error("push-relabel: a column within reach of a free row did not get there");
    count(V::kCounted, workers);
  }

 private:
  // Zeros where any index will do, so that even a superstep that was cut leaves indices behind.
  push_relabel::Workspace<Id, Offset> make_workspace(bool lists) {
    const Rules rules{knobs_.flag("shrink"), knobs_.flag("gap"), knobs_.flag("concurrent"),
                      knobs_.text("relabel") == "adaptive", knobs_.real("k")};
    const auto row_shadow = rules.concurrent ? graph_.rows : 0;
    const auto col_shadow = rules.concurrent ? graph_.cols : 0;
    const int64_t unmatched =
        std::count_if(mates_.row_of_col, mates_.row_of_col + graph_.cols, [](Id row) { return row < 0; });
    const int64_t capacity = lists ? unmatched : 0;
    row_label_.assign(graph_.rows, 0);
    col_label_.assign(graph_.cols, 0);
    candidate_.assign(graph_.cols, 0);
    shadow_row_label_.assign(row_shadow, 0);
    shadow_col_label_.assign(col_shadow, 0);
    level_seen_.assign(rules.gap ? std::min(graph_.rows, graph_.cols) + 1 : 0, 0);
    active_in_.assign(lists ? graph_.cols : 0, -1);
    lists_.assign(push_relabel::kListCount * capacity, -1);
    state_.progress.free_rows = state_.progress.gain_free = state_.progress.check_free = -1;
    return {graph_.rows,
            graph_.cols,
            graph_.of_row.start,
            graph_.of_row.neighbour,
            graph_.of_col.start,
            graph_.of_col.neighbour,
            mates_.col_of_row,
            mates_.row_of_col,
            row_label_.data(),
            col_label_.data(),
            candidate_.data(),
            shadow_row_label_.data(),
            shadow_col_label_.data(),
            level_seen_.data(),
            active_in_.data(),
            lists_.data(),
            capacity,
            rules,
            &state_};
  }

  // Between launches: empties the series, reports, and says whether there is more to do.
  bool go_on() {
    push_relabel::Progress& progress = state_.progress;
    series_.take(state_.series, progress.series_used);
    if (progress.free_rows >= 0)
      run_.report(graph_.rows - progress.free_rows, std::min(graph_.rows, graph_.cols));
    return progress.status == push_relabel::kRunning;
  }

  void count(bool counted, int workers) {
    const push_relabel::Progress& progress = state_.progress;
    run_.count("global_relabels", int64_t(progress.relabels));
    run_.count("relabel_levels", series_.column(0));
    run_.count("relabel_interval", series_.column(1));
    run_.count("active", series_.column(2));
    run_.count("list_length", series_.column(3));
    run_.count("revived", int64_t(progress.revived));
    run_.count("gap_relabels", int64_t(progress.gap_relabels));
    run_.count("rescues", int64_t(progress.rescues));
    if (counted) {
      run_.count("edges_scanned", int64_t(state_.edges_scanned));
      run_.count("pushes", int64_t(state_.pushes));
      run_.count("conflicts", int64_t(state_.conflicts));
      run_.count("retired", int64_t(state_.retired));
    }
    run_.count("iterations", int64_t(progress.loop));
    count_launches(run_, progress.supersteps, state_.launches, workers);
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  const Knobs& knobs_;
  Run& run_;
  std::vector<Id> row_label_, col_label_, candidate_, shadow_row_label_, shadow_col_label_;
  std::vector<Id> level_seen_, active_in_, lists_;
  Series<4> series_;
  State state_{};
};

}  // namespace

template <class Id, class Offset>
void push_relabel_on_team(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  TeamSolve<Id, Offset> solver(graph, mates, knobs, run);
  const bool counted = knobs.flag("counters");
  if (knobs.flag("lists"))
    counted ? solver.template solve<Variant<true, true>>() : solver.template solve<Variant<true, false>>();
  else
    counted ? solver.template solve<Variant<false, true>>() : solver.template solve<Variant<false, false>>();
}

KONIG_INSTANTIATE_SOLVER(push_relabel_on_team)

}  // namespace konig
