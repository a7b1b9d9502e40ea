// The levels of a phase of tree grafting: how the workers grow the trees together.
//
// A level goes top-down, from its columns to unvisited rows, or bottom-up, from unvisited rows to its
// columns; one that is narrow is left to worker 0. The levels of both kinds end in the same list of visits.
//
// What is narrow depends on what a barrier takes. Columns are dealt out in small pieces, so workers that have
// a core each end a level nearly at once. Where one had to sleep at its end another had lost its core to
// someone else, and waiting for it takes as long as visiting very many columns: levels must then be wider to
// be shared, until many in a row have ended in time.
#pragma once

#include <algorithm>

#include "core/prefetch.h"
#include "matching/grafting/state.h"

namespace konig::grafting {

template <class Id, class Offset, class Team>
class LevelGrower {
 public:
  explicit LevelGrower(Hand<Id, Offset, Team>& hand)
      : hand_(hand),
        shared_(hand.shared),
        forest_(hand.shared.forest),
        team_(hand.team),
        tally_(hand.tally),
        grower_(hand.grower),
        s_(hand.s) {}

  // Grows every tree until it has a path or cannot grow. True if any has one.
  bool grow(bool from_roots) {
    if (team_.leads()) {
      shared_.freed_used.value = 0;
      forest_.visited[s_.lists ^ 1].used.value = 0;
    }
    Level level{s_.visits - s_.grafted, s_.visits, 0};
    if (from_roots) {
      const Id* const roots = hand_.columns();
      const auto at = [=](int64_t i) { return Visit{roots[i], Id(i)}; };
      hand_.deal_out(s_.trees, [&](int64_t first, int64_t last) { grower_.grow(first, last, at); });
      level = {0, team_.sum(grower_.deliver()), 1};
    }
    while (level.first < level.last && !team_.expired()) {
      if (wide_for_rows(level))
        look_up_from_rows(level);
      else if (team_.count() > 1 && level.last - level.first >= narrow_)
        expand_together(level);
      else
        expand_alone(level);
    }
    s_.visits = level.last;
    if (team_.leads()) shared_.levels.push_back(level.levels);
    return forest_.founds.value > 0 && !team_.expired();
  }

  // Hangs the row below the first of its columns that is in a growing tree; how many it looked at.
  int64_t hang_below(const Adjacency<Id, Offset>& lists, Id row) {
    const Offset first = lists.start[row], last = lists.start[row + 1];
    Offset k = first;
    while (k < last) {
      const Id col = lists.neighbour[k++];
      const Id tree = forest_.cols[col].tree;
      if (tree < 0 || !forest_.grows(tree)) continue;
      forest_.rows[row].parent = col;
      grower_.add(row, tree);
      break;
    }
    team_.spend(k - first + 1);
    return k - first;
  }

  void prefetch_cols(const Adjacency<Id, Offset>& lists, Id row) {
    const Offset last = std::min<Offset>(lists.start[row + 1], lists.start[row] + 8);
    for (Offset k = lists.start[row]; k < last; ++k) prefetch(&forest_.cols[lists.neighbour[k]]);
  }

 private:
  using Visit = typename SearchForest<Id, Offset>::Visit;

  void expand(int64_t first, int64_t last) {
    const Visit* const visited = forest_.visited[s_.lists].list.data();
    grower_.grow(first, last, [=, this](int64_t i) {
      return Visit{forest_.column_behind(visited[i].vertex), visited[i].tree};
    });
  }

  void expand_together(Level& level) {
    hand_.deal_out(level.last - level.first,
                   [&](int64_t first, int64_t last) { expand(level.first + first, level.first + last); });
    const bsp::Agreed outcome = team_.agree(late_, grower_.deliver());
    late_ = team_.slept();
    narrow_ = outcome.bits ? std::min(kWider * narrow_, kWidest) : std::max(narrow_ - narrow_ / 16, kNarrow);
    level = {level.last, level.last + outcome.total, level.levels + 1};
  }

  // Whether so much of the graph is in this level that unvisited rows find it sooner than it finds them.
  bool wide_for_rows(const Level& level) const {
    const int64_t unvisited = shared_.graph.rows - level.last;
    return shared_.bottom_up && shared_.row_lists.present() && level.last - level.first >= kNarrow &&
           (level.last - level.first) * kWide > unvisited;
  }

  // A level the other way round: its columns are entered, and each unvisited row looks for one of them.
  void look_up_from_rows(Level& level) {
    const Visit* const visited = forest_.visited[s_.lists].list.data() + level.first;
    hand_.deal_out(level.last - level.first, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        if (i + 16 < last) prefetch_to_write(&forest_.cols[forest_.column_behind(visited[i + 16].vertex)]);
        if (forest_.grows(visited[i].tree))
          forest_.cols[forest_.column_behind(visited[i].vertex)].tree = visited[i].tree;
      }
      team_.spend(last - first);
    });
    team_.barrier();
    const Adjacency<Id, Offset> lists = shared_.row_lists;
    hand_.deal_out(shared_.graph.rows, [&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last && !team_.cut(); ++row) {
        if (row + 8 < last && forest_.rows[row + 8].parent < 0) prefetch_cols(lists, Id(row + 8));
        if (forest_.rows[row].parent < 0) tally_.bfs_scans += hang_below(lists, Id(row));
      }
      team_.spend(last - first);
    });
    level = {level.last, level.last + team_.sum(grower_.deliver()), level.levels + 1};
    if (team_.leads()) ++shared_.bottom_up_levels;
  }

  // Worker 0 goes on until levels are wide; the others wait for it.
  void expand_alone(Level& level) {
    if (team_.leads()) {
      do {
        expand(level.first, level.last);
        level = {level.last, level.last + grower_.deliver(), level.levels + 1};
      } while (level.first < level.last && !team_.cut() &&
               (team_.count() == 1 || level.last - level.first < narrow_));
      shared_.reached_alone = level;
    }
    team_.barrier();
    level = shared_.reached_alone;
  }

  Hand<Id, Offset, Team>& hand_;
  Shared<Id, Offset>& shared_;
  SearchForest<Id, Offset>& forest_;
  Team& team_;
  Tally& tally_;
  ForestWorker<Id, Offset, Team>& grower_;
  State& s_;
  unsigned late_ = 0;         // whether this worker had to sleep after the latest level that was shared
  int64_t narrow_ = kNarrow;  // columns of a level for one worker alone, the same for all workers

  static constexpr int64_t kWider = 8, kWidest = 1 << 16;
};

}  // namespace konig::grafting
