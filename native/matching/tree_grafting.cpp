// Multi-source breadth-first search with tree grafting: `ms-bfs-graft` on one thread, `p-ms-bfs-graft` on
// several; the last but one step of `auto`.
//
// Azad, Buluc, Pothen, "Computing maximum cardinality matchings in parallel on bipartite graphs via
// tree-grafting", IEEE TPDS 28(1), 2017. Alternating trees grow from all unmatched columns, level by level,
// until every tree has found a path or cannot grow. The paths are flipped, each by one worker: trees share no
// vertex. The rows of trees that found one are free again; instead of starting over, each of them is offered
// to the trees that found none, which go on from there.
//
// While trees grow, grafting/forest.h says which worker writes what; while rows are freed or grafted a worker
// writes only the parents of the rows that it was dealt; while paths are flipped, only the mates on its own
// trees. A level goes top-down, from its columns to unvisited rows, or bottom-up, from unvisited rows to its
// columns; both end in the same list of visits.
//
// Where we deviate:
// - `local` first searches from small batches of unmatched columns: grafting/bounded_search.h.
// - Grafting reads the freed rows' lists and regrows, about twice the freed part; starting over regrows
//   the whole forest. So we graft when the surviving trees hold more rows than were freed (the paper, with
//   parallel levels to save, grafts from a fifth).
// - The search ends as soon as one side is matched completely; no last search proves what is known.
// - A tree may meet two unmatched rows at once. The second is freed with the tree's rows; if a surviving
//   tree can take it over, it is the end of that tree's path.
//
// The answer is maximum: a phase that finds nothing has scanned every column in reach of an unmatched one,
// each by exactly one worker, and seen no unmatched row. Reads both orientations.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/prefetch.h"
#include "matching/grafting/bounded_search.h"
#include "matching/grafting/forest.h"
#include "matching/levels.h"
#include "matching/solvers.h"

namespace konig {
namespace {

struct alignas(128) GraftingCounts : SearchCounts {
  int64_t graft_scans = 0, local_scans = 0, local_paths = 0;
};

// What the workers share.
template <class Id, class Offset>
struct Shared {
  Shared(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, int64_t most_scans, Run& run)
      : graph(graph),
        run(run),
        threads(int(knobs.integer("threads"))),
        local(knobs.flag("local")),
        bottom_up(knobs.flag("bottom_up")),
        most_scans(most_scans),
        max_trees(int64_t(graph.cols) - matched_vertices(mates.row_of_col, graph.cols)),
        unmatched_rows(int64_t(graph.rows) - matched_vertices(mates.col_of_row, graph.rows)),
        forest(graph, mates, max_trees),
        unmatched{LargeArray<Id>(max_trees), LargeArray<Id>(max_trees)},
        freed(graph.rows),
        counts(threads) {}

  const Pattern<Id, Offset>& graph;
  Run& run;
  const int threads;
  const bool local, bottom_up;
  const int64_t most_scans;  // of all workers, after which they give up
  const int64_t max_trees, unmatched_rows;
  SearchForest<Id, Offset> forest;
  LargeArray<Id> unmatched[2];  // columns; they take turns as the list of roots
  SharedList<Id> freed;         // rows
  std::vector<GraftingCounts> counts;
  BoundedProgress local_progress;
  SharedLevels by_level;
  int64_t grafts = 0, bottom_up_levels = 0;
  std::vector<int64_t> levels;
  bool gave_up = false;
};

// One worker: plants trees, has them grow, flips their paths, frees and grafts their rows.
template <class Id, class Offset, class Team>
class Worker {
 public:
  Worker(Shared<Id, Offset>& shared, Team& team)
      : shared_(shared),
        forest_(shared.forest),
        lists_(shared.graph.of_row),
        team_(team),
        counts_(shared.counts[team.index()]),
        grower_(forest_, team, counts_),
        unmatched_rows_(shared.unmatched_rows),
        levels_(shared.by_level, team) {
    grower_.record_in(forest_.visited[visited_]);
  }

