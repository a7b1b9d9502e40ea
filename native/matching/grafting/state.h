// The state that the workers of tree grafting share, and its limits.
#pragma once

#include <cstdint>
#include <vector>

#include "core/knobs.h"
#include "core/run.h"
#include "matching/grafting/bounded_search.h"
#include "matching/grafting/forest.h"

// Tests make these small, so that small graphs have wide levels.
#ifndef KONIG_NARROW_LEVEL
#define KONIG_NARROW_LEVEL 64
#endif

#ifndef KONIG_FEW_EACH
#define KONIG_FEW_EACH 512
#endif

namespace konig::grafting {

constexpr int64_t kNarrow = KONIG_NARROW_LEVEL;  // a level for one worker alone
constexpr int64_t kFew = KONIG_FEW_EACH;         // items a worker: fewer are not dealt out on demand
constexpr int64_t kPiece = 1024;
constexpr int64_t kWide = 5;  // the paper's alpha

enum Step { kBegin, kWantsRows, kEnd };

// Where the solve stands. Every worker has a copy, changed by agreed values only.
struct State {
  Step step = kBegin;
  int64_t unmatched_rows = 0;
  int64_t trees = 0;    // this forest's, with those that have found a path
  int64_t visits = 0;   // in the list of visits
  int64_t freed = 0;    // rows that the last phase freed
  int64_t grafted = 0;  // rows that were grafted, at the end of the list of visits
  int visited = 0;      // which list of visits is in use
  int roots = 0;        // which list of unmatched columns is in use
  unsigned deals = 0;   // rounds dealt out so far
  bool gave_up = false;
};

struct Level {
  int64_t first, last, levels;
};

struct alignas(128) GraftingCounts : SearchCounts {
  int64_t graft_scans = 0, local_scans = 0, local_paths = 0;
};

template <class Id, class Offset>
struct Shared {
  using Forest = SearchForest<Id, Offset>;

  Shared(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run)
      : graph(graph),
        run(run),
        threads(int(knobs.integer("threads"))),
        local(knobs.flag("local")),
        bottom_up(knobs.flag("bottom_up")),
        max_trees(int64_t(graph.cols) - matched_vertices(mates.row_of_col, graph.cols)),
        forest(graph, mates, max_trees),
        unmatched{LargeArray<Id>(max_trees), LargeArray<Id>(max_trees)},
        freed(graph.rows),
        row_lists(graph.of_row),
        counts(threads) {
    state.unmatched_rows = int64_t(graph.rows) - matched_vertices(mates.col_of_row, graph.rows);
  }

  const Pattern<Id, Offset>& graph;
  Run& run;
  const int threads;
  const bool local, bottom_up;
  const int64_t max_trees;
  Forest forest;
  LargeArray<Id> unmatched[2];
  SharedList<Id> freed;  // rows
  Adjacency<Id, Offset> row_lists;
  std::vector<GraftingCounts> counts;
  State state;
  int64_t most_scans = 0;  // of one worker, after which it gives up
  BoundedProgress local_progress;
  Deal deals[2] = {Deal(kPiece), Deal(kPiece)};
  Level reached_alone{0, 0, 0};
  int64_t grafts = 0, bottom_up_levels = 0;
  std::vector<int64_t> levels;
};

}  // namespace konig::grafting
