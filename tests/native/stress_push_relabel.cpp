// Runs G-PR on CPU threads over random graphs with all of its rules, for a build with a sanitiser. A zero
// budget ends every launch at its first agreement. Exit status 0 means that every answer had the right size
// and was a matching.
#include "stress.h"

#include "konig/papers/g_pr.h"

namespace {

using push_relabel::Rules;

struct Solver {
  Solver(const Graph& graph, const Rules& rules) : graph(graph), rules(rules) {
    std::vector<std::vector<std::int32_t>> cols_of(graph.rows);
    for (int col = 0; col < graph.cols; ++col)
      for (int k = graph.start[col]; k < graph.start[col + 1]; ++k)
        cols_of[graph.neighbour[k]].push_back(col);
    for (const auto& cols : cols_of) {
      row_cols.insert(row_cols.end(), cols.begin(), cols.end());
      row_start.push_back(std::int32_t(row_cols.size()));
    }
  }

  template <class V, class Team>
  void launch(Team& team) {
    const push_relabel::Workspace<std::int32_t, std::int32_t> workspace{
        {{graph.rows, graph.cols, graph.start.data(), graph.neighbour.data(), col_of_row.data(),
          row_of_col.data()},
         row_start.data(),
         row_cols.data()},
        row_label.data(),
        col_label.data(),
        candidate.data(),
        shadow_row_label.data(),
        shadow_col_label.data(),
        level_seen.data(),
        active_in.data(),
        lists.data(),
        graph.cols,
        rules,
        &state};
    V::run(team, workspace);
  }

  bool go_on() {
    entries += state.progress.series_used;
    state.progress.series_used = 0;
    return state.progress.status == push_relabel::kRunning;
  }

  void check(int expected) const {
    require(state.progress.status == push_relabel::kMaximum, "the solve has ended");
    require(entries == state.progress.relabels, "the series is complete");
    require_matching(graph, col_of_row, row_of_col, expected);
  }

  const Graph& graph;
  const Rules rules;
  std::vector<std::int32_t> row_start{0}, row_cols;
  std::vector<std::int32_t> col_of_row = of(graph.rows, -1), row_of_col = of(graph.cols, -1);
  std::vector<std::int32_t> row_label = of(graph.rows), col_label = of(graph.cols),
                            candidate = of(graph.cols);
  std::vector<std::int32_t> shadow_row_label = of(graph.rows), shadow_col_label = of(graph.cols);
  std::vector<std::int32_t> level_seen = of(std::min(graph.rows, graph.cols) + 1);
  std::vector<std::int32_t> active_in = of(graph.cols, -1), lists = of(3 * graph.cols, -1);
  long long entries = 0;
  push_relabel::State state{};

 private:
  static std::vector<std::int32_t> of(int size, std::int32_t value = 0) {
    return std::vector<std::int32_t>(size, value);
  }
};

struct Totals {
  long long rescues = 0, revived = 0, gaps = 0, conflicts = 0;
  void add(const push_relabel::State& state) {
    rescues += state.progress.rescues;
    revived += state.progress.revived;
    gaps += state.progress.gap_relabels;
    conflicts += state.conflicts;
  }
};

template <class V>
void solve_everywhere(const Graph& graph, const Rules& rules, int expected, std::uint64_t seed,
                      Totals& totals) {
  on_every_team(seed, [&](auto run) {
    Solver solver(graph, rules);
    run([&](auto& team) { solver.launch<V>(team); }, [&] { return solver.go_on(); });
    solver.check(expected);
    totals.add(solver.state);
  });
}

}  // namespace

int main(int count, char** arguments) {
  const int graphs = count > 1 ? std::atoi(arguments[1]) : 100;
  Random random(2);
  Totals totals;
  for (int trial = 0; trial < graphs; ++trial) {
    const Graph graph = random_graph(random);
    const int expected = Reference(graph).size();
    // All combinations of shrink, gap and concurrent take turns, with all kinds of intervals.
    const double intervals[] = {0.7, 0.1, 3.0, 50.0};
    const Rules rules{trial & 1, trial >> 1 & 1, trial >> 2 & 1, trial % 3 != 0, intervals[trial % 4]};
    solve_everywhere<push_relabel::Program<std::int32_t, std::int32_t, true, true>>(graph, rules, expected,
                                                                                    trial, totals);
    solve_everywhere<push_relabel::Program<std::int32_t, std::int32_t, false, true>>(graph, rules, expected,
                                                                                     trial, totals);
    if (trial % 4 == 0)
      solve_everywhere<push_relabel::Program<std::int32_t, std::int32_t, true, false>>(graph, rules, expected,
                                                                                       trial, totals);
  }
  if (graphs >= 60) {
    require(totals.conflicts > 0, "some pushes lost a race");
    require(totals.gaps > 0, "some levels were empty");
    if (push_relabel::kLoopsPerLevel == 0) require(totals.rescues > 0, "some columns were rescued");
  }
  std::printf("%d graphs\n", graphs);
}
