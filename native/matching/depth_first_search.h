// One augmenting path by depth-first search with lookahead: the step of `pf`, `pfp`, `p-pfp`, `dfs` and
// `hkdw`.
//
// Duff, "On algorithms for obtaining a maximum transversal", ACM TOMS 7(3), 1981; Kaya et al. §5.1. On
// arrival at a column its list is looked ahead for an unmatched row; only when there is none does the search
// go deeper.
//
// State: ClosedRows. The rows before looked_at[c] in the list of c are matched and stay so: lookahead scans a
// list once in the whole run. path[0 .. depth] are the columns of the path, each with the entry through which
// it goes on. Where failed searches are closed for good, the columns that a search has left without a path
// are listed from the far end of the same array. The two never overlap: a search visits no column twice.
// Reads columns.
//
// Several workers may search at once. Each row that a worker visits it claims by an atomic exchange of the
// row's stamp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "matching/search_phases.h"

namespace konig {

// What the workers share.
template <class Id, class Offset>
struct DepthFirstState {
  DepthFirstState(const Pattern<Id, Offset>& graph, Mates<Id> mates, ClosedRows<Id>& closed, bool lookahead,
                  int64_t threads = 1)
      : graph(graph), mates(mates), closed(closed), lookahead(lookahead), paths(graph, threads) {
    if (lookahead) looked_at.assign(graph.of_col.start, graph.of_col.start + graph.cols);
  }

  void reverse_scans() { direction = -direction; }

  int64_t integers() const { return int64_t(closed.mark.size() + looked_at.size()) + 2 * paths.steps(); }

  const Pattern<Id, Offset> graph;
  const Mates<Id> mates;
  ClosedRows<Id>& closed;
  const bool lookahead;
  std::vector<Offset> looked_at;
  PathRoom<Id, Offset> paths;
  Offset direction = 1;
};

// One worker.
template <class Id, class Offset, class Team>
class DepthFirstSearch {
 public:
  DepthFirstSearch(DepthFirstState<Id, Offset>& state, Team& team, SearchCounts& counts)
      : of_col_(state.graph.of_col),
        mates_(state.mates),
        lookahead_(state.lookahead),
        closed_(state.closed.mark.data()),
        looked_at_(state.looked_at.data()),
        path_(state.paths.of(team.index())),
        end_of_path_(state.paths.longest()),
        stamp_(state.closed.stamp),
        direction_(state.direction),
        team_(team),
        counts_(counts) {}

  // Augments along a path of open rows from an unmatched column, if there is one; gives up once stopped().
  template <class Stopped>
  bool augment_from(Id root, Stopped stopped) {
    return search(root, stopped, [](Id) {});
  }

  // The same for one worker. Where it fails, all rows of the columns it visited are closed, and those that it
  // closed are matched to these columns: no augmenting path can ever leave them, so they are closed for good.
  bool augment_or_close(Id root) {
    int64_t vain = end_of_path_;
    const auto left_in_vain = [&](Id col) { path_[--vain].col = col; };
    if (search(root, [] { return false; }, left_in_vain)) return true;
    team_.spend(end_of_path_ - vain);
    for (; vain < end_of_path_; ++vain)
      if (const Id row = mates_.row_of_col[path_[vain].col]; row >= 0)
        closed_[row] = ClosedRows<Id>::kForGood;
    return false;
  }

 private:
  using Step = PathStep<Id, Offset>;
  static constexpr Id kExhausted = -2;

  template <class Stopped, class Left>
  bool search(Id root, Stopped stopped, Left left_in_vain) {
    int64_t depth = 0;
    Id col = root;
    while (!stopped()) {
      Step& arrived = path_[depth];
      arrived.col = col;
      if (lookahead_ && look_ahead(arrived)) return augment(depth);
      arrived.entry = direction_ > 0 ? of_col_.start[col] - 1 : of_col_.start[col + 1];
      while ((col = advance(path_[depth])) == kExhausted) {
        left_in_vain(path_[depth].col);
        if (depth-- == 0) return false;
      }
      if (col < 0) return augment(depth);
      ++depth;
    }
    return false;
  }

  bool look_ahead(Step& step) {
    const Offset first = looked_at_[step.col], end = of_col_.start[step.col + 1];
    const Id stamp = stamp_;
    Offset k = first;
    bool found = false;
    for (; k < end && !found; ++k) {
      const Id row = of_col_.neighbour[k];
      if (bsp::load(&mates_.col_of_row[row]) >= 0) continue;
      const Id seen = bsp::load(&closed_[row]);
      found = seen < stamp && claim<Team>(&closed_[row], seen, stamp);
      counts_.claims_lost += !found;
      step.entry = k;
    }
    looked_at_[step.col] = k;
    counts_.lookahead_scans += k - first;
    team_.spend(k - first + 1);
    return found;
  }

  // Goes on to the next row of the list that can be claimed: its column, -1 if it is unmatched, or
  // kExhausted.
  Id advance(Step& step) {
    const Offset direction = direction_, first = step.entry + direction;
    const Offset end = direction > 0 ? of_col_.start[step.col + 1] : of_col_.start[step.col] - 1;
    const Id stamp = stamp_;
    Id next = kExhausted;
    Offset k = first;
    for (; k != end; k += direction) {
      const Id row = of_col_.neighbour[k];
      const Id seen = bsp::load(&closed_[row]);
      if (seen >= stamp) continue;
      if (claim<Team>(&closed_[row], seen, stamp)) {
        next = bsp::load(&mates_.col_of_row[row]);
        break;
      }
      ++counts_.claims_lost;
    }
    step.entry = k;
    const int64_t work = (k - first) * direction + (next != kExhausted);
    counts_.search_scans += work;
    team_.spend(work + 1);
    return next;
  }

  bool augment(int64_t depth) {
    augment_along(path_, depth, of_col_, mates_, team_, counts_.paths);
    return true;
  }

  const Adjacency<Id, Offset> of_col_;
  const Mates<Id> mates_;
  const bool lookahead_;
  Id* const closed_;
  Offset* const looked_at_;
  Step* const path_;
  const int64_t end_of_path_;
  const Id& stamp_;
  const Offset& direction_;
  Team& team_;
  SearchCounts& counts_;
};

}  // namespace konig
