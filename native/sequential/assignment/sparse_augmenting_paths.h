// The sparse assignment problem by shortest augmenting paths.
//
// R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment
// problems, Computing 38 (1987), on lists of allowed pairs, with a heap.
//
// Minimises; rows <= cols, every row is assigned. State and invariant are those of
// shortest_augmenting_paths.h. A square starts from the prices of an auction with epsilon scaling: after
// Jonker and Volgenant's reductions alone the searches would go through much of the graph. On a square all
// free rows also search together, in phases: trees from all of them grow in the order of distance, and every
// tree that has reached a free column gives a path. On a rectangle a free column's dual must stay 0, so that
// rows search one after the other.
//
// What a search touches of a column lies together in half a cache line: on large problems the time goes into
// waiting for columns. A search keeps the length of the shortest path to a free column that it has seen, and
// puts nothing on the heap that is not shorter; columns at the distance that is being scanned wait in a queue
// instead, so that trees grow evenly where costs tie.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/prefetch.h"
#include "core/run.h"
#include "sequential/assignment/dense_scans.h"
#include "sequential/assignment/distance_heap.h"
#include "sequential/assignment/epsilon_auction.h"
#include "sequential/assignment/hall_violator.h"
#include "sequential/assignment/sparse_costs.h"

namespace konig {

template <class S, class T>
class SparseAugmentingPaths {
 public:
  struct Counts {
    int64_t bids = 0;            // of the auction
    int64_t reduced_rows = 0;    // assigned before the first shortest path
    int64_t row_reductions = 0;  // steps of augmenting row reduction
    int64_t phases = 0;          // searches from all free rows together
    int64_t paths = 0;           // shortest augmenting paths
    int64_t entry_scans = 0;     // entries read, in all stages
  };

  void prepare(const SparseCosts<S>& costs) {
    costs_ = costs;
    counts_ = {};
    columns_.assign(costs.cols, Column{T(0), T(0), 0, -1, -1, -1});
    col_of_row_.assign(costs.rows, -1);
    held_.assign(costs.rows, T(0));
    epoch_ = 0;
    free_.clear();
  }

  // Both return whether every row could be assigned; if not, `violator` says why.
  bool solve(Run& run) {
    if (sizeof(T) > 8) {  // reductions overshoot; here small duals are worth more than time
      collect_free_rows();
      return assign_free_rows(run);
    }
    if (costs_.rows == costs_.cols) {
      if (!reduce_columns(run)) return false;
      hold_auction(run);
      assign_tight_rows(run);
    }
    return finish(run);
  }
  // From the column duals that the caller has set.
  bool solve_from_duals(Run& run) {
    assign_tight_rows(run);
    if (costs_.rows < costs_.cols) release_free_columns(run);
    return finish(run);
  }

  // The same problem with more entries; what is assigned stays so where it still attains the smallest slack.
  bool solve_again(const SparseCosts<S>& costs, Run& run) {
    costs_ = costs;
    drop_beaten_rows(run);
    if (costs_.rows < costs_.cols) release_free_columns(run);
    return finish(run);
  }

  T col_dual(int64_t col) const { return columns_[col].dual; }
  void set_col_dual(int64_t col, T dual) { columns_[col].dual = dual; }
  T row_dual(int64_t row) const { return held_[row] - columns_[col_of_row_[row]].dual; }
  int32_t col_of_row(int64_t row) const { return col_of_row_[row]; }
  int32_t row_of_col(int64_t col) const { return columns_[col].row; }
  const Counts& counts() const { return counts_; }

  HallViolator violator;

 private:
  static constexpr T kInfinity = Bounds<T>::infinity;

  struct Column {
    T dual;
    T distance;
    int32_t stamp;   // 2 * epoch: labelled in this search; 2 * epoch + 1: scanned
    int32_t row;     // assigned, or -1
    int32_t before;  // the row that the search came from
    int32_t tree;    // of a search from many rows: the number of its root
  };

  struct Best {
    T first = kInfinity, second = kInfinity;
    int64_t first_entry = -1, second_entry = -1;
  };

  static bool forbids(S cost) {
    if constexpr (sizeof(T) > 8) return cost == std::numeric_limits<S>::max();
    return false;
  }
  T slack(int64_t entry) const {
    if (forbids(costs_.cost[entry])) return kInfinity;
    return T(costs_.cost[entry]) - columns_[costs_.col[entry]].dual;
  }

