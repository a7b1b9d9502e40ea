// One shortest augmenting path from an unmatched column by breadth-first search: the step of `bfs`, `p-dbfs`
// and `auto`.
//
// State: ClosedRows. The queue of a worker holds each column with the place of the one it was reached from;
// it is as long as the longest search and mostly stays in the cache. Reads columns.
//
// Several workers may search at once. A worker claims each row that it visits by an atomic compare-exchange
// of the row's mark; only the claimer writes the row's mate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/pattern.h"
#include "core/prefetch.h"
#include "matching/search_phases.h"

namespace konig {

// A column in the queue of a search.
template <class Id>
struct QueuedColumn {
  Id col;
  Id before;  // the place of the column it was reached from
};

template <class Id, class Offset, class Team>
class BreadthFirstSearch {
 public:
  enum Outcome { kFound, kDry, kGivenUp };
  static constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

  BreadthFirstSearch(const Pattern<Id, Offset>& graph, Mates<Id> mates, ClosedRows<Id>& closed,
                     std::vector<QueuedColumn<Id>>& queue, Team& team, SearchCounts& counts)
      : lists_(graph.of_col),
        mates_(mates),
        closed_(closed.mark.data()),
        stamp_(closed.stamp),
        queue_(queue),
        team_(team),
        counts_(counts) {}

  // Augments along a path of open rows from an unmatched column, if there is one; gives up when it has
  // scanned `bound` entries, or once stopped().
  template <class Stopped>
  Outcome augment_from(Id root, int64_t bound, Stopped stopped) {
    const Id stamp = stamp_;
    queue_.assign(1, {root, -1});
    for (size_t head = 0; head < queue_.size(); ++head) {
      if (stopped()) return kGivenUp;
      if (head + 4 < queue_.size()) prefetch(&lists_.neighbour[lists_.start[queue_[head + 4].col]]);
      const Id col = queue_[head].col;
      const Offset first = lists_.start[col], end = lists_.start[col + 1];
      const Offset last = first + Offset(std::min<int64_t>(end - first, bound));
      const Offset free = visit(first, last, stamp, Id(head));
      const int64_t scanned = std::min(free + 1, last) - first;
      bound -= scanned;
      counts_.search_scans += scanned;
      team_.spend(scanned + 1);
      if (free < last) {
        augment(Id(head), lists_.neighbour[free]);
        return kFound;
      }
      if (last < end) return kGivenUp;
    }
    return kDry;
  }

  // The same for one worker. A search that runs dry has reached all rows of its columns, and no augmenting
  // path can ever leave them: they are closed for good, so all of these searches together scan each list
  // once.
  Outcome augment_or_close(Id root, int64_t bound = kUnbounded) {
    const Outcome outcome = augment_from(root, bound, [] { return false; });
    if (outcome == kDry)
      for (size_t i = 1; i < queue_.size(); ++i)
        closed_[mates_.row_of_col[queue_[i].col]] = ClosedRows<Id>::kForGood;
    return outcome;
  }

 private:
  // Queues the columns behind the open rows of the entries; the entry of an unmatched row, or `last`. The
  // mate may be read before the row is claimed: no worker but the claimer changes it.
  Offset visit(Offset first, Offset last, Id stamp, Id head) {
    for (Offset k = first; k < last; ++k) {
      const Id row = lists_.neighbour[k], col = bsp::load(&mates_.col_of_row[row]);
      const Id seen = bsp::load(&closed_[row]);
      if (seen >= stamp) continue;
      if (!claim<Team>(&closed_[row], seen, stamp)) {
        ++counts_.claims_lost;
        continue;
      }
      if (col < 0) return k;
      queue_.push_back({col, head});
      prefetch(&lists_.start[col]);
    }
    return last;
  }

  // Each column of the path gives its row to the column that it was reached from; the root had none.
  void augment(Id place, Id row) {
    int64_t columns = 0;
    for (; place >= 0 && !team_.cut(); place = queue_[place].before, ++columns) {
      const Id col = queue_[place].col, former = bsp::load(&mates_.row_of_col[col]);
      bsp::store(&mates_.row_of_col[col], row);
      bsp::store(&mates_.col_of_row[row], col);
      row = former;
    }
    team_.spend(columns);
    counts_.paths.add(columns);
  }

  const Adjacency<Id, Offset> lists_;
  const Mates<Id> mates_;
  Id* const closed_;
  const Id& stamp_;
  std::vector<QueuedColumn<Id>>& queue_;
  Team& team_;
  SearchCounts& counts_;
};

}  // namespace konig
