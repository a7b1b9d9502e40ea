// One augmenting path by depth-first search with lookahead: the step of `pf`, `pfp`, `dfs` and `hkdw`.
//
// Duff, "On algorithms for obtaining a maximum transversal", ACM TOMS 7(3), 1981; Kaya et al. §5.1. On
// arrival at a column its list is looked ahead for an unmatched row; only when there is none does the search
// go deeper.
//
// State: closed[r] >= stamp where row r was visited since the rows were last opened, or is closed for good.
// The rows before looked_at[c] in the list of c are matched and stay so: lists are looked ahead at once in
// the whole run. path[0 .. depth] are the columns of the path, each with the entry through which it goes on.
// The columns that a search left in vain gather at the far end of the same array, which never overlaps: a
// search visits no column twice. Reads columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "matching/augment.h"

namespace konig {

template <class Id, class Offset>
class DepthFirstSearch {
 public:
  DepthFirstSearch(const Pattern<Id, Offset>& graph, Mates<Id> mates, bool lookahead, Run& run)
      : graph_(graph),
        mates_(mates),
        lookahead_(lookahead),
        run_(run),
        closed_(graph.rows, 0),
        path_(std::min<int64_t>(graph.cols, int64_t(graph.rows) + 1)) {
    if (lookahead_) looked_at_.assign(graph.of_col.start, graph.of_col.start + graph.cols);
  }

  // Rows visited so far may be visited again, except those closed for good.
  void open_rows() { ++stamp_; }

  void reverse_scans() { direction_ = -direction_; }

  // Augments along a path of open rows from an unmatched column, if there is one.
  bool augment_from(Id root) {
    vain_ = int64_t(path_.size());
    int64_t depth = 0;
    Id col = root;
    while (true) {
      Step& arrived = path_[depth];
      arrived.col = col;
      if (lookahead_ && look_ahead(arrived)) return augment(depth);
      arrived.entry = direction_ > 0 ? graph_.of_col.start[col] - 1 : graph_.of_col.start[col + 1];
      while ((col = advance(path_[depth])) == kExhausted) {
        path_[--vain_].col = path_[depth].col;
        if (depth-- == 0) return false;
      }
      if (col < 0) return augment(depth);
      ++depth;
    }
  }

  // After a search that failed. All rows of the columns it visited are closed, and those that it closed are
  // matched to these columns: no augmenting path can ever leave them, so they are closed for good.
  void close_failed_search() {
    for (int64_t i = vain_; i < int64_t(path_.size()); ++i) {
      const Id row = mates_.row_of_col[path_[i].col];
      if (row >= 0) closed_[row] = kForGood;
    }
    run_.spend(int64_t(path_.size()) - vain_);
  }

  void report() const {
    run_.count("search_arc_scans", search_scans_);
    run_.count("lookahead_arc_scans", lookahead_scans_);
    counts_.report(run_);
  }
  int64_t search_arc_scans() const { return search_scans_; }
  int64_t lookahead_arc_scans() const { return lookahead_scans_; }
  const PathCounts& path_counts() const { return counts_; }
  int64_t integers() const {
    return int64_t(closed_.size()) + int64_t(looked_at_.size()) + 2 * int64_t(path_.size());
  }

 private:
  struct Step {
    Id col;
    Offset entry;
  };
  static constexpr Id kExhausted = -2;
  static constexpr Id kForGood = std::numeric_limits<Id>::max();

  bool look_ahead(Step& step) {
    const Offset first = looked_at_[step.col], end = graph_.of_col.start[step.col + 1];
    Offset k = first;
    while (k < end && mates_.col_of_row[graph_.of_col.neighbour[k]] >= 0) ++k;
    const bool found = k < end;
    const int64_t work = k - first + found;
    lookahead_scans_ += work;
    run_.spend(work + 1);
    looked_at_[step.col] = k + found;
    if (found) {
      step.entry = k;
      closed_[graph_.of_col.neighbour[k]] = stamp_;
    }
    return found;
  }

  // Goes on to the next open row of the list and closes it: its column, -1 if it is unmatched, or kExhausted.
  Id advance(Step& step) {
    const Offset direction = direction_, first = step.entry + direction;
    const Offset end = direction > 0 ? graph_.of_col.start[step.col + 1] : graph_.of_col.start[step.col] - 1;
    const Id stamp = stamp_;
    Id next = kExhausted;
    Offset k = first;
    for (; k != end; k += direction) {
      const Id row = graph_.of_col.neighbour[k];
      if (closed_[row] >= stamp) continue;
      closed_[row] = stamp;
      next = mates_.col_of_row[row];
      break;
    }
    step.entry = k;
    const int64_t work = (k - first) * direction + (next != kExhausted);
    search_scans_ += work;
    run_.spend(work + 1);
    return next;
  }

  bool augment(int64_t depth) {
    for (int64_t i = depth; i >= 0; --i) {
      const Id row = graph_.of_col.neighbour[path_[i].entry];
      mates_.row_of_col[path_[i].col] = row;
      mates_.col_of_row[row] = path_[i].col;
    }
    counts_.add(depth + 1);
    run_.spend(depth + 1);
    return true;
  }

  const Pattern<Id, Offset> graph_;
  Mates<Id> mates_;
  const bool lookahead_;
  Run& run_;
  std::vector<Id> closed_;
  std::vector<Offset> looked_at_;
  std::vector<Step> path_;
  int64_t vain_ = 0;
  Id stamp_ = 1;
  Offset direction_ = 1;
  int64_t search_scans_ = 0, lookahead_scans_ = 0;
  PathCounts counts_;
};

}  // namespace konig