  void assign(int64_t row, int64_t entry) {
    const int32_t col = costs_.col[entry];
    col_of_row_[row] = col;
    columns_[col].row = int32_t(row);
    held_[row] = T(costs_.cost[entry]);
  }

  void ask_for_columns_of(int64_t row) const {
    for (int64_t e = costs_.start[row]; e < costs_.start[row + 1]; ++e) prefetch(&columns_[costs_.col[e]]);
  }

  // Every column's dual is the smallest cost in it.
  bool reduce_columns(Run& run) {
    for (Column& column : columns_) column.dual = kInfinity;
    for (int64_t i = 0; i < costs_.rows; ++i) {
      if (i + kAhead < costs_.rows) ask_for_columns_of(i + kAhead);
      for (int64_t e = costs_.start[i]; e < costs_.start[i + 1]; ++e) {
        T& dual = columns_[costs_.col[e]].dual;
        dual = std::min(dual, T(costs_.cost[e]));
      }
      count_scan(i, run);
    }
    for (int64_t j = 0; j < costs_.cols; ++j)
      if (columns_[j].dual >= kInfinity) return refuse_column(j);
    return true;
  }

  // The costs less the smallest of their column and then of their row, in an auction whose prices are added
  // on.
  void hold_auction(Run& run) {
    const int64_t entries = costs_.start[costs_.rows];
    std::vector<EpsilonAuction::Entry> reduced(entries);
    double sum = 0;
    int64_t counted = 0;
    for (int64_t i = 0; i < costs_.rows; ++i) {
      if (i + kAhead < costs_.rows) ask_for_columns_of(i + kAhead);
      const T least = two_smallest(i, run).first;
      for (int64_t e = costs_.start[i]; e < costs_.start[i + 1]; ++e) {
        const float cost = least < kInfinity ? float(slack(e) - least) : 0.0f;
        reduced[e] = {costs_.col[e], cost};
        if (!(cost < std::numeric_limits<float>::infinity())) continue;
        sum += cost;
        ++counted;
      }
    }
    if (!(sum > 0)) return;
    const float scale = float(2 * sum / double(counted));  // the largest cost, were they uniform
    EpsilonAuction auction(costs_.rows, costs_.cols, costs_.start, reduced.data(), scale);
    auction.run(run);
    counts_.bids = auction.bids();
    for (int64_t j = 0; j < costs_.cols; ++j) columns_[j].dual += rounded(auction.price()[j]);
  }
  static T rounded(float price) {
    if constexpr (std::is_floating_point_v<T>) return T(price);
    return T(std::llround(price));
  }

  bool refuse_column(int64_t col) {
    violator.rows.assign(costs_.rows, 1);
    violator.cols.assign(costs_.cols, 1);
    violator.cols[col] = 0;
    return false;
  }

  bool is_free(int64_t entry) const { return entry >= 0 && columns_[costs_.col[entry]].row < 0; }

  // Of equal slacks a free column comes first.
  Best two_smallest(int64_t row, Run& run) {
    Best best;
    for (int64_t e = costs_.start[row]; e < costs_.start[row + 1]; ++e) {
      const T here = slack(e);
      if (here < best.first || (here == best.first && is_free(e) && !is_free(best.first_entry))) {
        best = {here, best.first, e, best.first_entry};
      } else if (here < best.second || (here == best.second && is_free(e) && !is_free(best.second_entry))) {
        best.second = here;
        best.second_entry = e;
      }
    }
    count_scan(row, run);
    return best;
  }

  void assign_tight_rows(Run& run) {
    for (int64_t i = 0; i < costs_.rows; ++i) {
      if (i + kAhead < costs_.rows) ask_for_columns_of(i + kAhead);
      const Best best = two_smallest(i, run);
      if (best.first_entry >= 0 && columns_[costs_.col[best.first_entry]].row < 0)
        assign(i, best.first_entry);
    }
  }

  void drop_beaten_rows(Run& run) {
    for (int64_t i = 0; i < costs_.rows; ++i) {
      if (i + kAhead < costs_.rows) ask_for_columns_of(i + kAhead);
      const int32_t held = col_of_row_[i];
      if (held < 0 || two_smallest(i, run).first >= row_dual(i)) continue;
      col_of_row_[i] = columns_[held].row = -1;
    }
  }

  // On a rectangle a free column must have dual 0. Raising duals to 0 may take rows away from their columns,
  // which are then free themselves.
  void release_free_columns(Run& run) {
    bool raised = true;
    while (raised) {
      raised = false;
      for (Column& column : columns_) {
        if (column.row >= 0 || column.dual == T(0)) continue;
        column.dual = T(0);
        raised = true;
      }
      if (raised) drop_beaten_rows(run);
    }
  }

