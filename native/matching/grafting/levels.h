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
  explicit LevelGrower(Hand<Id, Offset, Team>& hand) : hand_(hand) {}

  // Grows every tree until it has a path or cannot grow. True if any has one.
  bool grow(bool from_roots) {
    if (hand_.team.leads()) {
      hand_.shared.freed_used.value = 0;
      hand_.forest.visited[hand_.s.lists ^ 1].used.value = 0;
    }
    Level level{hand_.s.visits - hand_.s.grafted, hand_.s.visits, 0};
    if (from_roots) {
      const Id* const roots = hand_.columns();
      const auto at = [=](int64_t i) { return Visit{roots[i], Id(i)}; };
      hand_.deal_out(hand_.s.trees, [&](int64_t first, int64_t last) { hand_.grower.grow(first, last, at); });
      level = {0, hand_.team.sum(hand_.grower.deliver()), 1};
    }
    while (level.first < level.last && !hand_.team.expired()) {
      if (wide_for_rows(level))
        look_up_from_rows(level);
      else if (hand_.team.count() > 1 && level.last - level.first >= narrow_)
        expand_together(level);
      else
        expand_alone(level);
    }
    hand_.s.visits = level.last;
    if (hand_.team.leads()) hand_.shared.levels.push_back(level.levels);
    return hand_.forest.founds.value > 0 && !hand_.team.expired();
  }

  // Hangs the row below the first of its columns that is in a growing tree; how many it scanned.
  int64_t hang_below(const Adjacency<Id, Offset>& lists, Id row) {
    const Offset first = lists.start[row], last = lists.start[row + 1];
    Offset k = first;
    while (k < last) {
      const Id col = lists.neighbour[k++];
      const Id tree = hand_.forest.cols[col].tree;
      if (tree < 0 || !hand_.forest.grows(tree)) continue;
      hand_.forest.rows[row].parent = col;
      hand_.grower.add(row, tree);
      break;
    }
    hand_.team.spend(k - first + 1);
    return k - first;
  }

  void prefetch_cols(const Adjacency<Id, Offset>& lists, Id row) {
    const Offset last = std::min<Offset>(lists.start[row + 1], lists.start[row] + 8);
    for (Offset k = lists.start[row]; k < last; ++k) prefetch(&hand_.forest.cols[lists.neighbour[k]]);
  }

 private:
  using Visit = typename SearchForest<Id, Offset>::Visit;

  void expand(int64_t first, int64_t last) {
    const Visit* const visited = hand_.forest.visited[hand_.s.lists].list.data();
    hand_.grower.grow(first, last, [=, this](int64_t i) {
      return Visit{hand_.forest.column_behind(visited[i].vertex), visited[i].tree};
    });
  }

  void expand_together(Level& level) {
    hand_.deal_out(level.last - level.first,
                   [&](int64_t first, int64_t last) { expand(level.first + first, level.first + last); });
    const bsp::Agreed outcome = hand_.team.agree(late_, hand_.grower.deliver());
    late_ = hand_.team.slept();
    narrow_ = outcome.bits ? std::min(kWider * narrow_, kWidest) : std::max(narrow_ - narrow_ / 16, kNarrow);
    level = {level.last, level.last + outcome.total, level.levels + 1};
  }

  // Whether so much of the graph is in this level that unvisited rows find it sooner than it finds them.
  bool wide_for_rows(const Level& level) const {
    const int64_t unvisited = hand_.shared.graph.rows - level.last;
    return hand_.shared.bottom_up && hand_.shared.row_lists.present() &&
           level.last - level.first >= kNarrow && (level.last - level.first) * kWide > unvisited;
  }

  // A level the other way round: its columns are entered, and each unvisited row looks for one of them.
  void look_up_from_rows(Level& level) {
    const Visit* const visited = hand_.forest.visited[hand_.s.lists].list.data() + level.first;
    hand_.deal_out(level.last - level.first, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        if (i + 16 < last)
          prefetch_to_write(&hand_.forest.cols[hand_.forest.column_behind(visited[i + 16].vertex)]);
        if (hand_.forest.grows(visited[i].tree))
          hand_.forest.cols[hand_.forest.column_behind(visited[i].vertex)].tree = visited[i].tree;
      }
      hand_.team.spend(last - first);
    });
    hand_.team.barrier();
    const Adjacency<Id, Offset> lists = hand_.shared.row_lists;
    hand_.deal_out(hand_.shared.graph.rows, [&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last && !hand_.team.cut(); ++row) {
        if (row + 8 < last && hand_.forest.rows[row + 8].parent < 0) prefetch_cols(lists, Id(row + 8));
        if (hand_.forest.rows[row].parent < 0) hand_.tally.bfs_scans += hang_below(lists, Id(row));
      }
      hand_.team.spend(last - first);
    });
    level = {level.last, level.last + hand_.team.sum(hand_.grower.deliver()), level.levels + 1};
    if (hand_.team.leads()) ++hand_.shared.bottom_up_levels;
  }

  // Worker 0 goes on until levels are wide; the others wait for it.
  void expand_alone(Level& level) {
    if (hand_.team.leads()) {
      do {
        expand(level.first, level.last);
        level = {level.last, level.last + hand_.grower.deliver(), level.levels + 1};
      } while (level.first < level.last && !hand_.team.cut() &&
               (hand_.team.count() == 1 || level.last - level.first < narrow_));
      hand_.shared.reached_alone = level;
    }
    hand_.team.barrier();
    level = hand_.shared.reached_alone;
  }

  Hand<Id, Offset, Team>& hand_;
  unsigned late_ = 0;         // whether this worker had to sleep after the latest level that was shared
  int64_t narrow_ = kNarrow;  // columns of a level for one worker alone, the same for all workers

  static constexpr int64_t kWider = 8, kWidest = 1 << 16;
};

}  // namespace konig::grafting
