// A look at how the graph grows: whether alternating searches from a few columns spread like a plane or like
// a random graph. Changes nothing.
//
// From each of eight columns, evenly spaced, a breadth-first search along alternating paths visits at most
// `rows` rows. In a mesh of dimension two the rows within L levels grow as L squared, in a random graph
// exponentially, so the levels needed tell the two apart. Reads columns.
//
// Knobs: rows. Counts: levels and visited of each search, longest_list and matched.
#include <algorithm>
#include <vector>

#include "sequential/matching/augment.h"
#include "sequential/matching/solvers.h"

namespace konig {
namespace {

constexpr int kSearches = 8;

template <class Id, class Offset>
class Survey {
 public:
  Survey(const Pattern<Id, Offset>& graph, Mates<Id> mates, Run& run)
      : graph_(graph), mates_(mates), run_(run), seen_(graph.rows, 0) {}

  // How many levels it takes to see `limit` rows, or all within reach; second is how many were seen.
  std::pair<int64_t, int64_t> search(Id col, int64_t limit) {
    queue_.assign(1, col);
    touched_.clear();
    int64_t levels = 0;
    for (size_t first = 0; first < queue_.size() && int64_t(touched_.size()) < limit; ++levels) {
      const size_t last = queue_.size();
      for (; first < last && int64_t(touched_.size()) < limit; ++first) expand(queue_[first]);
    }
    for (const Id row : touched_) seen_[row] = 0;
    return {levels, int64_t(touched_.size())};
  }

 private:
  void expand(Id col) {
    for (Offset k = graph_.of_col.start[col]; k < graph_.of_col.start[col + 1]; ++k) {
      const Id row = graph_.of_col.neighbour[k];
      if (seen_[row]) continue;
      seen_[row] = 1;
      touched_.push_back(row);
      if (mates_.col_of_row[row] >= 0) queue_.push_back(mates_.col_of_row[row]);
    }
    run_.spend(graph_.of_col.degree(col) + 1);
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  Run& run_;
  std::vector<uint8_t> seen_;
  std::vector<Id> queue_, touched_;
};

}  // namespace

template <class Id, class Offset>
void survey(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  Survey<Id, Offset> surveyor(graph, mates, run);
  std::vector<int64_t> levels, visited;
  for (int i = 0; i < kSearches && graph.cols > 0; ++i) {
    const auto [depth, seen] = surveyor.search(Id(graph.cols / kSearches * i), knobs.integer("rows"));
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
