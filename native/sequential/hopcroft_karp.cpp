// Hopcroft-Karp (`hk`) and its Duff-Wiberg variant (`hkdw`).
//
// Hopcroft and Karp, "An n^{5/2} algorithm for maximum matchings in bipartite graphs", SIAM J. Comput. 2(4),
// 1973; Duff and Wiberg, "Remarks on implementation of O(n^{1/2} tau) assignment algorithms", ACM TOMS 14(3),
// 1988, as described in Deveci et al. §2. A phase is a BFS from all unmatched columns up to the level of the
// first unmatched row, then depth-first searches inside the layers for a maximal set of disjoint shortest
// augmenting paths. With `extra_row_searches` (HKDW) each phase goes on with one depth-first search from
// every row still unmatched, not bound to the layers, over the columns not yet visited by such a search.
//
// State: level[c] is the BFS distance of column c counted in columns, -1 when unreached or already proven
// useless in this phase; next[c] is the first entry of c that the phase has not tried. A search visits
// only a column of the next level, and takes it out when it fails or when a path goes through it, so paths
// are disjoint. Worst case O(sqrt(n) tau). hk reads columns; hkdw reads both sides.
//
// Knobs: extra_row_searches (flag). Counts: phases, levels (per phase), bfs_arc_scans, search_arc_scans,
// augmentations (edges entered into the matching along paths longer than one).
#include <algorithm>
#include <utility>
#include <vector>

#include "sequential/augment.h"
#include "sequential/solvers.h"

namespace konig {
namespace {

template <class Id, class Offset>
class HopcroftKarp {
 public:
  HopcroftKarp(const Pattern<Id, Offset>& graph, Mates<Id> mates, bool extra_row_searches, Run& run)
      : graph_(graph), mates_(mates), extra_(extra_row_searches), run_(run) {}

  void solve() {
    level_.resize(graph_.cols);
    next_.resize(graph_.cols);
    free_cols_ = unmatched_vertices(mates_.row_of_col, graph_.cols);
    size_ = graph_.cols - Id(free_cols_.size());
    if (extra_) seen_in_phase_.assign(graph_.cols, 0);
    while (find_layers()) {
      ++phases_;
      levels_.push_back(int64_t(depth_) + 1);
      for (const Id col : free_cols_) search_layers(col);
      if (extra_) search_from_rows();
      std::erase_if(free_cols_, [&](Id col) { return mates_.row_of_col[col] >= 0; });
      run_.report(size_, std::min(graph_.rows, graph_.cols));
    }
    run_.count("phases", phases_);
    run_.count("levels", std::move(levels_));
    run_.count("bfs_arc_scans", bfs_scans_);
    run_.count("search_arc_scans", search_scans_);
    run_.count("augmentations", augmentations_);
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
    augmentations_ += path_.size() > 1 ? int64_t(path_.size()) : 0;
  }

  // Duff and Wiberg's extra step: depth-first from each row still unmatched, each column visited once.
  void search_from_rows() {
    ++stamp_;
    for (Id row = 0; row < graph_.rows; ++row)
      if (mates_.col_of_row[row] < 0) search_from_row(row);
    run_.spend(graph_.rows);
  }

  void search_from_row(Id root) {
    row_path_.assign(1, {root, graph_.of_row.start[root]});
    while (!row_path_.empty()) {
      auto& [row, k] = row_path_.back();
      const Offset first = k;
      Id col = -1;
      for (; k < graph_.of_row.start[row + 1]; ++k) {
        col = graph_.of_row.neighbour[k];
        if (seen_in_phase_[col] != stamp_) break;
        col = -1;
      }
      const int64_t work = k - first + (col >= 0);
      search_scans_ += work;
      run_.spend(work + 1);
      if (col < 0) {
        row_path_.pop_back();
        continue;
      }
      seen_in_phase_[col] = stamp_;
      const Id mate = mates_.row_of_col[col];
      if (mate < 0) return augment_row_path();
      ++k;
      row_path_.push_back({mate, graph_.of_row.start[mate]});
    }
  }

  // The last row takes the unmatched column its scan stopped at; every other row takes the column that the
  // next one leaves.
  void augment_row_path() {
    Id col = graph_.of_row.neighbour[row_path_.back().second];
    for (auto step = row_path_.rbegin(); step != row_path_.rend(); ++step) {
      const Id row = step->first;
      const Id left = mates_.col_of_row[row];
      mates_.col_of_row[row] = col;
      mates_.row_of_col[col] = row;
      col = left;
    }
    ++size_;
    augmentations_ += row_path_.size() > 1 ? int64_t(row_path_.size()) : 0;
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  const bool extra_;
  Run& run_;
  Id depth_ = 0;
  Id size_ = 0;
  std::vector<Id> level_, free_cols_, frontier_, next_frontier_, path_;
  std::vector<Offset> next_;
  std::vector<Id> seen_in_phase_;
  Id stamp_ = 0;
  std::vector<std::pair<Id, Offset>> row_path_;
  int64_t phases_ = 0, bfs_scans_ = 0, search_scans_ = 0, augmentations_ = 0;
  std::vector<int64_t> levels_;
};

}  // namespace

template <class Id, class Offset>
void hopcroft_karp(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  HopcroftKarp<Id, Offset>(graph, mates, knobs.flag("extra_row_searches"), run).solve();
}

KONIG_INSTANTIATE_SOLVER(hopcroft_karp)

}  // namespace konig
