// Hopcroft-Karp (`hk`), its Duff-Wiberg variant (`hkdw`), and Hopcroft-Karp on several threads (`p-hk`).
//
// Hopcroft and Karp, "An n^{5/2} algorithm for maximum matchings in bipartite graphs", SIAM J. Comput. 2(4),
// 1973; Duff and Wiberg, "Remarks on implementation of O(n^{1/2} tau) assignment algorithms", ACM TOMS 14(3),
// 1988, as described in Deveci et al. §2; on threads Azad et al., IPDPS 2012. A phase is a breadth-first
// search from all unmatched columns, level by level, up to the first level that sees an unmatched row; then
// depth-first searches inside its layers, dealt out to the threads, that claim columns and the last row by
// atomic exchanges. With `extra_row_searches` (HKDW) each phase goes on with one depth-first search from
// every row still unmatched, not bound to the layers, over the columns not yet visited by such a search. The
// papers leave open whether these look ahead: they do by default, which saves most phases and keeps the paths
// short.
//
// State: level[c] is the distance of column c counted in columns, -1 when it is unreached or was claimed by a
// search of the phase; queue[0 .. size) are the columns reached, in the order of their levels; each worker
// has the path it is on.
//
// Breadth first. Mates do not change. A column is reached by the worker that takes its level from -1; workers
// gather what they reach and append it in batches.
//
// Depth first, ownership. A search at depth d takes a column from level d + 1 to -1, once a phase; roots
// are dealt out once. So a column is on one thread's path only, and its mate is that thread's to write. The
// row through which it came to column c was matched to c when the phase began, and only a path through c
// changes that: the claimer of c may rely on it, even if mates of other rows are written meanwhile. A mate
// read too early or too late is that of a claimed column, or of a root, and cannot be claimed. An unmatched
// row is claimed by writing its mate, from -1.
//
// The paths of a phase are a maximal set of disjoint shortest paths, races or not. Take a shortest path
// c0 r1 c1 and so on to r that shares no vertex with those used. c0 was searched from in vain. A column is
// left in vain when all that it sees on the next level is claimed; so c1 was claimed, by a search that did
// not use it and left it in vain, and so on to the last column. But it sees r, which no path took. Hence
// Hopcroft and Karp's bound holds with any number of threads: O(sqrt(n)) phases, O(sqrt(n) tau) work. The run
// ends when no unmatched row is within reach, or when all rows or all columns are matched.
//
// Reads columns; hkdw reads both sides.
#include <optional>
#include <utility>
#include <vector>

#include "matching/depth_first_search.h"
#include "matching/levels.h"
#include "matching/solvers.h"

namespace konig {
namespace {

template <class Id, class Offset>
class HopcroftKarp {
 public:
  HopcroftKarp(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run)
      : graph_(graph),
        mates_(mates),
        run_(run),
        phases_(graph, mates, knobs, run),
        level_(graph.cols),
        queue_(graph.cols),
        paths_(graph, knobs.integer("threads")),
        closed_cols_(knobs.flag("extra_row_searches") ? graph.cols : 0) {
    if (knobs.flag("extra_row_searches"))
      row_search_.emplace(graph.transposed(), mates.transposed(), closed_cols_, knobs.flag("lookahead"));
  }

  void solve() {
    const auto phase = [this]<class Team>(Team& team) {
      Worker<Team> worker(*this, team);
      Id depth;
      if (!worker.find_layers(depth)) return;
      if (team.leads()) depth_ = depth;
      phases_.search_all(team, [&](Id root) { return worker.search_layers(root, depth); });
    };
    phases_.solve(phase, [this] {
      levels_.push_back(int64_t(depth_) + 1);
      found_at_ = -1;
      return row_search_ ? search_from_rows() : 0;
    });
    run_.count("phases", phases_.phases());
    run_.count("levels", std::move(levels_));
    SearchCounts total = phases_.total();
    run_.count("bfs_arc_scans", total.bfs_scans);
    if (row_search_) {
      run_.count("lookahead_arc_scans", row_counts_.lookahead_scans);
      total += row_counts_;
    }
    phases_.report(total);
  }

 private:
  using Step = PathStep<Id, Offset>;
  static constexpr Id kUnmatched = -1, kExhausted = -2;

  // Duff and Wiberg's extra step: depth-first from each row still unmatched, each column visited once.
  int64_t search_from_rows() {
    SoloTeam team(run_);
    closed_cols_.open();
    DepthFirstSearch search(*row_search_, team, row_counts_);
    const auto stopped = [] { return false; };
    const int64_t most = phases_.missing();
    int64_t found = 0;
    for (Id row = 0; row < graph_.rows && found < most; ++row)
      if (mates_.col_of_row[row] < 0) found += search.augment_from(row, stopped);
    run_.spend(graph_.rows);
    return found;
  }

  // One worker in one phase.
  template <class Team>
  class Worker {
   public:
    Worker(HopcroftKarp& solver, Team& team)
        : solver_(solver),
          graph_(solver.graph_),
          col_of_row_(solver.mates_.col_of_row),
          level_(solver.level_.data()),
          path_(solver.paths_.of(team.index())),
          team_(team),
          counts_(solver.phases_.counts(team.index())) {
      reached_.aim(solver.queue_);
    }

