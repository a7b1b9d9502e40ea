// The start `sgm` on several threads, alone or with a look at the structure of the graph after it, which is
// what `auto` begins with; one launch for both, since threads cost time to start.
#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "matching/parallel_greedy.h"
#include "matching/profile.h"
#include "matching/solvers.h"

namespace konig {

// Knobs: threads. Counts: start_arc_scans, start_size.
template <class Id, class Offset>
void parallel_greedy(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  int64_t scans = 0, matched = 0;
  bsp::CpuCrew crew(bsp::CpuCrew::Clock::duration::max(), [&run](int64_t work) { run.spend(work); });
  const auto launch = [&](bsp::CpuTeam& team) {
    GreedyWorker<Id, Offset> worker{graph, mates, team};
    worker.run();
    bsp::fetch_add(&scans, worker.scans);
    bsp::fetch_add(&matched, worker.matched);
  };
  crew.run(int(knobs.integer("threads")), launch, [] { return false; });
  run.count("start_arc_scans", scans);
  run.count("start_size", matched);
}

// The survey is that of matching/profile.cpp, a worker for each search. Knobs: threads, rows.
// Counts: start_arc_scans, start_size, kept (pairs that were there before), diagonal (whether it was taken
// first), and levels, visited and longest_list as the survey does.
template <class Id, class Offset>
void parallel_greedy_and_survey(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs,
                                Run& run) {
  const int searches = graph.cols > 0 ? kSurveySearches : 0;
  const int threads = int(knobs.integer("threads"));
  const int64_t limit = knobs.integer("rows");
  std::vector<int64_t> levels(searches), visited(searches), longest(threads);
  int64_t scans = 0, matched = 0, kept = 0, diagonal = 0;
  Deal deal(1);
  bsp::CpuCrew crew(bsp::CpuCrew::Clock::duration::max(), [&run](int64_t work) { run.spend(work); });
  const auto launch = [&](bsp::CpuTeam& team) {
    GreedyWorker<Id, Offset> worker{graph, mates, team};
    worker.run(true);
    bsp::fetch_add(&scans, worker.scans);
    bsp::fetch_add(&matched, worker.matched);
    bsp::fetch_add(&kept, worker.kept);
    if (team.leads()) diagonal = worker.diagonal;
    const Share cols(graph.cols, team);
    int64_t own = 0, search, last;
    for (int64_t col = cols.first; col < cols.last; ++col)
      own = std::max<int64_t>(own, graph.of_col.start[col + 1] - graph.of_col.start[col]);
    longest[team.index()] = own;
    team.barrier();
    if (team.index() >= searches) return;
    Survey<Id, Offset, bsp::CpuTeam> surveyor(graph, mates, team);
    while (!team.cut() && deal.take(searches, team.count(), search, last))
      std::tie(levels[search], visited[search]) =
          surveyor.search(survey_root(graph.cols, int(search)), limit);
  };
  crew.run(threads, launch, [] { return false; });
  run.count("start_arc_scans", scans);
  run.count("start_size", matched);
  run.count("kept", kept);
  run.count("diagonal", diagonal);
  run.count("levels", std::move(levels));
  run.count("visited", std::move(visited));
  run.count("longest_list", *std::max_element(longest.begin(), longest.end()));
}

KONIG_INSTANTIATE_SOLVER(parallel_greedy)
KONIG_INSTANTIATE_SOLVER(parallel_greedy_and_survey)

}  // namespace konig