  void solve() {
    begin();
    bool from_roots = true;
    while (!team_.expired()) {
      if (!from_roots) graft();
      const int64_t fresh = from_roots ? trees_ : grafted_;
      if (unmatched_rows_ == 0 || fresh == 0 || !grow(from_roots)) break;
      augment();
      free_rows();
      if (team_.sum(counts_.bfs_scans + counts_.graft_scans) > shared_.most_scans) {
        if (team_.leads()) shared_.gave_up = true;
        break;
      }
      from_roots = visits_ <= freed_count_;
      if (from_roots) start_over();
    }
    team_.barrier();
    forest_.write_back(team_);
  }

 private:
  using Visit = typename SearchForest<Id, Offset>::Visit;
  static constexpr int64_t kWide = 5;  // the paper's alpha

  Id* roots() { return shared_.unmatched[roots_].data(); }

  void begin() {
    forest_.set_up(team_);
    const Mates<Id> mates = forest_.mates;
    const Adjacency<Id, Offset>& lists = shared_.graph.of_col;
    list_roots(
        shared_.graph.cols, [&](int64_t i) { return Id(i); },
        [&](Id col) { return mates.row_of_col[col] < 0 && lists.degree(col) > 0; });
    if (shared_.local) {
      search_locally();
      drop_matched_roots();
    }
    plant();
  }

  // Makes the list of roots: those of `count` candidates that are to be kept, in their order.
  template <class At, class Keep>
  void list_roots(int64_t count, At at, Keep keep) {
    const Share share(count, team_);
    int64_t kept = 0;
    for (int64_t i = share.first; i < share.last; ++i) kept += keep(at(i));
    const bsp::Scanned scanned = team_.scan(kept);
    roots_ ^= 1;
    Id* next = roots() + scanned.before;
    for (int64_t i = share.first; i < share.last; ++i)
      if (const Id col = at(i); keep(col)) *next++ = col;
    trees_ = scanned.total;
    team_.barrier();
  }

  void drop_matched_roots() {
    const Id* const before = roots();
    const Mates<Id> mates = forest_.mates;
    list_roots(
        trees_, [&](int64_t i) { return before[i]; }, [&](Id col) { return mates.row_of_col[col] < 0; });
  }

  void search_locally() {
    BoundedSearch<Id, Offset, Team> bounded(forest_, team_, shared_.local_progress);
    bounded.search(roots(), trees_, unmatched_rows_);
    counts_.local_scans += bounded.scans();
    counts_.local_paths += bounded.paths().paths;
    counts_.paths += bounded.paths();
    count_matched(team_.sum(bounded.paths().paths));
  }

  void count_matched(int64_t paths) {
    unmatched_rows_ -= paths;
    const Pattern<Id, Offset>& graph = shared_.graph;
    if (team_.leads()) shared_.run.report(graph.rows - unmatched_rows_, std::min(graph.rows, graph.cols));
  }

  // One tree for each unmatched column.
  void plant() {
    const Share trees(trees_, team_);
    for (int64_t tree = trees.first; tree < trees.last; ++tree) forest_.leaf[tree] = -1;
    visits_ = 0;
    if (team_.leads()) forest_.visited[visited_].size = 0;
    team_.barrier();
  }

  void start_over() {
    const Share rows(shared_.graph.rows, team_), cols(shared_.graph.cols, team_);
    for (int64_t row = rows.first; row < rows.last; ++row) forest_.rows[row].parent = -1;
    for (int64_t col = cols.first; col < cols.last; ++col) forest_.cols[col].tree = -1;
    drop_matched_roots();
    plant();
  }

