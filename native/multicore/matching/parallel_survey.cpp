// sequential/matching/survey.cpp on several threads: a search each, and counts in stretches. It sees the
// same.
//
// Knobs: threads, rows. Counts: as survey.
#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "konig/bsp/team.h"
#include "multicore/deal.h"
#include "multicore/matching/solvers.h"
#include "sequential/matching/survey.h"

namespace konig {

template <class Id, class Offset>
void parallel_survey(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  const int searches = graph.cols > 0 ? kSurveySearches : 0;
  const int threads = int(knobs.integer("threads"));
  std::vector<int64_t> levels(searches), visited(searches);
  struct alignas(128) Seen {
    int64_t longest = 0, matched = 0;
  };
  std::vector<Seen> seen(threads);
  Deal deal(1);
  bsp::CpuCrew crew(bsp::CpuCrew::Clock::duration::max(), [&run](int64_t work) { run.spend(work); });
  const auto launch = [&](bsp::CpuTeam& team) {
    int64_t search, last;
    if (team.index() < searches) {
      Survey<Id, Offset, bsp::CpuTeam> surveyor(graph, mates, team);
      while (!team.cut() && deal.take(searches, team.count(), search, last))
        std::tie(levels[search], visited[search]) =
            surveyor.search(survey_root(graph.cols, int(search)), knobs.integer("rows"));
    }
    const Share share(graph.cols, team);
    Seen own;
    for (int64_t col = share.first; col < share.last; ++col) {
      own.longest = std::max<int64_t>(own.longest, graph.of_col.start[col + 1] - graph.of_col.start[col]);
      own.matched += mates.row_of_col[col] >= 0;
    }
    seen[team.index()] = own;
  };
  crew.run(threads, launch, [] { return false; });
  Seen total;
  for (const Seen& part : seen) {
    total.longest = std::max(total.longest, part.longest);
    total.matched += part.matched;
  }
  run.count("levels", std::move(levels));
  run.count("visited", std::move(visited));
  run.count("longest_list", total.longest);
  run.count("matched", total.matched);
}

KONIG_INSTANTIATE_SOLVER(parallel_survey)

}  // namespace konig
