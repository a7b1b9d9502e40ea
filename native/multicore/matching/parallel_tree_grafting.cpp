// Multi-source breadth-first search with tree grafting on several threads (`p-ms-bfs-graft`), the engine of
// `auto` on several cores.
//
// Azad, Buluc, Pothen, "Computing maximum cardinality matchings in parallel on bipartite graphs via
// tree-grafting", IEEE TPDS 28(1), 2017. Alternating trees grow from all unmatched columns, level by level,
// until every tree has found a path or cannot grow. The paths are flipped, each by one worker: trees share no
// vertex. The rows of trees that found one are free again, and each of them is offered to the trees that
// found none, which go on from there.
//
// State: parallel_forest.h, which says who writes what while trees grow. Otherwise each step writes what no
// other worker reads in it: flipping, the mates on its own tree's path; freeing, the parents of the rows it
// was dealt; grafting, those of the freed rows it was dealt, while trees of columns stand still.
//
// Where we deviate, beside what sequential/matching/tree_grafting.cpp says (it grafts when the surviving
// trees hold more rows than were freed, and ends when one side is full):
// - A level goes bottom-up, as in the paper, where row lists are there already: they are not made for it.
// - A level narrower than kNarrow is left to worker 0, which goes on alone until levels are wider.
// - A tree may meet two unmatched rows at once. The second is freed with the tree's rows; if a surviving
//   tree can take it over, it is the end of that tree's path.
//
// The answer is maximum: a phase that finds nothing has entered every column in reach of an unmatched one,
// each by exactly one worker, and seen no unmatched row.
//
// Reads columns; row lists are needed only to graft, and are made at that moment if the caller has none.
// Knobs: threads, local, bottom_up (flags). Counts: phases, levels (per phase), bottom_up_levels, grafts,
// bfs_arc_scans, graft_arc_scans, local_arc_scans, local_paths, transpose_seconds (only if made here), paths,
// augmentations, longest_path, claims_lost, workers.
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "multicore/matching/bounded_search.h"
#include "multicore/matching/parallel_forest.h"
#include "multicore/matching/solvers.h"
#include "multicore/parallel_compress.h"

// Tests make these small, so that small graphs have wide levels.
#ifndef KONIG_NARROW_LEVEL
#define KONIG_NARROW_LEVEL 64
#endif

#ifndef KONIG_FEW_EACH
#define KONIG_FEW_EACH 512
#endif

namespace konig {
namespace {

template <class Id, class Offset>
class ParallelTreeGrafting {
 public:
  ParallelTreeGrafting(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run)
      : graph_(graph),
        run_(run),
        threads_(int(knobs.integer("threads"))),
        local_(knobs.flag("local")),
        bottom_up_(knobs.flag("bottom_up")),
        most_trees_(int64_t(graph.cols) - matched_vertices(mates.row_of_col, graph.cols)),
        forest_(graph, mates, most_trees_),
        unmatched_{TeamArray<Id>(most_trees_), TeamArray<Id>(most_trees_)},
        freed_(graph.rows),
        row_lists_(graph.of_row),
        tallies_(threads_) {
    state_.unmatched_rows = int64_t(graph.rows) - matched_vertices(mates.col_of_row, graph.rows);
  }

  void solve() {
    bsp::CpuCrew crew(bsp::CpuCrew::Clock::duration::max(), [this](int64_t work) { run_.spend(work); });
    const auto launch = [this](bsp::CpuTeam& team) { Worker(*this, team).run(); };
    do {
      crew.run(threads_, launch, [] { return false; });
      if (state_.step == kWantsRows) make_row_lists();
    } while (state_.step == kWantsRows);
    report(crew.workers());
  }

 private:
  using Forest = ParallelForest<Id, Offset>;
  using Visit = typename Forest::Visit;
  using Bounded = BoundedSearch<Id, Offset>;
  static constexpr int64_t kNarrow = KONIG_NARROW_LEVEL;
  static constexpr int64_t kPiece = 1024;
  static constexpr int64_t kFew = KONIG_FEW_EACH;
  static constexpr int64_t kWide = 5;  // the paper's alpha

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

  // One worker in one launch.
  class Worker {
   public:
    Worker(ParallelTreeGrafting& solver, bsp::CpuTeam& team)
        : solver_(solver),
          forest_(solver.forest_),
          team_(team),
          tally_(solver.tallies_[team.index()]),
          grower_(forest_, team, tally_),
          s_(solver.state_) {}

    void run() {
      team_.barrier();  // nobody leaves, and writes the state, before all have read it
      grower_.record_in(forest_.visited[s_.lists]);
      solve();
      if (team_.leads()) solver_.state_ = s_;
    }

