// Multi-source breadth-first search with tree grafting, the engine of `auto`: `ms-bfs-graft` on one thread,
// `p-ms-bfs-graft` on several.
//
// Azad, Buluc, Pothen, "Computing maximum cardinality matchings in parallel on bipartite graphs via
// tree-grafting", IEEE TPDS 28(1), 2017. Alternating trees grow from all unmatched columns, level by level,
// until every tree has found a path or cannot grow. The paths are flipped, each by one worker: trees share no
// vertex. The rows of trees that found one are free again; instead of starting over, each of them is offered
// to the trees that found none, which go on from there.
//
// State: grafting/state.h. Trees grow by grafting/levels.h, and grafting/forest.h says who writes what while
// they do. Otherwise each step writes what no other worker reads in it: flipping, the mates on its own tree's
// path; freeing, the parents of the rows it was dealt; grafting, those of the freed rows it was dealt, while
// trees of columns stand still.
//
// Where we deviate:
// - Before the first phase, `local` searches from small batches of unmatched columns, each bounded in the
//   rows it may visit: grafting/bounded_search.h.
// - Grafting reads the freed rows' lists and regrows, about twice the freed part; starting over regrows
//   the whole forest. So we graft when the surviving trees hold more rows than were freed (the paper, with
//   parallel levels to save, grafts from a fifth).
// - The search ends as soon as one side is matched completely; no last search proves what is known.
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
#include <algorithm>
#include <utility>

#include "core/compressed.h"
#include "core/prefetch.h"
#include "core/stopwatch.h"
#include "matching/grafting/levels.h"
#include "matching/grafting/state.h"
#include "matching/solvers.h"

namespace konig {
namespace grafting {
namespace {

// One worker in one launch: plants trees, has them grow, flips their paths, frees and grafts their rows.
template <class Id, class Offset, class Team>
class Worker {
 public:
  Worker(Shared<Id, Offset>& shared, Team& team) : hand_(shared, team), levels_(hand_) {}

  void run() {
    hand_.team.barrier();  // no worker writes the state before all have read it
    hand_.grower.record_in(hand_.forest.visited[hand_.s.lists]);
    solve();
    if (hand_.team.leads()) hand_.shared.state = hand_.s;
  }

 private:
  using Visit = typename SearchForest<Id, Offset>::Visit;

  void solve() {
    bool from_roots = hand_.s.step == kBegin;
    if (from_roots) begin();
    while (!hand_.team.expired()) {
      if (!from_roots) graft();
      const int64_t fresh = from_roots ? hand_.s.trees : hand_.s.grafted;
      if (hand_.s.unmatched_rows == 0 || fresh == 0 || !levels_.grow(from_roots)) break;
      augment();
      free_rows();
      from_roots = hand_.s.visits <= hand_.s.freed;
      if (from_roots) {
        start_over();
      } else if (!hand_.shared.row_lists.present()) {
        hand_.s.step = kWantsRows;
        return;
      }
    }
    hand_.team.barrier();
    hand_.forest.write_back(hand_.team);
    hand_.s.step = kEnd;
  }

  void begin() {
    hand_.forest.set_up(hand_.team);
    const Mates<Id> mates = hand_.forest.mates;
    const Adjacency<Id, Offset>& lists = hand_.shared.graph.of_col;
    list_columns(
        hand_.shared.graph.cols, [&](int64_t i) { return Id(i); },
        [&](Id col) { return mates.row_of_col[col] < 0 && lists.degree(col) > 0; });
    if (hand_.shared.local) {
      search_locally();
      drop_matched_columns();
    }
    plant();
  }

  // Makes the list of unmatched columns that are left of `count` candidates, in their order.
  template <class At, class Keep>
  void list_columns(int64_t count, At at, Keep keep) {
    const Share share(count, hand_.team);
    int64_t kept = 0;
    for (int64_t i = share.first; i < share.last; ++i) kept += keep(at(i));
    const bsp::Scanned scanned = hand_.team.scan(kept);
    hand_.s.columns ^= 1;
    Id* next = hand_.columns() + scanned.before;
    for (int64_t i = share.first; i < share.last; ++i)
      if (const Id col = at(i); keep(col)) *next++ = col;
    hand_.s.trees = scanned.total;
    hand_.team.barrier();
  }

  void drop_matched_columns() {
    const Id* const before = hand_.columns();
    const Mates<Id> mates = hand_.forest.mates;
    list_columns(
        hand_.s.trees, [&](int64_t i) { return before[i]; },
        [&](Id col) { return mates.row_of_col[col] < 0; });
  }

  void search_locally() {
    BoundedSearch<Id, Offset, Team> bounded(hand_.forest, hand_.team, hand_.shared.local_progress);
    bounded.search(hand_.columns(), hand_.s.trees, hand_.s.unmatched_rows);
    hand_.tally.local_scans += bounded.scans();
    hand_.tally.local_paths += bounded.paths().paths;
    hand_.tally.paths += bounded.paths();
    settle(hand_.team.sum(bounded.paths().paths));
  }

  void settle(int64_t paths) {
    hand_.s.unmatched_rows -= paths;
    const Pattern<Id, Offset>& graph = hand_.shared.graph;
    if (hand_.team.leads())
      hand_.shared.run.report(graph.rows - hand_.s.unmatched_rows, std::min(graph.rows, graph.cols));
  }

  // One tree for each unmatched column.
  void plant() {
    const Share trees(hand_.s.trees, hand_.team);
    const Id* const roots = hand_.columns();
    for (int64_t tree = trees.first; tree < trees.last; ++tree) {
      hand_.forest.root[tree] = roots[tree];
      hand_.forest.leaf[tree] = -1;
    }
    hand_.s.visits = 0;
    if (hand_.team.leads()) hand_.forest.visited[hand_.s.lists].used.value = 0;
    hand_.team.barrier();
  }

