// Trees of alternating paths that the workers of a team grow together from many unmatched columns.
//
// State and invariants: a row is visited at most once; its `parent` is the column that reached it, -1 if
// unvisited. A visited matched row brings its partner column into the same tree. Of the tree numbered t
// leaf[t] is the unmatched row at which it found an augmenting path, -1 as long as it
// has none; such a tree stops growing. `visited` lists (row, tree), a level after the other and in no order
// within a level. Partner and parent of a row share a cache line, as do the list start and the tree of a
// column: on matrices without locality each is one cache miss, and it is prefetched.
//
// Ownership. While trees grow, mates do not change. A row is visited by the worker that takes its parent
// from -1; the column that it brings in is then that worker's to scan, since no other row leads there. The
// leaf of a tree is set once, by compare_exchange. A second unmatched row of a tree is visited and listed
// like any other, and freed with the rows of its tree.
//
// Order of memory: relaxed within a level, barriers between levels.
//
// Column lists are the only ones read. The partners of the rows are kept here until write_back().
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/deal.h"
#include "core/large_array.h"
#include "core/pattern.h"
#include "core/prefetch.h"
#include "core/threads.h"
#include "matching/search_phases.h"

namespace konig {

template <class Id, class Offset>
struct SearchForest {
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

  SearchForest(const Pattern<Id, Offset>& graph, Mates<Id> mates, int64_t max_trees)
      : graph(graph),
        mates(mates),
        rows(graph.rows),
        cols(int64_t(graph.cols) + 1),
        visited{SharedList<Visit>(graph.rows), SharedList<Visit>(graph.rows)},
        leaf(max_trees),
        with_path(max_trees) {}

  template <class Team>
  void set_up(const Team& team) {
    const Share own_rows(graph.rows, team), own_cols(int64_t(graph.cols) + 1, team);
    for (int64_t row = own_rows.first; row < own_rows.last; ++row) rows[row] = {mates.col_of_row[row], -1};
    for (int64_t col = own_cols.first; col < own_cols.last; ++col) cols[col] = {graph.of_col.start[col], -1};
  }

  template <class Team>
  void write_back(const Team& team) {
    const Share share(graph.rows, team);
    for (int64_t row = share.first; row < share.last; ++row) mates.col_of_row[row] = rows[row].mate;
  }

  bool grows(Id tree) const { return bsp::load(&leaf[tree]) < 0; }

  // The column behind a visited row. A row that ends a path has none, and column 0 stands in for it: its tree
  // has stopped growing, so it is only prefetched.
  Id column_behind(Id row) const { return std::max(rows[row].mate, Id(0)); }

  // Flips the path from the root of a tree, which has no row, to an unmatched row; how many columns are on
  // it.
  int64_t flip(Id row) {
    int64_t columns = 0;
    for (; row >= 0; ++columns) {
      const Id col =
          bsp::load(&rows[row].parent);  // in a bounded search others may still try to take the row
      const Id left = mates.row_of_col[col];
      mates.row_of_col[col] = row;
      rows[row].mate = col;
      row = left;
    }
    return columns;
  }

  void prefetch_list(Id col) const { prefetch(&graph.of_col.neighbour[cols[col].start]); }

  void prefetch_rows(Id col) const {
    const Offset first = cols[col].start, last = std::min<Offset>(cols[col + 1].start, first + 8);
    for (Offset k = first; k < last; ++k) prefetch_to_write(&rows[graph.of_col.neighbour[k]]);
  }

  const Pattern<Id, Offset>& graph;
  const Mates<Id> mates;
  LargeArray<Row> rows;
  LargeArray<Column> cols;       // one more than there are, for the last one's end
  SharedList<Visit> visited[2];  // they take turns as the list of visits
  LargeArray<Id> leaf;
  SharedList<Id> with_path;  // the trees that found a path in this phase
};

// One worker: scans columns and visits their rows.
template <class Id, class Offset, class Team>
class ForestWorker {
 public:
  using Forest = SearchForest<Id, Offset>;
  using Visit = typename Forest::Visit;

  ForestWorker(Forest& forest, Team& team, SearchCounts& counts)
      : forest_(forest), team_(team), counts_(counts) {
    with_path_.aim(forest.with_path);
  }

  // From now on visits go into this list.
  void record_in(SharedList<Visit>& visited) { visits_.aim(visited); }

  // Scans the columns at(first .. last), where at(i) is a column and its tree.
  template <class At>
  void grow(int64_t first, int64_t last, At at) {
    for (int64_t i = first; i < last && i < first + 24; ++i) prefetch_to_write(&forest_.cols[at(i).vertex]);
    for (int64_t i = first; i < last && i < first + 12; ++i) forest_.prefetch_list(at(i).vertex);
    for (int64_t i = first; i < last && i < first + 6; ++i) forest_.prefetch_rows(at(i).vertex);
    for (int64_t i = first; i < last && !team_.cut(); ++i) {
      if (i + 24 < last) prefetch_to_write(&forest_.cols[at(i + 24).vertex]);
      if (i + 12 < last) forest_.prefetch_list(at(i + 12).vertex);
      if (i + 6 < last) forest_.prefetch_rows(at(i + 6).vertex);
      const Visit next = at(i);
      if (forest_.grows(next.tree)) scan(next.vertex, next.tree);
    }
  }

  // Adds to the tree a row that this worker has claimed. False if the row ends a path.
  bool add(Id row, Id tree) {
    visits_.put({row, tree});
    ++added_;
    if (forest_.rows[row].mate >= 0) return true;
    if (claim<Team>(&forest_.leaf[tree], Id(-1), row))
      with_path_.put(tree);
    else
      ++counts_.claims_lost;
    return false;
  }

  // Appends what is held back to the shared lists; how many rows this worker has added since the last time.
  int64_t deliver() {
    visits_.deliver();
    with_path_.deliver();
    return std::exchange(added_, 0);
  }

 private:
  void scan(Id col, Id tree) {
    bsp::store(&forest_.cols[col].tree, tree);
    const Offset first = forest_.cols[col].start, last = forest_.cols[col + 1].start;
    const Id* const neighbour = forest_.graph.of_col.neighbour;
    auto* const rows = forest_.rows.data();
    Offset k = first;
    bool growing = true;
    while (k < last && growing) {
      const Id row = neighbour[k++];
      Id* const parent = &rows[row].parent;
      if (bsp::load(parent) >= 0) continue;
      if (claim<Team>(parent, Id(-1), col))
        growing = add(row, tree);
      else
        ++counts_.claims_lost;
    }
    counts_.bfs_scans += k - first;
    team_.spend(k - first + 1);
  }

  Forest& forest_;
  Team& team_;
  SearchCounts& counts_;
  int64_t added_ = 0;
  Outbox<Visit, Team> visits_;
  Outbox<Id, Team> with_path_;
};

}  // namespace konig
