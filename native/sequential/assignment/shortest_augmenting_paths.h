// The dense assignment problem by shortest augmenting paths.
//
// R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment
// problems, Computing 38 (1987): column reduction, reduction transfer, augmenting row reduction, then one
// shortest augmenting path from every row that is left, by Dijkstra's algorithm on the reduced costs.
//
// Minimises; rows <= cols, every row is assigned. State: col_dual[j] and the matching. Invariant: a row's
// assigned column attains the smallest cost[i][j] - col_dual[j] of the row, which is the row's dual. On
// rectangles col_dual is <= 0, and 0 where no row is assigned.
//
// Deviations. The paper keeps the columns that are not scanned in a list; here a scan runs over all columns
// in order, which vectorises, and scanned columns have a dual that keeps them out. Column reduction and
// transfer are for squares only: on a rectangle they would give duals to columns that stay free. Augmenting
// row reduction stops after a number of steps that is linear in the rows: on real costs it can go on for
// ever lowering a dual by next to nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/run.h"
#include "sequential/assignment/dense_scans.h"

namespace konig {

// A set of rows (a mask) whose allowed columns, all in `cols`, are fewer: no assignment covers the rows.
struct HallViolator {
  std::vector<uint8_t> rows, cols;
};

template <class S, class T>
class ShortestAugmentingPaths {
 public:
  struct Counts {
    int64_t reduced_rows = 0;    // assigned before the first shortest path
    int64_t row_reductions = 0;  // steps of augmenting row reduction
    int64_t paths = 0;           // shortest augmenting paths
    int64_t row_scans = 0;       // rows scanned, in all stages
  };

  // The workspace is kept from one solve to the next.
  void prepare(int64_t rows, int64_t cols, const S* cost) {
    rows_ = rows;
    cols_ = cols;
    cost_ = cost;
    counts_ = {};
    col_of_row.assign(rows, -1);
    row_of_col.assign(cols, -1);
    col_dual.assign(cols, T(0));
    key_.resize(cols);
    before_.resize(cols);
    block_least_.resize((cols + kScanBlock - 1) / kScanBlock);
    scanned_.clear();
    free_.clear();
  }

  // All return whether every row could be assigned; if not, `violator` says why.
  bool solve(Run& run) {
    // Reductions overshoot. Where sums need 128 bits, duals as small as they come are worth more than time.
    if (sizeof(T) > 8) {
      for (int64_t i = 0; i < rows_; ++i) free_.push_back(int32_t(i));
      return assign_free_rows(run);
    }
    if (rows_ == cols_) {
      if (!reduce_columns(run)) return false;
      transfer_reductions(run);
    }
    return finish(run);
  }
  // From the column duals that the caller has put into col_dual.
  bool solve_from_duals(Run& run) {
    assign_tight_rows(run);
    if (rows_ < cols_) release_free_columns(run);
    return finish(run);
  }

  T row_dual(int64_t row) const { return slack(row, col_of_row[row]); }
  const Counts& counts() const { return counts_; }

  std::vector<int32_t> col_of_row, row_of_col;
  std::vector<T> col_dual;
  HallViolator violator;

 private:
  static constexpr T kInfinity = Bounds<T>::infinity;

  const S* row(int64_t i) const { return cost_ + i * cols_; }
  T slack(int64_t i, int64_t j) const { return T(row(i)[j]) - col_dual[j]; }

  void assign(int32_t i, int32_t j) {
    col_of_row[i] = j;
    row_of_col[j] = i;
  }

  void count_scan(Run& run) {
    ++counts_.row_scans;
    run.spend(cols_ / 4 + 1);
  }

  bool reduce_columns(Run& run) {
    const std::vector<T> zero(cols_, T(0));
    std::fill(key_.begin(), key_.end(), kInfinity);
    for (int64_t i = 0; i < rows_; ++i) {
      scans_.relax(row(i), zero.data(), T(0), int32_t(i), cols_, key_.data(), before_.data(),
                   block_least_.data());
      count_scan(run);
    }
    for (int64_t j = 0; j < cols_; ++j)
      if (key_[j] >= kInfinity) return refuse_column(j);
    claims_.assign(rows_, 0);
    for (int64_t j = cols_; j-- > 0;) {
      col_dual[j] = key_[j];
      const int32_t i = before_[j];
      if (claims_[i]++ == 0) assign(i, int32_t(j));
    }
    return true;
  }

  // A square problem with a column that no row may take.
  bool refuse_column(int64_t col) {
    violator.rows.assign(rows_, 1);
    violator.cols.assign(cols_, 1);
    violator.cols[col] = 0;
    return false;
  }

  // A row that is the smallest of its column alone can leave some of its advantage to the others.
  void transfer_reductions(Run& run) {
    for (int64_t i = 0; i < rows_; ++i) {
      if (claims_[i] != 1) continue;
      const TwoSmallest<T> best = scans_.two_smallest(row(i), col_dual.data(), cols_);
      count_scan(run);
      if (best.second < kInfinity && best.second > T(0)) col_dual[col_of_row[i]] -= best.second;
    }
  }

  void assign_tight_rows(Run& run) {
    for (int64_t i = 0; i < rows_; ++i) {
      const TwoSmallest<T> best = scans_.two_smallest(row(i), col_dual.data(), cols_);
      count_scan(run);
      if (best.first_col >= 0 && row_of_col[best.first_col] < 0) assign(int32_t(i), int32_t(best.first_col));
    }
  }