  void collect_free_rows() {
    free_.clear();
    for (int64_t i = 0; i < costs_.rows; ++i)
      if (col_of_row_[i] < 0) free_.push_back(int32_t(i));
  }

  bool finish(Run& run) {
    collect_free_rows();
    reduce_rows(run);
    reduce_rows(run);
    return assign_free_rows(run);
  }

  bool assign_free_rows(Run& run) {
    counts_.reduced_rows = costs_.rows - int64_t(free_.size());
    run.report(counts_.reduced_rows, costs_.rows);
    if (costs_.rows == costs_.cols) {
      while (free_.size() > 1)
        if (!augment_from_all(run)) return false;
    }
    for (size_t k = 0; k < free_.size(); ++k) {
      if (!augment_from(free_[k], run)) return false;
      run.report(costs_.rows - int64_t(free_.size() - k - 1), costs_.rows);
    }
    return true;
  }

  // Every free row takes its best column, which gets cheaper by how much it is better than the second best.
  void reduce_rows(Run& run) {
    size_t next = 0, kept = 0;
    const size_t count = free_.size();
    int64_t steps_left = 4 * costs_.rows;
    while (next < count) {
      const int32_t i = free_[next++];
      if (steps_left-- <= 0) {
        free_[kept++] = i;
        continue;
      }
      if (next + 4 < count) ask_for_columns_of(free_[next + 4]);
      const Best best = two_smallest(i, run);
      ++counts_.row_reductions;
      if (best.second_entry < 0) {  // one allowed column, or none: left to the paths
        free_[kept++] = i;
        continue;
      }
      int64_t entry = best.first_entry;
      Column& first = columns_[costs_.col[entry]];
      const T lowered = first.dual - (best.second - best.first);
      const bool lowers = lowered < first.dual;
      if (lowers)
        first.dual = lowered;
      else if (first.row >= 0)
        entry = best.second_entry;
      const int32_t loser = columns_[costs_.col[entry]].row;
      assign(i, entry);
      if (loser < 0) continue;
      col_of_row_[loser] = -1;
      if (lowers)
        free_[--next] = loser;
      else
        free_[kept++] = loser;
    }
    free_.resize(kept);
  }

  // One phase: trees from all free rows, until no tree has ended for a while. Where some tree reaches
  // nothing, the rows that are left search alone, which finds out.
  bool augment_from_all(Run& run) {
    start_search();
    tree_end_.assign(free_.size(), -1);
    for (size_t tree = 0; tree < free_.size(); ++tree) {
      const T least = two_smallest(free_[tree], run).first;
      if (least < kInfinity) relax<true>(free_[tree], least, T(0), int32_t(tree), run);
    }
    T reached = T(0);
    size_t found = 0, scanned_when_found = 0;
    int32_t j;
    while (found < free_.size() &&
           (found == 0 || scanned_.size() <= kPatience * (scanned_when_found + free_.size() + 64)) &&
           (j = next_column()) >= 0) {
      Column& column = columns_[j];
      reached = column.distance;
      if (column.row >= 0) {
        relax<true>(column.row, held_[column.row] - column.dual, column.distance, column.tree, run);
      } else if (tree_end_[column.tree] < 0) {
        tree_end_[column.tree] = j;
        ++found;
        scanned_when_found = scanned_.size();
      }
    }
    if (found == 0) return search_alone(run);
    ++counts_.phases;
    counts_.paths += int64_t(found);
    for (const int32_t scanned : scanned_) columns_[scanned].dual += columns_[scanned].distance - reached;
    size_t kept = 0;
    for (size_t tree = 0; tree < free_.size(); ++tree) {
      if (tree_end_[tree] < 0)
        free_[kept++] = free_[tree];
      else
        augment_along(free_[tree], tree_end_[tree]);
    }
    free_.resize(kept);
    run.report(costs_.rows - int64_t(kept), costs_.rows);
    return true;
  }

  bool search_alone(Run& run) {
    if (!augment_from(free_.back(), run)) return false;
    free_.pop_back();
    return true;
  }

