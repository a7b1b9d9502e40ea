// Breadth-first searches from one unmatched column after the other, each bounded in the entries it scans.
//
// A search that meets an unmatched row within its bound augments along a shortest path. One that runs dry has
// reached all rows of its columns, and no augmenting path can ever leave them: its rows are closed for good
// and its root is done with, so all of these together scan each list once. One that meets its bound is given
// up, and its root is kept for a round with a higher bound or for another method.
//
// State: ClosedRows; rows are opened after every search that did not run dry. The queue holds each column
// with the place of the one it was reached from; it is as long as the longest search and stays in the cache.
//
// Reads columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/pattern.h"
#include "core/prefetch.h"
#include "core/run.h"
#include "matching/augment.h"
#include "matching/closed_rows.h"

namespace konig {

template <class Id, class Offset>
class BreadthFirstRounds {
 public:
  BreadthFirstRounds(const Pattern<Id, Offset>& graph, Mates<Id> mates, Run& run)
      : lists_(graph.of_col), mates_(mates), run_(run), limit_(std::min(graph.rows, graph.cols)) {}

  // Searches from the roots, each of which may scan `bound` entries, until those that find paths have scanned
  // `most` together, too many are given up, or one side is matched. The roots whose fate is open stay.
  // `size` counts matched pairs.
  void search(std::vector<Id>& roots, Id& size, ClosedRows<Id>& closed, int64_t bound, int64_t most) {
    closed_ = closed.mark.data();
    size_t i = 0, kept = 0;
    for (; i < roots.size() && size < limit_ && most > 0 && kept <= kDoubt + (i - kept) / 2; ++i) {
      const Outcome outcome = search_from(roots[i], closed.stamp, bound);
      scans_ += scanned_;
      if (outcome == kDry) continue;
      closed.open();
      if (outcome == kFound) {
        most -= scanned_;
        run_.report(++size, limit_);
      } else {
        roots[kept++] = roots[i];
      }
    }
    roots.erase(roots.begin() + kept, roots.begin() + i);
  }

  // Goes on with the same graph from its other side.
  void read(const Pattern<Id, Offset>& graph, Mates<Id> mates) {
    lists_ = graph.of_col;
    mates_ = mates;
  }

  int64_t scans() const { return scans_; }
  const PathCounts& paths() const { return paths_; }

 private:
  enum Outcome { kFound, kDry, kGivenUp };
  struct Place {
    Id col;
    Id before;  // the place of the column it was reached from
  };
  // A round ends when more than these and half of the others are given up. On permuted meshes all are: the
  // rest of the round would take half as long as the whole run.
  static constexpr size_t kDoubt = 32;

  Outcome search_from(Id root, Id stamp, int64_t bound) {
    queue_.assign(1, {root, -1});
    scanned_ = 0;
    for (size_t head = 0; head < queue_.size(); ++head) {
      if (head + 4 < queue_.size()) prefetch(&lists_.neighbour[lists_.start[queue_[head + 4].col]]);
      const Id col = queue_[head].col;
      const Offset first = lists_.start[col], end = lists_.start[col + 1];
      const Offset last = first + Offset(std::min<int64_t>(end - first, bound - scanned_));
      const Offset free = visit(first, last, stamp, Id(head));
      scanned_ += std::min(free + 1, last) - first;
      run_.spend(last - first + 1);
      if (free < last) {
        augment(Id(head), lists_.neighbour[free]);
        return kFound;
      }
      if (last < end) return kGivenUp;
    }
    for (size_t i = 1; i < queue_.size(); ++i)
      closed_[mates_.row_of_col[queue_[i].col]] = ClosedRows<Id>::kForGood;
    return kDry;
  }

  // Queues the columns behind the open rows of the entries; the entry of an unmatched row, or `last`.
  Offset visit(Offset first, Offset last, Id stamp, Id head) {
    for (Offset k = first; k < last; ++k) {
      const Id row = lists_.neighbour[k], col = mates_.col_of_row[row];
      if (closed_[row] >= stamp) continue;
      if (col < 0) return k;
      closed_[row] = stamp;
      queue_.push_back({col, head});
      prefetch(&lists_.start[col]);
    }
    return last;
  }

  // Each column of the path gives its row to the column that it was reached from; the root had none.
  void augment(Id place, Id row) {
    int64_t columns = 0;
    for (; place >= 0; place = queue_[place].before, ++columns) {
      const Id col = queue_[place].col, given_up = mates_.row_of_col[col];
      mates_.row_of_col[col] = row;
      mates_.col_of_row[row] = col;
      row = given_up;
    }
    run_.spend(columns);
    paths_.add(columns);
  }

  Adjacency<Id, Offset> lists_;
  Mates<Id> mates_;
  Run& run_;
  const Id limit_;
  Id* closed_ = nullptr;
  int64_t scanned_ = 0, scans_ = 0;
  PathCounts paths_;
  std::vector<Place> queue_;
};

}  // namespace konig
