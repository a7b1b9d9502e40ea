// Multi-source breadth-first search with tree grafting (`ms-bfs-graft`), the engine of `auto`.
//
// Azad, Buluc, Pothen, "Computing maximum cardinality matchings in parallel on bipartite graphs via
// tree-grafting", IEEE TPDS 28(1), 2017. Alternating trees grow from all unmatched columns until every tree
// has found a path or cannot grow. The paths are flipped. The rows of trees that found one are free again;
// instead of starting over, each of them is offered to the trees that found none, which go on from there.
//
// Where we deviate:
// - Before the first phase, `local` searches from small batches of unmatched columns, each bounded in the
//   rows it may visit. Where neighbouring columns have neighbouring lists, a batch stays in the cache and
//   almost every path is found here; where they do not, it costs what the first phase would have cost. It
//   gives up when most searches fail.
// - Grafting reads the freed rows' lists and regrows, about twice the freed part; starting over regrows
//   the whole forest. So we graft when the surviving trees hold more rows than were freed (the paper, with
//   parallel levels to save, grafts from a fifth).
// - The search ends as soon as one side is matched completely; no last search proves what is known.
//
// Reads columns; row lists are needed only to graft, and are made at that moment if the caller has none.
// Knobs: local (flag). Counts: phases, levels (per phase), grafts, bfs_arc_scans, graft_arc_scans,
// local_arc_scans, local_paths, transpose_seconds (only if made here), paths, augmentations, longest_path.
#include <chrono>
#include <vector>

#include "core/compressed.h"
#include "matching/augment.h"
#include "matching/search_forest.h"
#include "matching/solvers.h"

namespace konig {
namespace {

template <class Id, class Offset>
class TreeGrafting {
 public:
  TreeGrafting(const Pattern<Id, Offset>& graph, Mates<Id> mates, Run& run)
      : graph_(graph), mates_(mates), run_(run), forest_(graph, mates, run) {
    for (Id col = 0; col < graph.cols; ++col)
      if (mates.row_of_col[col] < 0 && graph.of_col.degree(col) > 0) unmatched_cols_.push_back(col);
    unmatched_rows_ = graph.rows - matched_vertices(mates.col_of_row, graph.rows);
  }

  void solve(bool local) {
    if (local) search_locally();
    start_over();
    while (unmatched_rows_ > 0 && !frontier_.empty() && grow_forest()) {
      for (const Id tree : forest_.found) forest_.augment(tree);
      settle(Id(forest_.found.size()));
      free_rows_of_found_trees();
      if (forest_.visits > freed_.size())
        graft();
      else
        start_over();
    }
    forest_.write_back();
    report();
  }

 private:
  static constexpr size_t kBatch = 256;         // columns searched together by search_locally
  static constexpr size_t kRowsPerColumn = 32;  // and how many rows a batch may visit for each
  static constexpr size_t kBatchesBeforeDoubt = 8;

  void settle(Id paths) {
    unmatched_rows_ -= paths;
    run_.report(graph_.rows - unmatched_rows_, std::min(graph_.rows, graph_.cols));
  }

  void search_locally() {
    size_t tried = 0;
    for (size_t first = 0; first < unmatched_cols_.size() && unmatched_rows_ > 0; first += kBatch) {
      const size_t last = std::min(first + kBatch, unmatched_cols_.size());
      forest_.uproot_all();
      forest_.found.clear();
      frontier_.clear();
      for (size_t i = first; i < last; ++i) {
        frontier_.push_back({unmatched_cols_[i], forest_.trees()});
        forest_.plant(unmatched_cols_[i]);
      }
      forest_.grow_from(frontier_);
      for (size_t begin = 0; begin < forest_.visits && forest_.visits < (last - first) * kRowsPerColumn;) {
        const size_t end = std::min(forest_.visits, begin + kBatch);
        forest_.grow_level(begin, end);
        begin = end;
      }
      for (const Id tree : forest_.found) forest_.augment(tree);
      forget_visits();
      settle(Id(forest_.found.size()));
      local_paths_ += forest_.found.size();
      tried += last - first;
      if (tried >= kBatch * kBatchesBeforeDoubt && 2 * local_paths_ < int64_t(tried)) break;
    }
    local_scans_ = forest_.scans;
  }

  void forget_visits() {
    for (size_t i = 0; i < forest_.visits; ++i) forest_.rows[forest_.visited[i].vertex].parent = -1;
    forest_.visits = 0;
  }

  // One tree for each column that is still unmatched, and nothing visited.
  void start_over() {
    forget_visits();
    for (auto& col : forest_.cols) col.tree = -1;
    std::erase_if(unmatched_cols_, [&](Id col) { return mates_.row_of_col[col] >= 0; });
    forest_.uproot_all();
    frontier_.clear();
    for (const Id col : unmatched_cols_) {
      frontier_.push_back({col, forest_.trees()});
      forest_.plant(col);
    }
  }

