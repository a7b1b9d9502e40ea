// Hopcroft-Karp (`hk`) and its Duff-Wiberg variant (`hkdw`).
//
// Hopcroft and Karp, "An n^{5/2} algorithm for maximum matchings in bipartite graphs", SIAM J. Comput. 2(4),
// 1973; Duff and Wiberg, "Remarks on implementation of O(n^{1/2} tau) assignment algorithms", ACM TOMS 14(3),
// 1988, as described in Deveci et al. §2. A phase is a BFS from all unmatched columns up to the level of the
// first unmatched row, then depth-first searches inside the layers for a maximal set of disjoint shortest
// augmenting paths. With `extra_row_searches` (HKDW) each phase goes on with one depth-first search from
// every row still unmatched, not bound to the layers, over the columns not yet visited by such a search. The
// papers leave open whether these look ahead: they do by default, which saves most phases and keeps the paths
// short; `lookahead` turns it off.
//
// State: level[c] is the BFS distance of column c counted in columns, -1 when unreached or already proven
// useless in this phase; next[c] is the first entry of c that the phase has not tried. A search visits
// only a column of the next level, and takes it out when it fails or when a path goes through it, so paths
// are disjoint. The run ends when no unmatched row is within reach, or when all rows or all columns are
// matched. Worst case O(sqrt(n) tau). hk reads columns; hkdw reads both sides.
//
// Knobs: extra_row_searches, lookahead (flags; the second only with the first). Counts: phases, levels (per
// phase), bfs_arc_scans, search_arc_scans, lookahead_arc_scans (hkdw), paths, augmentations, longest_path.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "matching/papers/depth_first_search.h"
#include "matching/solvers.h"

namespace konig {
namespace {

template <class Id, class Offset>
class HopcroftKarp {
 public:
  HopcroftKarp(const Pattern<Id, Offset>& graph, Mates<Id> mates, Run& run)
      : graph_(graph),
        mates_(mates),
        run_(run),
        limit_(std::min(graph.rows, graph.cols)),
        level_(graph.cols),
        free_cols_(unmatched_vertices(mates.row_of_col, graph.cols)),
        next_(graph.cols) {
    size_ = graph.cols - Id(free_cols_.size());
  }

  void add_row_searches(bool lookahead) {
    row_search_.emplace(graph_.transposed(), mates_.transposed(), lookahead, run_);
  }

  void solve() {
    while (size_ < limit_ && find_layers()) {
      ++phases_;
      levels_.push_back(int64_t(depth_) + 1);
      for (const Id col : free_cols_) search_layers(col);
      if (row_search_) search_from_rows();
      std::erase_if(free_cols_, [&](Id col) { return mates_.row_of_col[col] >= 0; });
      run_.report(size_, limit_);
    }
    run_.count("phases", phases_);
    run_.count("levels", std::move(levels_));
    run_.count("bfs_arc_scans", bfs_scans_);
    if (row_search_) {
      search_scans_ += row_search_->search_arc_scans();
      run_.count("lookahead_arc_scans", row_search_->lookahead_arc_scans());
      counts_ += row_search_->path_counts();
    }
    run_.count("search_arc_scans", search_scans_);
    counts_.report(run_);
  }

 private:
  // Levels of the columns within reach, up to the first level with an unmatched row: depth_. False if none.
  bool find_layers() {
    level_.assign(graph_.cols, Id(-1));
    frontier_ = free_cols_;
    for (const Id col : frontier_) level_[col] = 0;
    bool found = false;
    for (depth_ = 0; !frontier_.empty(); ++depth_) {
      next_frontier_.clear();
      for (const Id col : frontier_) found |= expand(col);
      if (found) return true;
      std::swap(frontier_, next_frontier_);
    }
    return false;
  }

  bool expand(Id col) {
    bool found = false;
    next_[col] = graph_.of_col.start[col];
    for (Offset k = graph_.of_col.start[col]; k < graph_.of_col.start[col + 1]; ++k) {
      const Id mate = mates_.col_of_row[graph_.of_col.neighbour[k]];
      if (mate < 0) {
        found = true;
      } else if (level_[mate] < 0) {
        level_[mate] = depth_ + 1;
        next_frontier_.push_back(mate);
      }
    }
    bfs_scans_ += graph_.of_col.degree(col);
    run_.spend(graph_.of_col.degree(col) + 1);
    return found;
  }

  // One shortest augmenting path from an unmatched column, if the layers still hold one.
  void search_layers(Id root) {
    path_.assign(1, root);
    while (!path_.empty()) {
      const Id col = path_.back();
      const Offset first = next_[col];
      Id child = -1;
      bool augmented = false;
      Offset k = first;
      for (; k < graph_.of_col.start[col + 1]; ++k) {
        const Id mate = mates_.col_of_row[graph_.of_col.neighbour[k]];
        if (mate < 0) {
          augmented = true;
          break;
        }
        if (level_[mate] == level_[col] + 1 && level_[mate] <= depth_) {
          child = mate;
          break;
        }
      }
      const int64_t work = k - first + (augmented || child >= 0);
      search_scans_ += work;
      run_.spend(work + 1);
      next_[col] = k;
      if (augmented) return augment_path();
      if (child >= 0) {
        path_.push_back(child);
      } else {
        level_[col] = -1;
        path_.pop_back();
        if (!path_.empty()) ++next_[path_.back()];
      }
    }
  }

  // next_[c] points at the row that each column c of the path takes; the columns leave the layers.
  void augment_path() {
    for (auto col = path_.rbegin(); col != path_.rend(); ++col) {
      const Id row = graph_.of_col.neighbour[next_[*col]++];
      mates_.row_of_col[*col] = row;
      mates_.col_of_row[row] = *col;
      level_[*col] = -1;
    }
    ++size_;
    counts_.add(int64_t(path_.size()));
  }

  // Duff and Wiberg's extra step: depth-first from each row still unmatched, each column visited once.
  void search_from_rows() {
    row_search_->open_rows();
    for (Id row = 0; row < graph_.rows && size_ < limit_; ++row)
      if (mates_.col_of_row[row] < 0) size_ += row_search_->augment_from(row);
    run_.spend(graph_.rows);
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  Run& run_;
  const Id limit_;
  Id size_ = 0;
  Id depth_ = 0;
  std::vector<Id> level_, free_cols_, frontier_, next_frontier_, path_;
  std::vector<Offset> next_;
  std::optional<DepthFirstSearch<Id, Offset>> row_search_;
  int64_t phases_ = 0, bfs_scans_ = 0, search_scans_ = 0;
  PathCounts counts_;
  std::vector<int64_t> levels_;
};

}  // namespace

template <class Id, class Offset>
void hopcroft_karp(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  HopcroftKarp<Id, Offset> solver(graph, mates, run);
  if (knobs.flag("extra_row_searches")) solver.add_row_searches(knobs.flag("lookahead"));
  solver.solve();
}

KONIG_INSTANTIATE_SOLVER(hopcroft_karp)

}  // namespace konig