  // Grows every tree until it has found a path or cannot grow. True if one has found a path.
  bool grow(bool from_roots) {
    if (team_.leads()) {
      shared_.freed.size = 0;
      forest_.visited[visited_ ^ 1].size = 0;
    }
    Level level{visits_ - grafted_, visits_, 0};
    if (from_roots) {
      const Id* const root = roots();
      const auto at = [=](int64_t i) { return Visit{root[i], Id(i)}; };
      levels_.deal_out(trees_, [&](int64_t first, int64_t last) { grower_.grow(first, last, at); });
      level = {0, team_.sum(grower_.deliver()), 1};
    }
    while (level.first < level.last && !team_.expired()) {
      if (goes_bottom_up(level))
        expand_bottom_up(level);
      else
        levels_.expand(
            level, [this](const Level&, int64_t first, int64_t last) { expand(first, last); },
            [this] { return grower_.deliver(); }, [] { return false; });
    }
    visits_ = level.last;
    if (team_.leads()) shared_.levels.push_back(level.number);
    return forest_.with_path.size > 0 && !team_.expired();
  }

  void expand(int64_t first, int64_t last) {
    const Visit* const visited = forest_.visited[visited_].items.data();
    grower_.grow(first, last, [=, this](int64_t i) {
      return Visit{forest_.column_behind(visited[i].vertex), visited[i].tree};
    });
  }

  // Whether the level is so wide that scanning from the unvisited rows takes fewer scans.
  bool goes_bottom_up(const Level& level) const {
    const int64_t unvisited = shared_.graph.rows - level.last;
    return shared_.bottom_up && level.size() >= levels_.kNarrow && level.size() * kWide > unvisited;
  }

  // A level bottom-up: its columns get their trees, and each unvisited row searches its list for one of them.
  void expand_bottom_up(Level& level) {
    const Visit* const visited = forest_.visited[visited_].items.data() + level.first;
    levels_.deal_out(level.size(), [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        if (i + 16 < last) prefetch_to_write(&forest_.cols[forest_.column_behind(visited[i + 16].vertex)]);
        if (forest_.grows(visited[i].tree))
          forest_.cols[forest_.column_behind(visited[i].vertex)].tree = visited[i].tree;
      }
      team_.spend(last - first);
    });
    team_.barrier();
    levels_.deal_out(shared_.graph.rows, [&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last && !team_.cut(); ++row) {
        if (row + 8 < last && forest_.rows[row + 8].parent < 0) prefetch_cols(Id(row + 8));
        if (forest_.rows[row].parent < 0) counts_.bfs_scans += hang_below(Id(row));
      }
      team_.spend(last - first);
    });
    level = {level.last, level.last + team_.sum(grower_.deliver()), level.number + 1};
    if (team_.leads()) ++shared_.bottom_up_levels;
  }

  // Flips the path of every tree that has one.
  void augment() {
    const int64_t paths = forest_.with_path.size;
    levels_.deal_out(paths, [&](int64_t first, int64_t last) {
      for (; first < last && !team_.cut(); ++first) {
        const Id tree = forest_.with_path.items[first];
        const int64_t columns = forest_.flip(forest_.leaf[tree]);
        counts_.paths.add(columns);
        team_.spend(columns);
      }
    });
    count_matched(paths);
    team_.barrier();
  }