   private:
    void solve() {
      bool from_roots = s_.step == kBegin;
      if (from_roots) begin();
      while (!team_.expired()) {
        if (!from_roots) graft();
        const int64_t fresh = from_roots ? s_.trees : s_.grafted;
        if (s_.unmatched_rows == 0 || fresh == 0 || !grow_forest(from_roots)) break;
        augment();
        free_rows();
        from_roots = s_.visits <= s_.freed;
        if (from_roots) {
          start_over();
        } else if (!solver_.row_lists_.present()) {
          s_.step = kWantsRows;
          return;
        }
      }
      team_.barrier();
      forest_.write_back(team_);
      s_.step = kEnd;
    }

    void begin() {
      forest_.set_up(team_);
      const Mates<Id> mates = forest_.mates;
      const Adjacency<Id, Offset>& lists = solver_.graph_.of_col;
      list_columns(
          solver_.graph_.cols, [&](int64_t i) { return Id(i); },
          [&](Id col) { return mates.row_of_col[col] < 0 && lists.degree(col) > 0; });
      if (solver_.local_) {
        search_locally();
        drop_matched_columns();
      }
      plant();
    }

    Id* columns() { return solver_.unmatched_[s_.columns].data(); }

    // Makes the list of unmatched columns that are left of `count` candidates, in their order.
    template <class At, class Keep>
    void list_columns(int64_t count, At at, Keep keep) {
      const Share share(count, team_);
      int64_t kept = 0;
      for (int64_t i = share.first; i < share.last; ++i) kept += keep(at(i));
      const bsp::Scanned scanned = team_.scan(kept);
      s_.columns ^= 1;
      Id* next = columns() + scanned.before;
      for (int64_t i = share.first; i < share.last; ++i)
        if (const Id col = at(i); keep(col)) *next++ = col;
      s_.trees = scanned.total;
      team_.barrier();
    }

    void drop_matched_columns() {
      const Id* const before = columns();
      const Mates<Id> mates = forest_.mates;
      list_columns(
          s_.trees, [&](int64_t i) { return before[i]; }, [&](Id col) { return mates.row_of_col[col] < 0; });
    }

    void search_locally() {
      Bounded bounded(forest_, team_, solver_.local_progress_);
      bounded.search(columns(), s_.trees, s_.unmatched_rows);
      tally_.local_scans += bounded.scans();
      tally_.local_paths += bounded.paths().paths;
      tally_.paths += bounded.paths();
      settle(team_.sum(bounded.paths().paths));
    }

    void settle(int64_t paths) {
      s_.unmatched_rows -= paths;
      const Pattern<Id, Offset>& graph = solver_.graph_;
      if (team_.leads())
        solver_.run_.report(graph.rows - s_.unmatched_rows, std::min(graph.rows, graph.cols));
    }

    // One tree for each unmatched column.
    void plant() {
      const Share trees(s_.trees, team_);
      const Id* const roots = columns();
      for (int64_t tree = trees.first; tree < trees.last; ++tree) {
        forest_.root[tree] = roots[tree];
        forest_.leaf[tree] = -1;
      }
      s_.visits = 0;
      if (team_.leads()) forest_.visited[s_.lists].used.value = 0;
      team_.barrier();
    }

    void start_over() {
      const Share rows(solver_.graph_.rows, team_), cols(solver_.graph_.cols, team_);
      for (int64_t row = rows.first; row < rows.last; ++row) forest_.rows[row].parent = -1;
      for (int64_t col = cols.first; col < cols.last; ++col) forest_.cols[col].tree = -1;
      drop_matched_columns();
      plant();
    }

    // f(first, last) for this worker's pieces of [0, items). A barrier comes before the next one. Few items
    // are not worth queueing for: each worker has a stretch of them.
    template <class Visit>
    void deal_out(int64_t items, Visit visit) {
      if (items <= kFew * team_.count()) {
        const Share share(items, team_);
        if (share.first < share.last) visit(share.first, share.last);
        return;
      }
      Deal& deal = solver_.deals_[s_.deals % 2];
      ++s_.deals;
      if (team_.leads()) solver_.deals_[s_.deals % 2].restart();
      int64_t first, last;
      while (!team_.cut() && deal.take(items, team_.count(), first, last)) visit(first, last);
    }