  // The column to scan next, marked as scanned; -1 if none is nearer than the nearest free column of a search
  // from one row.
  int32_t next_column() {
    while (true) {
      int32_t j;
      if (level_next_ < level_.size()) {
        j = level_[level_next_++];
        if (columns_[j].stamp == scanned_stamp()) continue;
      } else if (!heap_.empty() && heap_.top().distance < best_free_) {
        level_.clear();
        level_next_ = 0;
        const auto [distance, col] = heap_.top();
        j = col;
        heap_.pop();
        if (columns_[j].stamp == scanned_stamp() || columns_[j].distance != distance) continue;
      } else {
        return -1;
      }
      columns_[j].stamp = scanned_stamp();
      scanned_.push_back(j);
      return j;
    }
  }

  bool augment_from(int32_t root, Run& run) {
    start_search();
    const T least = two_smallest(root, run).first;
    if (least < kInfinity) relax<false>(root, least, T(0), 0, run);
    for (int32_t j; (j = next_column()) >= 0;) {
      const Column& column = columns_[j];
      relax<false>(column.row, held_[column.row] - column.dual, column.distance, 0, run);
    }
    if (best_col_ < 0) return refuse_tree(root);
    for (const int32_t j : scanned_) columns_[j].dual += columns_[j].distance - best_free_;
    augment_along(root, best_col_);
    ++counts_.paths;
    return true;
  }

  void start_search() {
    if (++epoch_ == std::numeric_limits<int32_t>::max() / 2 - 1) {
      for (Column& column : columns_) column.stamp = 0;
      epoch_ = 1;
    }
    heap_.clear();
    level_.clear();
    level_next_ = 0;
    scanned_.clear();
    best_free_ = kInfinity;
    best_col_ = -1;
  }
  int32_t labelled_stamp() const { return 2 * epoch_; }
  int32_t scanned_stamp() const { return 2 * epoch_ + 1; }

  // Distances through a row that is itself at the given distance. A search from one row ends at the nearest
  // free column; in a search from many rows free columns wait for their turn like others.
  template <bool kMany>
  void relax(int32_t row, T dual, T distance, int32_t tree, Run& run) {
    ask_for_columns_of(row);
    for (int64_t e = costs_.start[row]; e < costs_.start[row + 1]; ++e) {
      const int32_t j = costs_.col[e];
      Column& column = columns_[j];
      if (forbids(costs_.cost[e])) continue;
      T through = distance + (T(costs_.cost[e]) - column.dual - dual);
      if (through < distance) through = distance;  // rounding must not lead back
      if (!(through < best_free_)) continue;
      if (column.stamp == scanned_stamp()) continue;
      if (column.stamp == labelled_stamp() && !(through < column.distance)) continue;
      column.stamp = labelled_stamp();
      column.distance = through;
      column.before = row;
      column.tree = tree;
      if (!kMany && column.row < 0) {
        best_free_ = through;
        best_col_ = j;
      } else if (through == distance) {
        level_.push_back(j);
      } else {
        heap_.push({through, j});
      }
    }
    count_scan(row, run);
  }

  void augment_along(int32_t root, int32_t end) {
    for (int32_t j = end; j >= 0;) {
      const int32_t i = columns_[j].before, next = col_of_row_[i];
      int64_t entry = costs_.start[i];
      while (costs_.col[entry] != j) ++entry;
      assign(i, entry);
      j = i == root ? -1 : next;
    }
  }

  // The rows of the tree reach no column but those scanned, which are one fewer.
  bool refuse_tree(int32_t root) {
    violator.rows.assign(costs_.rows, 0);
    violator.cols.assign(costs_.cols, 0);
    violator.rows[root] = 1;
    for (const int32_t j : scanned_) violator.cols[j] = violator.rows[columns_[j].row] = 1;
    return false;
  }

  void count_scan(int64_t row, Run& run) {
    const int64_t entries = costs_.start[row + 1] - costs_.start[row];
    counts_.entry_scans += entries;
    run.spend(entries + 1);
  }

  static constexpr size_t kPatience = 2;
  static constexpr int64_t kAhead = 8;  // rows whose columns are asked for before they are needed

  SparseCosts<S> costs_;
  Counts counts_;
  std::vector<Column> columns_;
  std::vector<int32_t> col_of_row_;
  std::vector<T> held_;  // the cost of each row's pair
  std::vector<int32_t> free_;
  int32_t epoch_ = 0;
  DistanceHeap<T> heap_;
  std::vector<int32_t> level_, scanned_, tree_end_;
  size_t level_next_ = 0;
  T best_free_ = kInfinity;
  int32_t best_col_ = -1;
};

}  // namespace konig
