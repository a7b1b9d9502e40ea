// Trees of alternating paths that several threads grow together from many unmatched columns.
//
// The state is that of matching/search_forest.h: the parent of a row is the column that reached
// it, -1 if unvisited; a visited matched row brings its partner into the same tree; leaf[t] is the unmatched
// row at which tree t found a path, -1 as long as it has none, and such a tree stops growing. `visited` lists
// (row, tree), a level after the other and in no order within a level.
//
// Who holds what. While trees grow, mates do not change. A row is visited by the worker that takes its parent
// from -1; the column that it brings in is then that worker's to enter, since no other row leads there. The
// leaf of a tree is set once, by compare_exchange. A worker that finds a second unmatched row for a tree has
// visited it all the same; it is listed under a tree that found a path, so it is freed with its rows.
//
// Order of memory: relaxed within a level, barriers between levels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/deal.h"
#include "core/pattern.h"
#include "core/prefetch.h"
#include "core/team_array.h"
#include "konig/bsp/team.h"
#include "matching/papers/search_phases.h"

// Tests make this small, so that small graphs fill batches.
#ifndef KONIG_LEVEL_BATCH
#define KONIG_LEVEL_BATCH 256
#endif

namespace konig {

// Values on their way into a list that all workers append to. No order.
template <class T>
class Outbox {
 public:
  void aim(T* list, int64_t* used) {
    list_ = list;
    used_ = used;
  }

  void put(T value) {
    held_[count_++] = value;
    if (count_ == kHeld) deliver();
  }
  void deliver() {
    if (count_ == 0) return;
    std::copy(held_, held_ + count_, list_ + bsp::fetch_add(used_, count_));
    count_ = 0;
  }

 private:
  static constexpr int64_t kHeld = KONIG_LEVEL_BATCH;
  T* list_ = nullptr;
  int64_t* used_ = nullptr;
  int64_t count_ = 0;
  T held_[kHeld];
};

template <class Id, class Offset>
struct ParallelForest {
  struct Row {
    Id mate;
    Id parent;
  };
  struct Column {
    Offset start;
    Id tree;
  };
  struct Visit {
    Id vertex;
    Id tree;
  };
  struct alignas(128) Counter {
    int64_t value = 0;
  };
  struct Visits {
    explicit Visits(int64_t most) : list(most) {}
    TeamArray<Visit> list;
    Counter used;
  };

  ParallelForest(const Pattern<Id, Offset>& graph, Mates<Id> mates, int64_t most_trees)
      : graph(graph),
        mates(mates),
        rows(graph.rows),
        cols(int64_t(graph.cols) + 1),
        visited{Visits(graph.rows), Visits(graph.rows)},
        root(most_trees),
        leaf(most_trees),
        found(most_trees) {}

  void set_up(const bsp::CpuTeam& team) {
    const Share own_rows(graph.rows, team), own_cols(int64_t(graph.cols) + 1, team);
    for (int64_t row = own_rows.first; row < own_rows.last; ++row) rows[row] = {mates.col_of_row[row], -1};
    for (int64_t col = own_cols.first; col < own_cols.last; ++col) cols[col] = {graph.of_col.start[col], -1};
  }

  void write_back(const bsp::CpuTeam& team) {
    const Share share(graph.rows, team);
    for (int64_t row = share.first; row < share.last; ++row) mates.col_of_row[row] = rows[row].mate;
  }

  bool grows(Id tree) const { return bsp::load(&leaf[tree]) < 0; }

  const Pattern<Id, Offset>& graph;
  const Mates<Id> mates;
  TeamArray<Row> rows;
  TeamArray<Column> cols;  // one more than there are, for the last one's end
  Visits visited[2];       // they take turns as the list of visits
  TeamArray<Id> root, leaf;
  TeamArray<Id> found;  // trees that found a path in this phase
  Counter founds;       // how many
};

// One worker's hand in it: visits what lies behind columns.
template <class Id, class Offset>
class ForestWorker {
 public:
  using Forest = ParallelForest<Id, Offset>;
  using Visit = typename Forest::Visit;

  ForestWorker(Forest& forest, bsp::CpuTeam& team, SearchTally& tally)
      : forest_(forest), team_(team), tally_(tally), alone_(team.count() == 1) {
    founds_.aim(forest.found.data(), &forest.founds.value);
  }

  // From now on visits go into this list.
  void record_in(typename Forest::Visits& visited) { visits_.aim(visited.list.data(), &visited.used.value); }

  // Enters the columns at(first .. last), where at(i) is a column and its tree.
  template <class At>
  void grow(int64_t first, int64_t last, At at) {
    for (int64_t i = first; i < last && i < first + 24; ++i) prefetch_to_write(&forest_.cols[at(i).vertex]);
    for (int64_t i = first; i < last && i < first + 12; ++i) prefetch_list(at(i).vertex);
    for (int64_t i = first; i < last && i < first + 6; ++i) prefetch_rows(at(i).vertex);
    for (int64_t i = first; i < last && !team_.cut(); ++i) {
      if (i + 24 < last) prefetch_to_write(&forest_.cols[at(i + 24).vertex]);
      if (i + 12 < last) prefetch_list(at(i + 12).vertex);
      if (i + 6 < last) prefetch_rows(at(i + 6).vertex);
      const Visit next = at(i);
      if (forest_.grows(next.tree)) enter(next.vertex, next.tree);
    }
  }

  // The row is this worker's: it belongs to the tree from now on. False if it ends a path.
  bool add(Id row, Id tree) {
    visits_.put({row, tree});
    ++added_;
    if (forest_.rows[row].mate >= 0) return true;
    if (claim(&forest_.leaf[tree], Id(-1), row, alone_))
      founds_.put(tree);
    else
      ++tally_.claims_lost;
    return false;
  }

  // Puts what was found so far into the lists; how many rows this worker has visited since it last did.
  int64_t deliver() {
    visits_.deliver();
    founds_.deliver();
    return std::exchange(added_, 0);
  }

 private:
  void prefetch_list(Id col) { prefetch(&forest_.graph.of_col.neighbour[forest_.cols[col].start]); }

  void prefetch_rows(Id col) {
    const Offset first = forest_.cols[col].start;
    const Offset last = std::min<Offset>(forest_.cols[col + 1].start, first + 8);
    for (Offset k = first; k < last; ++k) prefetch_to_write(&forest_.rows[forest_.graph.of_col.neighbour[k]]);
  }

  void enter(Id col, Id tree) {
    bsp::store(&forest_.cols[col].tree, tree);
    const Offset first = forest_.cols[col].start, last = forest_.cols[col + 1].start;
    Offset k = first;
    bool growing = true;
    while (k < last && growing) {
      const Id row = forest_.graph.of_col.neighbour[k++];
      Id* const parent = &forest_.rows[row].parent;
      if (bsp::load(parent) >= 0) continue;
      if (claim(parent, Id(-1), col, alone_))
        growing = add(row, tree);
      else
        ++tally_.claims_lost;
    }
    tally_.bfs_scans += k - first;
    team_.spend(k - first + 1);
  }

  Forest& forest_;
  bsp::CpuTeam& team_;
  SearchTally& tally_;
  const bool alone_;
  int64_t added_ = 0;
  Outbox<Visit> visits_;
  Outbox<Id> founds_;
};

}  // namespace konig