    // Grows every tree until it has a path or cannot grow. True if any has one.
    bool grow_forest(bool from_roots) {
      if (team_.leads()) {
        solver_.freed_used_.value = 0;
        forest_.visited[s_.lists ^ 1].used.value = 0;
      }
      Level level{s_.visits - s_.grafted, s_.visits, 0};
      if (from_roots) {
        const Id* const roots = columns();
        const auto at = [=](int64_t i) { return Visit{roots[i], Id(i)}; };
        deal_out(s_.trees, [&](int64_t first, int64_t last) { grower_.grow(first, last, at); });
        level = {0, team_.sum(grower_.deliver()), 1};
      }
      while (level.first < level.last && !team_.expired()) {
        if (wide_for_rows(level))
          look_up_from_rows(level);
        else if (team_.count() > 1 && level.last - level.first >= kNarrow)
          expand_together(level);
        else
          expand_alone(level);
      }
      s_.visits = level.last;
      if (team_.leads()) solver_.levels_.push_back(level.levels);
      return forest_.founds.value > 0 && !team_.expired();
    }

    Id column_behind(const Visit& visit) const {
      // A row that ends a path has no partner, but its tree has stopped growing, so it is passed over.
      return std::max(forest_.rows[visit.vertex].mate, Id(0));
    }

    void expand(int64_t first, int64_t last) {
      const Visit* const visited = forest_.visited[s_.lists].list.data();
      grower_.grow(first, last,
                   [=, this](int64_t i) { return Visit{column_behind(visited[i]), visited[i].tree}; });
    }

    void expand_together(Level& level) {
      deal_out(level.last - level.first,
               [&](int64_t first, int64_t last) { expand(level.first + first, level.first + last); });
      level = {level.last, level.last + team_.sum(grower_.deliver()), level.levels + 1};
    }

    // Whether so much of the graph is in this level that unvisited rows find it sooner than it finds them.
    bool wide_for_rows(const Level& level) const {
      const int64_t unvisited = solver_.graph_.rows - level.last;
      return solver_.bottom_up_ && solver_.row_lists_.present() && level.last - level.first >= kNarrow &&
             (level.last - level.first) * kWide > unvisited;
    }

    // A level the other way round: its columns are entered, and each unvisited row looks for one of them.
    void look_up_from_rows(Level& level) {
      const Visit* const visited = forest_.visited[s_.lists].list.data() + level.first;
      deal_out(level.last - level.first, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) {
          if (i + 16 < last) prefetch_to_write(&forest_.cols[column_behind(visited[i + 16])]);
          if (forest_.grows(visited[i].tree)) forest_.cols[column_behind(visited[i])].tree = visited[i].tree;
        }
        team_.spend(last - first);
      });
      team_.barrier();
      const Adjacency<Id, Offset> lists = solver_.row_lists_;
      deal_out(solver_.graph_.rows, [&](int64_t first, int64_t last) {
        for (int64_t row = first; row < last && !team_.cut(); ++row) {
          if (row + 8 < last && forest_.rows[row + 8].parent < 0) prefetch_cols(lists, Id(row + 8));
          if (forest_.rows[row].parent < 0) tally_.bfs_scans += hang_below(lists, Id(row));
        }
        team_.spend(last - first);
      });
      level = {level.last, level.last + team_.sum(grower_.deliver()), level.levels + 1};
      if (team_.leads()) ++solver_.bottom_up_levels_;
    }

    // Worker 0 goes on until levels are wide; the others wait for it.
    void expand_alone(Level& level) {
      if (team_.leads()) {
        do {
          expand(level.first, level.last);
          level = {level.last, level.last + grower_.deliver(), level.levels + 1};
        } while (level.first < level.last && !team_.cut() &&
                 (team_.count() == 1 || level.last - level.first < kNarrow));
        solver_.reached_alone_ = level;
      }
      team_.barrier();
      level = solver_.reached_alone_;
    }

    // Flips the path of every tree that has one.
    void augment() {
      const int64_t found = forest_.founds.value;
      deal_out(found, [&](int64_t first, int64_t last) {
        for (; first < last && !team_.cut(); ++first) flip(forest_.found[first]);
      });
      settle(found);
      team_.barrier();
    }

    void flip(Id tree) {
      const Mates<Id> mates = forest_.mates;
      const Id root = forest_.root[tree];
      Id row = forest_.leaf[tree];
      int64_t columns = 0;
      Id col;
      do {
        col = forest_.rows[row].parent;
        const Id left = mates.row_of_col[col];
        mates.row_of_col[col] = row;
        forest_.rows[row].mate = col;
        row = left;
        ++columns;
      } while (col != root && !team_.cut());
      tally_.paths.add(columns);
      team_.spend(columns);
    }

