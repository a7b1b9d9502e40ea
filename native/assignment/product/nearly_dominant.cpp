// Largest entries of lines first, then shortest augmenting paths for the rows that are left.
//
// Let every column have a factor: 1, or the reciprocal of its largest entry, so that all lie within [0, 1].
// If the largest entries of all rows, times the factors, lie in columns of their own, no product is larger,
// whatever the other entries are. Otherwise some rows are free, and shortest paths assign them one after the
// other. Lengths are logarithms of ratios of entries: they are taken of the entries that a search reads, a
// few of them, where an assignment problem takes those of all. Column j's scale is factor * 2**dual[j].
//
// The search is that of sparse/search.h but for these lengths: lists of costs are what it does without.
#include "assignment/product/nearly_dominant.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "assignment/product/parts.h"
#include "assignment/sparse/distance_heap.h"

namespace konig {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Of the largest entries: their reciprocals, and products with them, are far from the ends of float64.
constexpr int kMostExponent = 500;
constexpr double kLeastScaled = 0x1p-900;
// At least so many rows of 16 have a column of their own at first. Of a random matrix 12 have, and searches
// are long; of a circuit with a source in 3 of 10 nodes 14, and it takes half the time of an assignment
// problem.
constexpr int64_t kRowsOf16 = 13;
// Searches read so many times the entries of the matrix at most: an assignment problem reads all of them
// about as often.
constexpr int64_t kMostReads = 2;
constexpr int64_t kReductions = 4;  // of each free row

class NearlyDominant {
 public:
  NearlyDominant(const Moduli& matrix, const double* largest_of_cols, int64_t* col_of_row)
      : matrix_(matrix),
        largest_of_cols_(largest_of_cols),
        col_of_row_(col_of_row),
        factor_(size_t(matrix.cols), 1.0) {}

  // Columns of squares are scaled first: rows of circuits that must leave their largest entry have short
  // paths then. Where columns are left over, their scales must be the largest, and they have none at first.
  bool solve(Run& run) {
    const bool is_ready = matrix_.rows < matrix_.cols || scale_columns();
    return is_ready && choose_largest(run) && assign_free_rows(run);
  }

  void write(const Scales& of_cols) const {
    for (int64_t j = 0; j < matrix_.cols; ++j) {
      const Parts parts = parts_of(factor_[j]);
      of_cols.mantissa[j] = parts.mantissa;
      of_cols.exponent[j] = parts.exponent;
      if (columns_[j].dual == 0) continue;
      const double whole = std::clamp(std::floor(columns_[j].dual), -0x1p29, 0x1p29);
      const Parts moved = parts_of(parts.mantissa * std::exp2(columns_[j].dual - whole));
      of_cols.mantissa[j] = moved.mantissa;
      of_cols.exponent[j] += int32_t(whole) + moved.exponent;
    }
  }

 private:
  struct Column {
    int32_t row = -1;
    int32_t stamp = 0;    // the number of the last search that labelled it, twice; one more when scanned
    int64_t entry = -1;   // of the row before it
    int32_t before = -1;  // the row
    double distance = 0, dual = 0;
  };

  double scaled(int64_t e) const { return matrix_.modulus[e] * factor_[matrix_.col[e]]; }

  // Each row takes its largest entry, if no other has its column; the other rows are free. False if too many
  // are, or an entry is too large or too small.
  bool choose_largest(Run& run) {
    columns_.assign(size_t(matrix_.cols), Column());
    held_.assign(size_t(matrix_.rows), 0.0);
    free_.clear();
    for (int64_t i = 0; i < matrix_.rows; ++i) {
      int64_t largest = -1;
      double most = 0;
      for (int64_t e = matrix_.start[i]; e < matrix_.start[i + 1]; ++e) {
        const double here = scaled(e);
        largest = here > most ? e : largest;
        most = std::max(most, here);
      }
      run.spend(matrix_.start[i + 1] - matrix_.start[i] + 1);
      if (largest < 0 || std::abs(exponent_of(most)) > kMostExponent) return false;
      held_[i] = most;
      col_of_row_[i] = -1;
      if (Column& column = columns_[matrix_.col[largest]]; column.row < 0) {
        column.row = int32_t(i);
        col_of_row_[i] = matrix_.col[largest];
        continue;
      }
      free_.push_back(int32_t(i));
      if (16 * int64_t(free_.size()) > (16 - kRowsOf16) * matrix_.rows) return false;
    }
    return true;
  }

  // Factors are the reciprocals of the columns' largest entries. False if one is too large or too small.
  bool scale_columns() {
    for (int64_t j = 0; j < matrix_.cols; ++j) {
      const double largest = largest_of_cols_[j];
      if (largest == 0 || std::abs(exponent_of(largest)) > kMostExponent) return false;
      factor_[j] = 1 / largest;
    }
    return true;
  }

  bool assign_free_rows(Run& run) {
    const int64_t most = kMostReads * matrix_.start[matrix_.rows],
                  chosen = matrix_.rows - int64_t(free_.size());
    if (!reduce_free_rows(run)) return false;
    for (const int32_t row : free_) {
      const int64_t before = reads_;
      if (!augment_from(row) || reads_ > most) return false;
      run.spend(reads_ - before);
    }
    run.count("largest_of_lines", chosen);
    run.count("row_reductions", reductions_);
    run.count("paths", int64_t(free_.size()));
    run.count("entry_scans", reads_);
    return true;
  }