  // Grows every tree until it has a path or cannot grow. True if any has one.
  bool grow_forest() {
    forest_.found.clear();
    const int64_t scans_before = forest_.scans;
    size_t first = forest_.visits;
    forest_.grow_from(frontier_);
    int64_t levels = 1;
    while (first < forest_.visits) {
      const size_t last = forest_.visits;
      forest_.grow_level(first, last);
      first = last;
      ++levels;
    }
    bfs_scans_ += forest_.scans - scans_before;
    levels_.push_back(levels);
    return !forest_.found.empty();
  }

  void free_rows_of_found_trees() {
    freed_.clear();
    size_t kept = 0;
    for (size_t i = 0; i < forest_.visits; ++i) {
      const auto visit = forest_.visited[i];
      if (forest_.leaf[visit.tree] >= 0)
        freed_.push_back(visit.vertex);
      else
        forest_.visited[kept++] = visit;
    }
    forest_.visits = kept;
    for (const Id row : freed_) forest_.rows[row].parent = -1;
  }

  // Hangs each freed row that has a neighbour in a surviving tree below that neighbour.
  void graft() {
    ++grafts_;
    frontier_.clear();
    const Adjacency<Id, Offset> lists = row_lists();
    const size_t count = freed_.size();
    for (size_t i = 0; i < count; ++i) {
      if (i + 16 < count) prefetch(&lists.start[freed_[i + 16]]);
      if (i + 8 < count) prefetch(&lists.neighbour[lists.start[freed_[i + 8]]]);
      if (i + 4 < count) prefetch_cols(lists, freed_[i + 4]);
      graft_row(lists, freed_[i]);
    }
  }

  void prefetch_cols(const Adjacency<Id, Offset>& lists, Id row) {
    const Offset last = std::min<Offset>(lists.start[row + 1], lists.start[row] + 8);
    for (Offset k = lists.start[row]; k < last; ++k) prefetch(&forest_.cols[lists.neighbour[k]]);
  }

  void graft_row(const Adjacency<Id, Offset>& lists, Id row) {
    const Offset first = lists.start[row];
    const Offset last = lists.start[row + 1];
    Offset k = first;
    while (k < last) {
      const Id col = lists.neighbour[k++];
      const Id tree = forest_.cols[col].tree;
      if (tree < 0 || forest_.leaf[tree] >= 0) continue;
      forest_.rows[row].parent = col;
      forest_.visited[forest_.visits++] = {row, tree};
      frontier_.push_back({forest_.rows[row].mate, tree});
      break;
    }
    graft_scans_ += k - first;
    run_.spend(k - first + 1);
  }

  Adjacency<Id, Offset> row_lists() {
    if (graph_.of_row.present()) return graph_.of_row;
    if (own_start_.empty()) {
      const auto began = std::chrono::steady_clock::now();
      own_start_.assign(graph_.rows + 1, 0);
      own_neighbour_.resize(graph_.of_col.start[graph_.cols]);
      transpose(graph_.of_col.start, graph_.of_col.neighbour, graph_.cols, graph_.rows, own_start_.data(),
                own_neighbour_.data(), run_);
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
      run_.count("transpose_seconds", seconds.count());
    }
    return {own_start_.data(), own_neighbour_.data()};
  }

  void report() {
    run_.count("phases", int64_t(levels_.size()));
    run_.count("levels", std::move(levels_));
    run_.count("grafts", grafts_);
    run_.count("bfs_arc_scans", bfs_scans_);
    run_.count("graft_arc_scans", graft_scans_);
    run_.count("local_arc_scans", local_scans_);
    run_.count("local_paths", local_paths_);
    forest_.paths.report(run_);
  }

  using Forest = SearchForest<Id, Offset>;

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  Run& run_;
  Forest forest_;
  std::vector<Id> unmatched_cols_;
  Id unmatched_rows_ = 0;
  std::vector<typename Forest::Visit> frontier_;
  std::vector<Id> freed_;
  std::vector<Offset> own_start_;
  std::vector<Id> own_neighbour_;
  int64_t grafts_ = 0, bfs_scans_ = 0, graft_scans_ = 0, local_scans_ = 0, local_paths_ = 0;
  std::vector<int64_t> levels_;
};

}  // namespace

template <class Id, class Offset>
void tree_grafting(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  TreeGrafting<Id, Offset>(graph, mates, run).solve(knobs.flag("local"));
}

KONIG_INSTANTIATE_SOLVER(tree_grafting)

}  // namespace konig
