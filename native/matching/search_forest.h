// Trees of alternating paths that grow from many unmatched columns at once, and the paths found in them.
//
// State and invariants: a row is visited at most once; its `parent` is the column that reached it, -1 if
// unvisited. A visited matched row brings its partner column into the same tree. The tree numbered t has the
// root column root[t]; leaf[t] is the unmatched row at which it found an augmenting path, -1 as long as it
// has none; such a tree stops growing. `visited` lists (row, tree) in the order of the visits, so that a
// level of the search is a slice of it. Partner and parent of a row share a cache line, as do the list start
// and the tree of a column: on matrices without locality each is one miss, and it is asked for ahead.
//
// Column lists are the only ones read. The matching is kept here until write_back().
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/pattern.h"
#include "core/prefetch.h"
#include "core/run.h"
#include "matching/augment.h"

namespace konig {

template <class Id, class Offset>
class SearchForest {
 public:
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

  SearchForest(const Pattern<Id, Offset>& graph, Mates<Id> mates, Run& run)
      : rows(graph.rows),
        cols(graph.cols + 1),
        visited(graph.rows),
        run_(run),
        mates_(mates),
        neighbour_(graph.of_col.neighbour) {
    for (Id row = 0; row < graph.rows; ++row) rows[row] = {mates.col_of_row[row], -1};
    for (Id col = 0; col <= graph.cols; ++col) cols[col] = {graph.of_col.start[col], -1};
  }

  Id trees() const { return Id(root.size()); }

  void plant(Id col) {
    root.push_back(col);
    leaf.push_back(-1);
  }

  void uproot_all() {
    root.clear();
    leaf.clear();
  }

  // Visits the unvisited rows of the columns in `frontier`.
  void grow_from(const std::vector<Visit>& frontier) {
    grow(0, frontier.size(), [&](size_t i) { return frontier[i]; });
  }

  // Visits what one more step reaches from the visited rows [first, last). A row that ends a path has no
  // partner, but its tree has stopped growing, so it is passed over; column 0 stands in when prefetching.
  void grow_level(size_t first, size_t last) {
    grow(first, last,
         [&](size_t i) { return Visit{std::max(rows[visited[i].vertex].mate, Id(0)), visited[i].tree}; });
  }

  // Flips the path of a tree that has one.
  void augment(Id tree) {
    Id row = leaf[tree];
    Id col;
    int64_t columns = 0;
    do {
      col = rows[row].parent;
      const Id left = mates_.row_of_col[col];
      mates_.row_of_col[col] = row;
      rows[row].mate = col;
      row = left;
      ++columns;
    } while (col != root[tree]);
    paths.add(columns);
  }

  void write_back() {
    for (size_t row = 0; row < rows.size(); ++row) mates_.col_of_row[row] = rows[row].mate;
  }

  std::vector<Row> rows;
  std::vector<Column> cols;  // one more than there are, for the last one's end
  std::vector<Visit> visited;
  size_t visits = 0;  // how much of `visited` is in use
  std::vector<Id> root, leaf;
  std::vector<Id> found;  // trees that found a path since the caller last cleared this
  int64_t scans = 0;
  PathCounts paths;

 private:
  template <class At>
  void grow(size_t first, size_t last, At at) {
    for (size_t i = first; i < last; ++i) {
      if (i + 24 < last) prefetch_to_write(&cols[at(i + 24).vertex]);
      if (i + 12 < last) prefetch(&neighbour_[cols[at(i + 12).vertex].start]);
      if (i + 6 < last) prefetch_rows(at(i + 6).vertex);
      const Visit next = at(i);
      if (leaf[next.tree] < 0) visit(next.vertex, next.tree);
    }
  }

  void prefetch_rows(Id col) {
    const Offset first = cols[col].start;
    const Offset last = std::min<Offset>(cols[col + 1].start, first + 8);
    for (Offset k = first; k < last; ++k) prefetch_to_write(&rows[neighbour_[k]]);
  }

  void visit(Id col, Id tree) {
    cols[col].tree = tree;
    const Offset first = cols[col].start;
    const Offset last = cols[col + 1].start;
    Offset k = first;
    while (k < last) {
      const Id neighbour = neighbour_[k++];
      Row& row = rows[neighbour];
      if (row.parent >= 0) continue;
      row.parent = col;
      visited[visits++] = {neighbour, tree};
      if (row.mate < 0) {
        leaf[tree] = neighbour;
        found.push_back(tree);
        break;
      }
    }
    scans += k - first;
    run_.spend(k - first + 1);
  }

  Run& run_;
  Mates<Id> mates_;
  const Id* neighbour_;
};

}  // namespace konig
