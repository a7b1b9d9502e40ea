// Whether alternating searches spread as in a random graph or as in a mesh.
//
// A few breadth-first searches along alternating paths visit at most so many rows each. In a random graph a
// level has as many times the rows of the one before as a list has entries, less one; in a planar mesh the
// rows within L levels grow as L squared. So the levels needed tell the two apart, if there are enough rows:
// searches in a small mesh have seen all of it before it shows. Searches that run dry tell nothing: sparse
// random graphs have many small parts beside the large one. One that spreads and meets no unmatched row does
// not count as fast: there is little to find, and a search that proves it is cheaper than another start.
//
// Reads columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/pattern.h"
#include "core/prefetch.h"
#include "core/run.h"

namespace konig {

template <class Id, class Offset>
class SpreadTest {
 public:
  SpreadTest(const Pattern<Id, Offset>& graph, Mates<Id> mates, Run& run)
      : lists_(graph.of_col),
        mates_(mates),
        run_(run),
        limit_(std::min<int64_t>(graph.rows / 8, kMostRows)),
        most_levels_(levels_of_random(graph)),
        seen_(graph.rows, 0) {}

  // Two searches of those from evenly spaced roots decide.
  bool spreads_fast(const std::vector<Id>& roots) {
    if (limit_ < kFewestRows) return false;
    int fast = 0, slow = 0;
    for (size_t i = 0; i < kSearches && fast < 2 && slow < 2; ++i) {
      switch (search_from(roots[roots.size() * i / kSearches])) {
        case kFast:
          ++fast;
          break;
        case kSlow:
          ++slow;
          break;
        case kDry:
          break;
      }
    }
    return fast == 2;
  }

  // Of the rows that the searches have met.
  double share_unmatched() const { return double(met_unmatched_) / double(std::max<int64_t>(met_, 1)); }

 private:
  enum Outcome { kFast, kSlow, kDry };
  static constexpr size_t kSearches = 8;
  static constexpr int64_t kFewestRows = 1 << 10, kMostRows = 1 << 13;

  // In how many levels a search sees as many rows as the limit, with some to spare: rows that are unmatched
  // or were seen before lead nowhere.
  int64_t levels_of_random(const Pattern<Id, Offset>& graph) const {
    const double ways = double(lists_.start[graph.cols]) / double(std::max<Id>(graph.cols, 1)) - 1;
    return int64_t(1.4 * std::log(double(limit_ + 1)) / std::log(std::max(ways, 1.5)) + 1);
  }

  // Slow if it has not seen as many rows as the limit after as many levels as in a random graph, or no
  // unmatched one among them.
  Outcome search_from(Id root) {
    queue_.assign(1, root);
    touched_.clear();
    const int64_t unmatched_before = met_unmatched_;
    int64_t levels = 0;
    for (size_t first = 0;
         first < queue_.size() && int64_t(touched_.size()) < limit_ && levels <= most_levels_; ++levels) {
      const size_t last = queue_.size();
      for (; first < last && int64_t(touched_.size()) < limit_; ++first) expand(first);
    }
    for (const Id row : touched_) seen_[row] = 0;
    if (int64_t(touched_.size()) >= limit_)
      return levels <= most_levels_ && met_unmatched_ > unmatched_before ? kFast : kSlow;
    return levels > most_levels_ ? kSlow : kDry;
  }

  void expand(size_t place) {
    const Id col = queue_[place];
    for (Offset k = lists_.start[col]; k < lists_.start[col + 1]; ++k) {
      const Id row = lists_.neighbour[k];
      if (seen_[row]) continue;
      seen_[row] = 1;
      touched_.push_back(row);
      ++met_;
      if (const Id next = mates_.col_of_row[row]; next >= 0) {
        queue_.push_back(next);
        prefetch(&lists_.start[next]);
      } else {
        ++met_unmatched_;
      }
    }
    run_.spend(lists_.degree(col) + 1);
  }

  const Adjacency<Id, Offset> lists_;
  const Mates<Id> mates_;
  Run& run_;
  const int64_t limit_, most_levels_;
  std::vector<uint8_t> seen_;
  std::vector<Id> queue_, touched_;
  int64_t met_ = 0, met_unmatched_ = 0;  // rows, of all searches
};

}  // namespace konig