  // Augmenting row reduction (Jonker and Volgenant 1987): a free row takes its best column, whose dual falls
  // to where the second best is as good, and the row that had it goes on. Rows that tie stay free.
  bool reduce_free_rows(Run& run) {
    std::vector<int32_t> left;
    const int64_t most = kReductions * int64_t(free_.size());
    for (int32_t row : free_) {
      while (row >= 0) {
        if (reductions_ == most) {
          left.push_back(row);
          break;
        }
        const Best best = best_of(row);
        ++reductions_;
        run.spend(matrix_.start[row + 1] - matrix_.start[row]);
        Column& column = columns_[matrix_.col[best.entry]];
        if (column.row >= 0 && !(best.least < best.second && best.second < kInfinity)) {
          left.push_back(row);
          break;
        }
        if (column.row >= 0) column.dual -= best.second - best.least;
        const int32_t loser = column.row;
        if (loser >= 0) col_of_row_[loser] = -1;
        if (!assign(row, best.entry)) return false;
        row = loser;
      }
    }
    free_ = std::move(left);
    return true;
  }

  // The least length - dual of a row, where it is, and the second least.
  struct Best {
    double least = kInfinity, second = kInfinity;
    int64_t entry = -1;
  };
  Best best_of(int32_t row) {
    Best best;
    for (int64_t e = matrix_.start[row]; e < matrix_.start[row + 1]; ++e) {
      if (matrix_.modulus[e] == 0) continue;
      const double here = length(e, row) - columns_[matrix_.col[e]].dual;
      if (here < best.least) {
        best.second = best.least;
        best.least = here;
        best.entry = e;
      } else {
        best.second = std::min(best.second, here);
      }
    }
    reads_ += matrix_.start[row + 1] - matrix_.start[row];
    return best;
  }

  // How much smaller an entry is than that of its row, as a logarithm.
  double length(int64_t e, int64_t row) const {
    const double ratio = scaled(e) / held_[row];
    if (ratio > 0x1p-1000 && ratio < 0x1p1000) [[likely]]
      return -std::log2(ratio);
    return std::log2(held_[row]) - std::log2(matrix_.modulus[e]) - std::log2(factor_[matrix_.col[e]]);
  }

  bool augment_from(int32_t root) {
    ++search_;
    heap_.clear();
    scanned_.clear();
    nearest_ = kInfinity;
    end_ = -1;
    relax(root, best_of(root).least, 0.0);
    while (!heap_.empty() && heap_.top().distance < nearest_) {
      const auto [distance, j] = heap_.top();
      heap_.pop();
      Column& column = columns_[j];
      if (column.stamp == 2 * search_ + 1 || column.distance != distance) continue;
      column.stamp = 2 * search_ + 1;
      scanned_.push_back(j);
      relax(column.row, -column.dual, distance);
    }
    if (end_ < 0) return false;
    for (const int32_t j : scanned_) columns_[j].dual -= nearest_ - columns_[j].distance;
    return augment_along(root);
  }

  // Distances through a row of this dual that is itself at the given distance.
  void relax(int32_t row, double dual, double distance) {
    for (int64_t e = matrix_.start[row]; e < matrix_.start[row + 1]; ++e) {
      if (matrix_.modulus[e] == 0) continue;
      const int32_t j = matrix_.col[e];
      Column& column = columns_[j];
      if (column.stamp == 2 * search_ + 1) continue;
      const double through = distance + std::max(length(e, row) - column.dual - dual, 0.0);
      if (!(through < nearest_)) continue;
      if (column.stamp == 2 * search_ && !(through < column.distance)) continue;
      column.stamp = 2 * search_;
      column.distance = through;
      column.before = row;
      column.entry = e;
      if (column.row < 0) {
        nearest_ = through;
        end_ = j;
      } else {
        heap_.push({through, j});
      }
    }
    reads_ += matrix_.start[row + 1] - matrix_.start[row];
  }

  bool augment_along(int32_t root) {
    for (int32_t j = end_;;) {
      const int32_t i = columns_[j].before, next = int32_t(col_of_row_[i]);
      if (!assign(i, columns_[j].entry)) return false;
      if (i == root) return true;
      j = next;
    }
  }

  // False if the entry is too small.
  bool assign(int32_t row, int64_t entry) {
    columns_[matrix_.col[entry]].row = row;
    col_of_row_[row] = matrix_.col[entry];
    held_[row] = scaled(entry);
    return held_[row] > kLeastScaled;
  }

  const Moduli& matrix_;
  const double* const largest_of_cols_;
  int64_t* const col_of_row_;
  std::vector<double> factor_;  // of columns
  std::vector<double> held_;    // the scaled entry of a row; of a free row its largest
  std::vector<Column> columns_;
  std::vector<int32_t> free_, scanned_;
  DistanceHeap<double> heap_;
  int32_t search_ = 0;
  int64_t reads_ = 0, reductions_ = 0;
  double nearest_ = kInfinity;  // free column
  int32_t end_ = -1;            // that column
};

}  // namespace

bool match_nearly_dominant(const Moduli& matrix, const double* largest_of_cols, int64_t* col_of_row,
                           const Scales& of_cols, Run& run) {
  NearlyDominant solver(matrix, largest_of_cols, col_of_row);
  if (!solver.solve(run)) return false;
  solver.write(of_cols);
  return true;
}

}  // namespace konig
