// A breadth-first search along alternating paths that stops after a number of rows. Changes nothing. Reads
// columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/pattern.h"
#include "core/prefetch.h"

namespace konig {

constexpr int kSurveySearches = 8;

// Where the searches of a survey begin: evenly spaced.
template <class Id>
Id survey_root(Id cols, int search) {
  return Id(cols / kSurveySearches * search);
}

template <class Id, class Offset, class Meter>
class Survey {
 public:
  Survey(const Pattern<Id, Offset>& graph, Mates<Id> mates, Meter& meter)
      : graph_(graph), mates_(mates), meter_(meter), seen_(graph.rows, 0) {}

  // How many levels it takes to see `limit` rows, or all within reach; second is how many were seen.
  std::pair<int64_t, int64_t> search(Id col, int64_t limit) {
    queue_.assign(1, col);
    touched_.clear();
    int64_t levels = 0;
    for (std::size_t first = 0; first < queue_.size() && int64_t(touched_.size()) < limit; ++levels) {
      const std::size_t last = queue_.size();
      for (; first < last && int64_t(touched_.size()) < limit; ++first) {
        if (first + 8 < last) prefetch(&graph_.of_col.start[queue_[first + 8]]);
        if (first + 4 < last) prefetch(&graph_.of_col.neighbour[graph_.of_col.start[queue_[first + 4]]]);
        if (first + 2 < last) prefetch_mates(queue_[first + 2]);
        expand(queue_[first]);
      }
    }
    for (const Id row : touched_) seen_[row] = 0;
    return {levels, int64_t(touched_.size())};
  }

 private:
  void prefetch_mates(Id col) {
    const Offset first = graph_.of_col.start[col];
    const Offset last = std::min<Offset>(graph_.of_col.start[col + 1], first + 8);
    for (Offset k = first; k < last; ++k) prefetch(&mates_.col_of_row[graph_.of_col.neighbour[k]]);
  }

  void expand(Id col) {
    for (Offset k = graph_.of_col.start[col]; k < graph_.of_col.start[col + 1]; ++k) {
      const Id row = graph_.of_col.neighbour[k];
      if (seen_[row]) continue;
      seen_[row] = 1;
      touched_.push_back(row);
      if (mates_.col_of_row[row] >= 0) queue_.push_back(mates_.col_of_row[row]);
    }
    meter_.spend(graph_.of_col.degree(col) + 1);
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  Meter& meter_;  // a Run, or the team of a worker
  std::vector<uint8_t> seen_;
  std::vector<Id> queue_, touched_;
};

}  // namespace konig
