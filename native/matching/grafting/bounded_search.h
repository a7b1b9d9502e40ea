// Many small searches side by side: the `local` step of `p-ms-bfs-graft`.
//
// A worker takes a batch of neighbouring unmatched columns, grows their trees together up to a bounded number
// of rows, flips the paths it found and forgets the trees. Where neighbouring columns have neighbouring lists
// a batch stays in the cache, and nearly every path is found here. As in
// matching/tree_grafting.cpp, all give up when most searches fail.
//
// Who holds what. A worker takes a row by taking its parent from -1, and holds it until it writes -1 again.
// Only the holder writes the row's mate and that of its partner column, which no other row leads to. A row
// may change hands many times in the step, so taking it acquires what its last holder released.
#pragma once

#include <algorithm>

#include "matching/grafting/forest.h"

namespace konig {

template <class Id, class Offset>
class BoundedSearch {
 public:
  static constexpr int64_t kBatch = 256;         // columns searched together
  static constexpr int64_t kRowsPerColumn = 32;  // and how many rows a batch may visit for each
  static constexpr int64_t kTriesBeforeDoubt = 2048;

  // What the workers share.
  struct Progress {
    Deal deal{8};  // of batches
    alignas(128) int64_t tried = 0;
    alignas(128) int64_t found = 0;
  };

  BoundedSearch(ParallelForest<Id, Offset>& forest, bsp::CpuTeam& team, Progress& progress)
      : forest_(forest), team_(team), progress_(progress) {}

  // Searches from this worker's share of the columns; at most `paths` paths exist.
  void search(const Id* columns, int64_t count, int64_t paths) {
    const int64_t batches = (count + kBatch - 1) / kBatch;
    int64_t batch, last;
    while (!done(paths) && progress_.deal.take(batches, team_.count(), batch, last))
      for (; batch < last && !done(paths); ++batch)
        search_batch(columns + batch * kBatch, std::min(kBatch, count - batch * kBatch));
  }

  int64_t scans() const { return scans_; }
  const PathCounts& paths() const { return paths_; }

 private:
  struct Visit {
    Id row;
    int tree;
  };

  bool done(int64_t paths) const {
    const int64_t tried = bsp::load(&progress_.tried), found = bsp::load(&progress_.found);
    return team_.cut() || found >= paths || (tried >= kTriesBeforeDoubt && 2 * found < tried);
  }

  void search_batch(const Id* columns, int64_t count) {
    visits_ = 0;
    std::fill(leaf_, leaf_ + count, Id(-1));
    for (int64_t tree = 0; tree < count; ++tree) {
      if (tree + 12 < count)
        prefetch(&forest_.graph.of_col.neighbour[forest_.cols[columns[tree + 12]].start]);
      if (tree + 6 < count) prefetch_rows(columns[tree + 6]);
      enter(columns[tree], int(tree));
    }
    for (int64_t i = 0; i < visits_ && visits_ < count * kRowsPerColumn && !team_.cut(); ++i) {
      if (i + 12 < visits_) prefetch_list(visited_[i + 12].row);
      if (i + 6 < visits_) prefetch_rows(std::max(forest_.rows[visited_[i + 6].row].mate, Id(0)));
      const Visit next = visited_[i];
      if (leaf_[next.tree] < 0) enter(forest_.rows[next.row].mate, next.tree);
    }
    int64_t found = 0;
    for (int64_t tree = 0; tree < count; ++tree) {
      if (leaf_[tree] < 0) continue;
      augment(leaf_[tree], columns[tree]);
      ++found;
    }
    for (int64_t i = 0; i < visits_; ++i)
      __atomic_store_n(&forest_.rows[visited_[i].row].parent, Id(-1), __ATOMIC_RELEASE);
    bsp::fetch_add(&progress_.tried, count);
    if (found > 0) bsp::fetch_add(&progress_.found, found);
  }

  void prefetch_list(Id row) {
    const Id col = std::max(forest_.rows[row].mate, Id(0));
    prefetch(&forest_.graph.of_col.neighbour[forest_.cols[col].start]);
  }

  void prefetch_rows(Id col) {
    const Offset first = forest_.cols[col].start;
    const Offset last = std::min<Offset>(forest_.cols[col + 1].start, first + 8);
    for (Offset k = first; k < last; ++k) prefetch_to_write(&forest_.rows[forest_.graph.of_col.neighbour[k]]);
  }

  void enter(Id col, int tree) {
    const Offset first = forest_.cols[col].start, last = forest_.cols[col + 1].start;
    Offset k = first;
    while (k < last && visits_ < kRoom) {
      const Id row = forest_.graph.of_col.neighbour[k++];
      Id* const parent = &forest_.rows[row].parent;
      Id expected = -1;
      if (bsp::load(parent) >= 0) continue;
      if (!__atomic_compare_exchange_n(parent, &expected, col, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        continue;
      visited_[visits_++] = {row, tree};
      if (forest_.rows[row].mate < 0) {
        leaf_[tree] = row;
        break;
      }
    }
    scans_ += k - first;
    team_.spend(k - first + 1);
  }

  void augment(Id row, Id root) {
    int64_t columns = 0;
    Id col;
    do {
      col = bsp::load(&forest_.rows[row].parent);  // others may still try to take the row
      const Id left = forest_.mates.row_of_col[col];
      forest_.mates.row_of_col[col] = row;
      forest_.rows[row].mate = col;
      row = left;
      ++columns;
    } while (col != root);
    paths_.add(columns);
  }

  static constexpr int64_t kRoom = kBatch * kRowsPerColumn + kBatch;

  ParallelForest<Id, Offset>& forest_;
  bsp::CpuTeam& team_;
  Progress& progress_;
  int64_t visits_ = 0, scans_ = 0;
  PathCounts paths_;
  Id leaf_[kBatch];
  Visit visited_[kRoom];
};

}  // namespace konig
