// Many small searches side by side: the `local` step of `ms-bfs-graft` and `p-ms-bfs-graft`.
//
// A worker takes a batch of neighbouring unmatched columns, grows their trees together up to a bounded number
// of rows, flips the paths it found and forgets the trees. Where neighbouring columns have neighbouring lists
// a batch stays in the cache, and nearly every path is found here; elsewhere it costs what the first phase
// would have cost. All workers stop when most searches fail.
//
// Ownership. A worker takes a row by taking its parent from -1, and holds it until it writes -1 again.
// Only the holder writes the row's mate and that of its partner column, which no other row leads to. A row
// may change hands many times in the step, so taking it acquires what its last holder released.
#pragma once

#include <algorithm>

#include "matching/grafting/forest.h"

namespace konig {

// What the workers share.
struct BoundedProgress {
  Deal deal{8};  // of batches
  alignas(128) int64_t tried = 0;
  alignas(128) int64_t found = 0;
};

template <class Id, class Offset, class Team>
class BoundedSearch {
 public:
  static constexpr int64_t kBatch = 256;         // columns searched together
  static constexpr int64_t kRowsPerColumn = 32;  // and how many rows a batch may visit for each
  static constexpr int64_t kTriesBeforeDoubt = 2048;

  BoundedSearch(SearchForest<Id, Offset>& forest, Team& team, BoundedProgress& progress)
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
      if (tree + 12 < count) forest_.prefetch_list(columns[tree + 12]);
      if (tree + 6 < count) forest_.prefetch_rows(columns[tree + 6]);
      scan(columns[tree], int(tree));
    }
    for (int64_t i = 0; i < visits_ && visits_ < count * kRowsPerColumn && !team_.cut(); ++i) {
      if (i + 12 < visits_) forest_.prefetch_list(forest_.column_behind(visited_[i + 12].row));
      if (i + 6 < visits_) forest_.prefetch_rows(forest_.column_behind(visited_[i + 6].row));
      const Visit next = visited_[i];
      if (leaf_[next.tree] < 0) scan(forest_.rows[next.row].mate, next.tree);
    }
    int64_t found = 0;
    for (int64_t tree = 0; tree < count; ++tree) {
      if (leaf_[tree] < 0) continue;
      paths_.add(forest_.flip(leaf_[tree]));
      ++found;
    }
    for (int64_t i = 0; i < visits_; ++i)
      __atomic_store_n(&forest_.rows[visited_[i].row].parent, Id(-1), __ATOMIC_RELEASE);
    bsp::fetch_add(&progress_.tried, count);
    if (found > 0) bsp::fetch_add(&progress_.found, found);
  }

  void scan(Id col, int tree) {
    const Offset first = forest_.cols[col].start, last = forest_.cols[col + 1].start;
    const Id* const neighbour = forest_.graph.of_col.neighbour;
    auto* const rows = forest_.rows.data();
    Offset k = first;
    while (k < last && visits_ < kRoom) {
      const Id row = neighbour[k++];
      Id* const parent = &rows[row].parent;
      if (bsp::load(parent) >= 0 || !take(parent, col)) continue;
      visited_[visits_++] = {row, tree};
      if (rows[row].mate < 0) {
        leaf_[tree] = row;
        break;
      }
    }
    scans_ += k - first;
    team_.spend(k - first + 1);
  }

  // Acquires what the last holder of the row released.
  static bool take(Id* parent, Id col) {
    if constexpr (kAlone<Team>) return claim<Team>(parent, Id(-1), col);
    Id expected = -1;
    return __atomic_compare_exchange_n(parent, &expected, col, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
  }

  static constexpr int64_t kRoom = kBatch * kRowsPerColumn + kBatch;

  SearchForest<Id, Offset>& forest_;
  Team& team_;
  BoundedProgress& progress_;
  int64_t visits_ = 0, scans_ = 0;
  PathCounts paths_;
  Id leaf_[kBatch];
  Visit visited_[kRoom];
};

}  // namespace konig