  void start_over() {
    const Share rows(hand_.shared.graph.rows, hand_.team), cols(hand_.shared.graph.cols, hand_.team);
    for (int64_t row = rows.first; row < rows.last; ++row) hand_.forest.rows[row].parent = -1;
    for (int64_t col = cols.first; col < cols.last; ++col) hand_.forest.cols[col].tree = -1;
    drop_matched_columns();
    plant();
  }

  // Flips the path of every tree that has one.
  void augment() {
    const int64_t found = hand_.forest.founds.value;
    hand_.deal_out(found, [&](int64_t first, int64_t last) {
      for (; first < last && !hand_.team.cut(); ++first) {
        const Id tree = hand_.forest.found[first];
        const int64_t columns = hand_.forest.flip(hand_.forest.leaf[tree], hand_.forest.root[tree]);
        hand_.tally.paths.add(columns);
        hand_.team.spend(columns);
      }
    });
    settle(found);
    hand_.team.barrier();
  }

  // Takes the rows of trees that found a path off the list of visits.
  void free_rows() {
    if (hand_.team.leads()) hand_.forest.founds.value = 0;
    auto& visited = hand_.forest.visited[hand_.s.lists];
    auto& kept = hand_.forest.visited[hand_.s.lists ^ 1];
    kept_.aim(kept.list.data(), &kept.used.value);
    freed_.aim(hand_.shared.freed.data(), &hand_.shared.freed_used.value);
    int64_t stay = 0;
    hand_.deal_out(hand_.s.visits, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        const Visit visit = visited.list[i];
        if (hand_.forest.leaf[visit.tree] < 0) {
          kept_.put(visit);
          ++stay;
        } else {
          freed_.put(visit.vertex);
          hand_.forest.rows[visit.vertex].parent = -1;
        }
      }
      hand_.team.spend(last - first);
    });
    kept_.deliver();
    freed_.deliver();
    const int64_t visits = hand_.s.visits;
    hand_.s.visits = hand_.team.sum(stay);
    hand_.s.freed = visits - hand_.s.visits;
    hand_.s.lists ^= 1;
    hand_.grower.record_in(kept);
  }

  // Hangs each freed row that has a neighbour in a surviving tree below that neighbour.
  void graft() {
    const Adjacency<Id, Offset> lists = hand_.shared.row_lists;
    const LargeArray<Id>& freed = hand_.shared.freed;
    hand_.deal_out(hand_.s.freed, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last && !hand_.team.cut(); ++i) {
        if (i + 16 < last) prefetch(&lists.start[freed[i + 16]]);
        if (i + 8 < last) prefetch(&lists.neighbour[lists.start[freed[i + 8]]]);
        if (i + 4 < last) levels_.prefetch_cols(lists, freed[i + 4]);
        hand_.tally.graft_scans += levels_.hang_below(lists, freed[i]);
      }
    });
    hand_.s.grafted = hand_.team.sum(hand_.grower.deliver());
    hand_.s.visits += hand_.s.grafted;
    if (hand_.team.leads()) ++hand_.shared.grafts;
  }

  Hand<Id, Offset, Team> hand_;
  LevelGrower<Id, Offset, Team> levels_;
  Outbox<Visit, Team> kept_;
  Outbox<Id, Team> freed_;
};

template <class Id, class Offset>
class Solver {
 public:
  Solver(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run)
      : graph_(graph), run_(run), shared_(graph, mates, knobs, run) {}

  void solve() {
    const auto launch = [this]<class Team>(Team& team) { Worker<Id, Offset, Team>(shared_, team).run(); };
    const auto between = [this] {
      const bool goes_on = shared_.state.step == kWantsRows;
      if (goes_on) make_row_lists();
      return goes_on;
    };
    const bool is_maximum = shared_.most_trees == 0 || shared_.state.unmatched_rows == 0;
    report(is_maximum ? 1 : run_on_threads(shared_.threads, run_, launch, between));
  }

 private:
  void make_row_lists() {
    Stopwatch watch;
    own_start_ = LargeArray<Offset>(graph_.rows + 1, 0);
    own_neighbour_ = LargeArray<Id>(graph_.of_col.start[graph_.cols]);
    shared_.row_lists = {own_start_.data(), own_neighbour_.data()};
    parallel_transpose(graph_.of_col.start, graph_.of_col.neighbour, graph_.cols, graph_.rows,
                       own_start_.data(), own_neighbour_.data(), shared_.threads, run_);
    run_.count("transpose_seconds", watch.lap());
  }

  void report(int workers) {
    Tally total;
    for (const Tally& tally : shared_.tallies) {
      total += tally;
      total.graft_scans += tally.graft_scans;
      total.local_scans += tally.local_scans;
      total.local_paths += tally.local_paths;
    }
    run_.count("phases", int64_t(shared_.levels.size()));
    run_.count("levels", std::move(shared_.levels));
    run_.count("bottom_up_levels", shared_.bottom_up_levels);
    run_.count("grafts", shared_.grafts);
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
  Shared<Id, Offset> shared_;
  LargeArray<Offset> own_start_;
  LargeArray<Id> own_neighbour_;
};

}  // namespace
}  // namespace grafting

template <class Id, class Offset>
void tree_grafting(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  grafting::Solver<Id, Offset>(graph, mates, knobs, run).solve();
}

KONIG_INSTANTIATE_SOLVER(tree_grafting)

}  // namespace konig
