// How a graph grows: whether alternating searches from a few columns spread like a plane or like a random
// graph. Changes nothing. Reads columns.
//
// From each of eight columns, evenly spaced, a breadth-first search along alternating paths visits at most
// `rows` rows. In a mesh of dimension two the rows within L levels grow as L squared, in a random graph
// exponentially, so the levels needed tell the two apart. Counts: levels and visited of each search,
// longest_list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/pattern.h"
#include "core/prefetch.h"

namespace konig {

constexpr int kProfileSearches = 8;

template <class Id, class Offset, class Team>
class ProfileSearch {
 public:
  ProfileSearch(const Pattern<Id, Offset>& graph, Mates<Id> mates, Team& team)
      : graph_(graph), mates_(mates), team_(team), seen_(graph.rows, 0) {}

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
    team_.spend(graph_.of_col.degree(col) + 1);
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  Team& team_;
  std::vector<uint8_t> seen_;
  std::vector<Id> queue_, touched_;
};

}  // namespace konig