    // Takes the rows of trees that found a path off the list of visits.
    void free_rows() {
      if (team_.leads()) forest_.founds.value = 0;
      auto& visited = forest_.visited[s_.lists];
      auto& kept = forest_.visited[s_.lists ^ 1];
      kept_.aim(kept.list.data(), &kept.used.value);
      freed_.aim(solver_.freed_.data(), &solver_.freed_used_.value);
      int64_t stay = 0;
      deal_out(s_.visits, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) {
          const Visit visit = visited.list[i];
          if (forest_.leaf[visit.tree] < 0) {
            kept_.put(visit);
            ++stay;
          } else {
            freed_.put(visit.vertex);
            forest_.rows[visit.vertex].parent = -1;
          }
        }
        team_.spend(last - first);
      });
      kept_.deliver();
      freed_.deliver();
      const int64_t visits = s_.visits;
      s_.visits = team_.sum(stay);
      s_.freed = visits - s_.visits;
      s_.lists ^= 1;
      grower_.record_in(kept);
    }

    // Hangs each freed row that has a neighbour in a surviving tree below that neighbour.
    void graft() {
      const Adjacency<Id, Offset> lists = solver_.row_lists_;
      const TeamArray<Id>& freed = solver_.freed_;
      deal_out(s_.freed, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last && !team_.cut(); ++i) {
          if (i + 16 < last) prefetch(&lists.start[freed[i + 16]]);
          if (i + 8 < last) prefetch(&lists.neighbour[lists.start[freed[i + 8]]]);
          if (i + 4 < last) prefetch_cols(lists, freed[i + 4]);
          tally_.graft_scans += hang_below(lists, freed[i]);
        }
      });
      s_.grafted = team_.sum(grower_.deliver());
      s_.visits += s_.grafted;
      if (team_.leads()) ++solver_.grafts_;
    }

    void prefetch_cols(const Adjacency<Id, Offset>& lists, Id row) {
      const Offset last = std::min<Offset>(lists.start[row + 1], lists.start[row] + 8);
      for (Offset k = lists.start[row]; k < last; ++k) prefetch(&forest_.cols[lists.neighbour[k]]);
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

    ParallelTreeGrafting& solver_;
    Forest& forest_;
    bsp::CpuTeam& team_;
    Tally& tally_;
    ForestWorker<Id, Offset> grower_;
    Outbox<Visit> kept_;
    Outbox<Id> freed_;
    State s_;
  };

  void make_row_lists() {
    const auto began = std::chrono::steady_clock::now();
    own_start_ = std::make_unique<TeamArray<Offset>>(int64_t(graph_.rows) + 1);
    own_neighbour_ = std::make_unique<TeamArray<Id>>(graph_.of_col.start[graph_.cols]);
    row_lists_ = {own_start_->data(), own_neighbour_->data()};
    parallel_transpose(graph_.of_col.start, graph_.of_col.neighbour, graph_.cols, graph_.rows,
                       own_start_->data(), own_neighbour_->data(), threads_, run_);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
    run_.count("transpose_seconds", seconds.count());
  }

  void report(int workers) {
    Tally total;
    for (const Tally& tally : tallies_) {
      total += tally;
      total.graft_scans += tally.graft_scans;
      total.local_scans += tally.local_scans;
      total.local_paths += tally.local_paths;
    }
    run_.count("phases", int64_t(levels_.size()));
    run_.count("levels", std::move(levels_));
    run_.count("bottom_up_levels", bottom_up_levels_);
    run_.count("grafts", grafts_);
    run_.count("bfs_arc_scans", total.bfs_scans);
    run_.count("graft_arc_scans", total.graft_scans);
    run_.count("local_arc_scans", total.local_scans);
    run_.count("local_paths", total.local_paths);
    total.paths.report(run_);
    run_.count("claims_lost", total.claims_lost);
    run_.count("workers", int64_t(workers));
  }

  const Pattern<Id, Offset>& graph_;
  Run& run_;
  const int threads_;
  const bool local_, bottom_up_;
  const int64_t most_trees_;
  Forest forest_;
  TeamArray<Id> unmatched_[2];
  TeamArray<Id> freed_;
  typename Forest::Counter freed_used_;
  Adjacency<Id, Offset> row_lists_;
  std::unique_ptr<TeamArray<Offset>> own_start_;
  std::unique_ptr<TeamArray<Id>> own_neighbour_;
  std::vector<Tally> tallies_;
  State state_;
  typename Bounded::Progress local_progress_;
  Deal deals_[2] = {Deal(kPiece), Deal(kPiece)};
  Level reached_alone_{0, 0, 0};
  int64_t grafts_ = 0, bottom_up_levels_ = 0;
  std::vector<int64_t> levels_;
};

}  // namespace

template <class Id, class Offset>
void parallel_tree_grafting(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  ParallelTreeGrafting<Id, Offset>(graph, mates, knobs, run).solve();
}

KONIG_INSTANTIATE_SOLVER(parallel_tree_grafting)

}  // namespace konig
