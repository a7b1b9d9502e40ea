// What the workers of tree grafting share, and what each of them has in hand.
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
constexpr int64_t kFew = KONIG_FEW_EACH;         // items a worker that are not worth queueing for
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
  int lists = 0;        // which list of visits is in use
  int columns = 0;      // which list of unmatched columns is in use
  unsigned deals = 0;   // rounds dealt out so far
};

struct Level {
  int64_t first, last, levels;
};

struct alignas(128) Tally : SearchTally {
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
        most_trees(int64_t(graph.cols) - matched_vertices(mates.row_of_col, graph.cols)),
        forest(graph, mates, most_trees),
        unmatched{LargeArray<Id>(most_trees), LargeArray<Id>(most_trees)},
        freed(graph.rows),
        row_lists(graph.of_row),
        tallies(threads) {
    state.unmatched_rows = int64_t(graph.rows) - matched_vertices(mates.col_of_row, graph.rows);
  }

  const Pattern<Id, Offset>& graph;
  Run& run;
  const int threads;
  const bool local, bottom_up;
  const int64_t most_trees;
  Forest forest;
  LargeArray<Id> unmatched[2];
  LargeArray<Id> freed;
  typename Forest::Counter freed_used;
  Adjacency<Id, Offset> row_lists;
  std::vector<Tally> tallies;
  State state;
  BoundedProgress local_progress;
  Deal deals[2] = {Deal(kPiece), Deal(kPiece)};
  Level reached_alone{0, 0, 0};
  int64_t grafts = 0, bottom_up_levels = 0;
  std::vector<int64_t> levels;
};

// One worker in one launch.
template <class Id, class Offset, class Team>
struct Hand {
  Hand(Shared<Id, Offset>& shared, Team& team)
      : shared(shared),
        forest(shared.forest),
        team(team),
        tally(shared.tallies[team.index()]),
        grower(forest, team, tally),
        s(shared.state) {}

  Id* columns() { return shared.unmatched[s.columns].data(); }

  // f(first, last) for this worker's pieces of [0, items). A barrier comes before the next one. Few items
  // are not worth queueing for: each worker has a stretch of them.
  template <class Visit>
  void deal_out(int64_t items, Visit visit) {
    if (kAlone<Team> || items <= kFew * team.count()) {
      const Share share(items, team);
      if (share.first < share.last) visit(share.first, share.last);
      return;
    }
    Deal& deal = shared.deals[s.deals % 2];
    ++s.deals;
    if (team.leads()) shared.deals[s.deals % 2].restart();
    int64_t first, last;
    while (!team.cut() && deal.take(items, team.count(), first, last)) visit(first, last);
  }

  Shared<Id, Offset>& shared;
  SearchForest<Id, Offset>& forest;
  Team& team;
  Tally& tally;
  ForestWorker<Id, Offset, Team> grower;
  State s;
};

}  // namespace konig::grafting