  // On a rectangle a free column must have dual 0. Raising duals to 0 takes rows away from their columns,
  // which then become free themselves.
  void release_free_columns(Run& run) {
    std::vector<int64_t> raised;
    do {
      raised.clear();
      for (int64_t j = 0; j < cols_; ++j)
        if (row_of_col[j] < 0 && col_dual[j] != T(0)) raised.push_back(j);
      for (const int64_t j : raised) col_dual[j] = T(0);
      for (int64_t i = 0; i < rows_; ++i) {
        const int32_t held = col_of_row[i];
        if (held < 0 || raised.empty()) continue;
        const T dual = slack(i, held);
        const bool beaten = std::any_of(raised.begin(), raised.end(),
                                        [&](int64_t j) { return allowed(i, j) && slack(i, j) < dual; });
        if (beaten) col_of_row[i] = row_of_col[held] = -1;
        run.spend(int64_t(raised.size()));
      }
    } while (!raised.empty());
  }

  bool allowed(int64_t i, int64_t j) const {
    if constexpr (std::is_same_v<T, int128>) return row(i)[j] != std::numeric_limits<S>::max();
    return true;  // a real one is infinite, which compares as it should
  }

  bool finish(Run& run) {
    for (int64_t i = 0; i < rows_; ++i)
      if (col_of_row[i] < 0) free_.push_back(int32_t(i));
    reduce_rows(run);
    reduce_rows(run);
    return assign_free_rows(run);
  }

  bool assign_free_rows(Run& run) {
    counts_.reduced_rows = rows_ - int64_t(free_.size());
    run.report(counts_.reduced_rows, rows_);
    for (const int32_t root : free_)
      if (!augment_from(root, run)) return false;
    return true;
  }

  // Every free row takes its best column, which gets cheaper by how much it is better than the second best.
  void reduce_rows(Run& run) {
    size_t next = 0, kept = 0;
    const size_t count = free_.size();
    int64_t steps_left = 4 * rows_;
    while (next < count) {
      const int32_t i = free_[next++];
      if (steps_left-- <= 0) {
        free_[kept++] = i;
        continue;
      }
      const TwoSmallest<T> best = scans_.two_smallest(row(i), col_dual.data(), cols_);
      count_scan(run);
      ++counts_.row_reductions;
      if (best.second_col < 0) {  // one allowed column, or none: left to the paths
        free_[kept++] = i;
        continue;
      }
      int32_t j = int32_t(best.first_col);
      const T lowered = col_dual[j] - (best.second - best.first);
      const bool lowers = lowered < col_dual[j];
      if (lowers)
        col_dual[j] = lowered;
      else if (row_of_col[j] >= 0)
        j = int32_t(best.second_col);
      const int32_t loser = row_of_col[j];
      assign(i, j);
      if (loser < 0) continue;
      col_of_row[loser] = -1;
      if (lowers)
        free_[--next] = loser;
      else
        free_[kept++] = loser;
    }
    free_.resize(kept);
  }

  bool augment_from(int32_t root, Run& run) {
    std::fill(key_.begin(), key_.end(), kInfinity);
    T length = T(0);
    relax(root, T(0), run);
    int32_t end = -1;
    while (true) {
      const int32_t j = nearest(length);
      if (j < 0) return refuse_tree(root);
      if (row_of_col[j] < 0) {
        end = j;
        break;
      }
      const int32_t i = row_of_col[j];
      const T base = slack(i, j) - length;
      scanned_.push_back({j, length, col_dual[j]});
      key_[j] = kInfinity;
      col_dual[j] = Bounds<T>::scanned;
      relax(i, base, run);
    }
    for (const Scanned& s : scanned_) col_dual[s.col] = s.dual + (s.length - length);
    scanned_.clear();
    for (int32_t j = end; j >= 0;) {
      const int32_t i = before_[j], next = col_of_row[i];
      assign(i, j);
      j = i == root ? -1 : next;
    }
    ++counts_.paths;
    run.report(counts_.reduced_rows + counts_.paths, rows_);
    return true;
  }

  void relax(int32_t i, T base, Run& run) {
    scans_.relax(row(i), col_dual.data(), base, i, cols_, key_.data(), before_.data(), block_least_.data());
    count_scan(run);
  }

  // The nearest column that is not scanned, a free one if there is a choice; -1 if none can be reached.
  int32_t nearest(T& length) const {
    T least = kInfinity;
    for (const T value : block_least_) least = std::min(least, value);
    if (least >= kInfinity) return -1;
    length = least;
    int32_t found = -1;
    for (size_t block = 0; block < block_least_.size(); ++block) {
      if (block_least_[block] != least) continue;
      const int64_t end = std::min<int64_t>(cols_, (int64_t(block) + 1) * kScanBlock);
      for (int64_t j = int64_t(block) * kScanBlock; j < end; ++j) {
        if (key_[j] != least) continue;
        if (row_of_col[j] < 0) return int32_t(j);
        if (found < 0) found = int32_t(j);
      }
    }
    return found;
  }

  // The rows of the tree reach no column but those scanned, which are one fewer.
  bool refuse_tree(int32_t root) {
    violator.rows.assign(rows_, 0);
    violator.cols.assign(cols_, 0);
    violator.rows[root] = 1;
    for (const Scanned& s : scanned_) {
      violator.cols[s.col] = 1;
      violator.rows[row_of_col[s.col]] = 1;
      col_dual[s.col] = s.dual;
    }
    scanned_.clear();
    return false;
  }

  struct Scanned {
    int32_t col;
    T length, dual;
  };

  const DenseScans<S, T>& scans_ = dense_scans<S, T>();
  int64_t rows_ = 0, cols_ = 0;
  const S* cost_ = nullptr;
  Counts counts_;
  std::vector<T> key_, block_least_;
  std::vector<int32_t> before_, claims_, free_;
  std::vector<Scanned> scanned_;
};

}  // namespace konig
