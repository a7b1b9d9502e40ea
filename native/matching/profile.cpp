// A look at how the graph grows: whether alternating searches from a few columns spread like a plane or like
// a random graph. Changes nothing.
//
// From each of eight columns, evenly spaced, a breadth-first search along alternating paths visits at most
// `rows` rows. In a mesh of dimension two the rows within L levels grow as L squared, in a random graph
// exponentially, so the levels needed tell the two apart. Reads columns.
//
// Knobs: rows. Counts: levels and visited of each search, longest_list and matched.
#include "matching/profile.h"

#include <algorithm>
#include <vector>

#include "matching/augment.h"
#include "matching/solvers.h"

namespace konig {

template <class Id, class Offset>
void survey(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  Survey<Id, Offset, Run> surveyor(graph, mates, run);
  std::vector<int64_t> levels, visited;
  for (int i = 0; i < kSurveySearches && graph.cols > 0; ++i) {
    const auto [depth, seen] = surveyor.search(survey_root(graph.cols, i), knobs.integer("rows"));
    levels.push_back(depth);
    visited.push_back(seen);
  }
  Offset longest = 0;
  for (Id col = 0; col < graph.cols; ++col) longest = std::max(longest, graph.of_col.degree(col));
  run.count("levels", std::move(levels));
  run.count("visited", std::move(visited));
  run.count("longest_list", int64_t(longest));
  run.count("matched", int64_t(matched_vertices(mates.row_of_col, graph.cols)));
}

KONIG_INSTANTIATE_SOLVER(survey)

}  // namespace konig