    // The level of the first unmatched row, which is the same for all workers. False if there is none.
    bool find_layers(Id& depth) {
      LevelWorker<Team> levels(solver_.by_level_, team_);
      Level level = open_phase();
      while (level.size() > 0) {
        levels.expand(
            level, [this](const Level& level, int64_t first, int64_t last) { expand(level, first, last); },
            [this] {
              reached_.deliver();
              return std::exchange(reached_count_, 0);
            },
            [this] { return solver_.found_at_ >= 0; });
        if (team_.expired()) return false;
        depth = bsp::load(&solver_.found_at_);
        if (depth >= 0 && depth < level.number) return true;
      }
      return false;
    }

    // One shortest augmenting path from an unmatched column, if the layers still hold one.
    bool search_layers(Id root, Id last_level) {
      Id depth = 0;
      path_[0] = {root, graph_.of_col.start[root]};
      while (!solver_.phases_.stopped(team_)) {
        const Id child = advance(path_[depth], depth, last_level);
        if (child == kUnmatched) {
          augment_along(path_, depth, graph_.of_col, solver_.mates_, team_, counts_.paths);
          return true;
        }
        if (child >= 0) {
          path_[++depth] = {child, graph_.of_col.start[child]};
        } else {
          if (depth-- == 0) return false;
          ++path_[depth].entry;
        }
      }
      return false;
    }

   private:
    // Forgets the last phase's levels and puts the unmatched columns, which are sorted, on level 0: each
    // worker for a range of columns.
    Level open_phase() {
      const std::vector<Id>& roots = solver_.phases_.unmatched();
      const int64_t count = team_.count(), index = team_.index(), cols = graph_.cols;
      const int64_t first = cols * index / count, last = cols * (index + 1) / count;
      std::fill(level_ + first, level_ + last, Id(-1));
      for (auto root = std::lower_bound(roots.begin(), roots.end(), first);
           root != roots.end() && *root < last; ++root) {
        level_[*root] = 0;
        solver_.queue_.items[root - roots.begin()] = *root;
      }
      if (team_.leads()) {
        solver_.queue_.size = int64_t(roots.size());
        for (Deal& deal : solver_.by_level_.deals) deal.restart();
      }
      team_.barrier();
      return {0, int64_t(roots.size()), 0};
    }

    // Puts the columns behind the rows of some columns on the next level.
    void expand(const Level& level, int64_t from, int64_t to) {
      for (int64_t i = from; i < to && !team_.cut(); ++i) {
        const Id col = solver_.queue_.items[i];
        const Offset first = graph_.of_col.start[col], end = graph_.of_col.start[col + 1];
        for (Offset k = first; k < end; ++k) {
          const Id mate = bsp::load(&col_of_row_[graph_.of_col.neighbour[k]]);
          if (mate < 0) {
            bsp::store(&solver_.found_at_, Id(level.number));
          } else if (bsp::load(&level_[mate]) < 0) {
            if (claim<Team>(&level_[mate], Id(-1), Id(level.number + 1))) {
              ++reached_count_;
              reached_.put(mate);
            } else {
              ++counts_.claims_lost;
            }
          }
        }
        counts_.bfs_scans += end - first;
        team_.spend(end - first + 1);
      }
    }

    // Goes on to the next entry of the list that can be claimed: a column, kUnmatched or kExhausted.
    Id advance(Step& step, Id depth, Id last_level) {
      const Offset first = step.entry, end = graph_.of_col.start[step.col + 1];
      Id next = kExhausted;
      Offset k = first;
      for (; k < end; ++k) {
        const Id row = graph_.of_col.neighbour[k], mate = bsp::load(&col_of_row_[row]);
        if (mate < 0) {
          if (claim<Team>(&col_of_row_[row], Id(-1), step.col)) {
            next = kUnmatched;
            break;
          }
          ++counts_.claims_lost;
        } else if (depth < last_level && bsp::load(&level_[mate]) == depth + 1) {
          if (claim<Team>(&level_[mate], Id(depth + 1), Id(-1))) {
            next = mate;
            break;
          }
          ++counts_.claims_lost;
        }
      }
      step.entry = k;
      const int64_t work = k - first + (next != kExhausted);
      counts_.search_scans += work;
      team_.spend(work + 1);
      return next;
    }

    HopcroftKarp& solver_;
    const Pattern<Id, Offset>& graph_;
    Id* const col_of_row_;
    Id* const level_;
    Step* const path_;
    Team& team_;
    SearchCounts& counts_;
    Outbox<Id, Team> reached_;
    int64_t reached_count_ = 0;  // columns that this worker was the first to reach on this level
  };

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  Run& run_;
  SearchPhases<Id, Offset> phases_;
  std::vector<Id> level_;
  SharedList<Id> queue_;
  PathRoom<Id, Offset> paths_;
  ClosedRows<Id> closed_cols_;  // to searches from rows
  std::optional<DepthFirstState<Id, Offset>> row_search_;
  SearchCounts row_counts_;
  std::vector<int64_t> levels_;
  SharedLevels by_level_;
  Id depth_ = 0;
  alignas(128) Id found_at_ = -1;  // the level from which an unmatched row was seen
};

}  // namespace

template <class Id, class Offset>
void hopcroft_karp(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  HopcroftKarp<Id, Offset>(graph, mates, knobs, run).solve();
}

KONIG_INSTANTIATE_SOLVER(hopcroft_karp)

}  // namespace konig