  // Removes the rows of trees that found a path from the list of visits.
  void free_rows() {
    if (team_.leads()) forest_.with_path.size = 0;
    auto& visited = forest_.visited[visited_];
    auto& kept = forest_.visited[visited_ ^ 1];
    kept_.aim(kept);
    freed_.aim(shared_.freed);
    int64_t stay = 0;
    levels_.deal_out(visits_, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        const Visit visit = visited.items[i];
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
    const int64_t visits = visits_;
    visits_ = team_.sum(stay);
    freed_count_ = visits - visits_;
    visited_ ^= 1;
    grower_.record_in(kept);
  }

  // Hangs the row below the first of its columns that is in a growing tree; how many it scanned.
  int64_t hang_below(Id row) {
    const Offset first = lists_.start[row], last = lists_.start[row + 1];
    Offset k = first;
    while (k < last) {
      const Id col = lists_.neighbour[k++];
      const Id tree = forest_.cols[col].tree;
      if (tree < 0 || !forest_.grows(tree)) continue;
      forest_.rows[row].parent = col;
      grower_.add(row, tree);
      break;
    }
    team_.spend(k - first + 1);
    return k - first;
  }

  void prefetch_cols(Id row) {
    const Offset last = std::min<Offset>(lists_.start[row + 1], lists_.start[row] + 8);
    for (Offset k = lists_.start[row]; k < last; ++k) prefetch(&forest_.cols[lists_.neighbour[k]]);
  }

  // Hangs each freed row that has a neighbour in a surviving tree below that neighbour.
  void graft() {
    const LargeArray<Id>& freed = shared_.freed.items;
    levels_.deal_out(freed_count_, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last && !team_.cut(); ++i) {
        if (i + 16 < last) prefetch(&lists_.start[freed[i + 16]]);
        if (i + 8 < last) prefetch(&lists_.neighbour[lists_.start[freed[i + 8]]]);
        if (i + 4 < last) prefetch_cols(freed[i + 4]);
        counts_.graft_scans += hang_below(freed[i]);
      }
    });
    grafted_ = team_.sum(grower_.deliver());
    visits_ += grafted_;
    if (team_.leads()) ++shared_.grafts;
  }

  Shared<Id, Offset>& shared_;
  SearchForest<Id, Offset>& forest_;
  const Adjacency<Id, Offset> lists_;  // of rows
  Team& team_;
  GraftingCounts& counts_;
  ForestWorker<Id, Offset, Team> grower_;
  // Where the solve stands. Every worker has a copy, changed by agreed values only.
  int64_t unmatched_rows_;
  int64_t trees_ = 0;        // this forest's, with those that have found a path
  int64_t visits_ = 0;       // in the list of visits
  int64_t freed_count_ = 0;  // rows that the last phase freed
  int64_t grafted_ = 0;      // rows that were grafted, at the end of the list of visits
  int visited_ = 0;          // which list of visits is in use
  int roots_ = 0;            // which list of unmatched columns is in use
  LevelWorker<Team> levels_;
  Outbox<Visit, Team> kept_;
  Outbox<Id, Team> freed_;
};

template <class Id, class Offset>
void report(Shared<Id, Offset>& shared, int workers, Run& run) {
  GraftingCounts total;
  for (const GraftingCounts& counts : shared.counts) {
    total += counts;
    total.graft_scans += counts.graft_scans;
    total.local_scans += counts.local_scans;
    total.local_paths += counts.local_paths;
  }
  run.count("phases", int64_t(shared.levels.size()));
  run.count("levels", std::move(shared.levels));
  run.count("bottom_up_levels", shared.bottom_up_levels);
  run.count("grafts", shared.grafts);
  run.count("bfs_arc_scans", total.bfs_scans);
  run.count("graft_arc_scans", total.graft_scans);
  run.count("local_arc_scans", total.local_scans);
  run.count("local_paths", total.local_paths);
  total.paths.report(run);
  run.count("claims_lost", total.claims_lost);
  run.count("workers", int64_t(workers));
}

}  // namespace

template <class Id, class Offset>
bool graft_within(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, int64_t most_scans,
                  Run& run) {
  Shared<Id, Offset> shared(graph, mates, knobs, most_scans, run);
  int workers = 1;
  if (shared.max_trees > 0 && shared.unmatched_rows > 0)
    workers = run_on_threads(shared.threads, run, [&](auto& team) { Worker(shared, team).solve(); });
  report(shared, workers, run);
  return !shared.gave_up;
}

template <class Id, class Offset>
void tree_grafting(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  graft_within(graph, mates, knobs, std::numeric_limits<int64_t>::max(), run);
}

template bool graft_within(const Pattern<int32_t, int32_t>&, Mates<int32_t>, const Knobs&, int64_t, Run&);
template bool graft_within(const Pattern<int32_t, int64_t>&, Mates<int32_t>, const Knobs&, int64_t, Run&);
template bool graft_within(const Pattern<int64_t, int64_t>&, Mates<int64_t>, const Knobs&, int64_t, Run&);
KONIG_INSTANTIATE_SOLVER(tree_grafting)

}  // namespace konig
