// Largest entries of lines first, then shortest augmenting paths for the rows that are left.
//
// Let every column have a scale: 1, or the reciprocal of its largest entry, so that all lie within [0, 1]. If
// the largest scaled entries of all rows lie in columns of their own, no product is larger, whatever the
// other entries are. Otherwise some rows are free, and shortest paths assign them one after the other.
//
// The length of a path is the logarithm of a product of ratios, so the products themselves order paths: a
// column's *reach* is the largest product of a path to it, 1 at the root and never more than that of the
// column before it. Where the search of an assignment problem (sparse/search.h) adds and subtracts, this one
// multiplies and divides, and no logarithm is taken of any entry.
#include "assignment/product/nearly_dominant.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "assignment/product/parts.h"
#include "assignment/sparse/distance_heap.h"

namespace konig {
namespace {

// Of the largest entries, of scaled entries that are chosen and of reaches: a product of two of them is a
// normal number, and entries that are not are never reached.
constexpr int kMostExponent = 500;
constexpr double kLeast = 0x1p-500;
// At least so many rows of 16 have a column of their own at first. Of a random matrix 12 have, and searches
// are long; of a circuit with a source in 3 of 10 nodes 14, and it takes half the time of an assignment
// problem.
constexpr int64_t kRowsOf16 = 13;
// Searches read so many times the entries of the matrix at most: an assignment problem reads all of them
// about as often.
constexpr int64_t kMostReads = 2;
constexpr int64_t kReductions = 8;  // of each free row

class NearlyDominant {
 public:
  NearlyDominant(const Moduli& matrix, const double* largest_of_cols, int64_t* col_of_row)
      : matrix_(matrix),
        largest_of_cols_(largest_of_cols),
        col_of_row_(col_of_row),
        scale_(size_t(matrix.cols), 1.0) {}

  // Columns of squares are scaled first: rows of circuits that must leave their largest entry have short
  // paths then. Where columns are left over, their scales must be the largest, and they have none at first.
  bool solve(Run& run) {
    const bool is_ready = matrix_.rows < matrix_.cols || scale_columns();
    return is_ready && choose_largest(run) && assign_free_rows(run);
  }

  void write(const Scales& of_cols) const {
    for (int64_t j = 0; j < matrix_.cols; ++j) {
      const Parts parts = parts_of(scale_[j]);
      of_cols.mantissa[j] = parts.mantissa;
      of_cols.exponent[j] = parts.exponent;
    }
  }

 private:
  struct Label {
    double reach = 0;
    int64_t entry = -1;   // of the row before it
    int32_t before = -1;  // the row
    int32_t stamp = 0;    // the number of the last search that labelled it, twice; one more when scanned
  };

  double scaled(int64_t e) const { return matrix_.modulus[e] * scale_[matrix_.col[e]]; }

  // The largest scaled entry of a row, where it is, and the second largest.
  struct Best {
    double most = 0, second = 0;
    int64_t entry = -1;
  };
  Best best_of(int64_t row) const {
    Best best;
    for (int64_t e = matrix_.start[row]; e < matrix_.start[row + 1]; ++e) {
      const double here = scaled(e);
      best.entry = here > best.most ? e : best.entry;
      best.second = std::max(best.second, std::min(best.most, here));
      best.most = std::max(best.most, here);
    }
    return best;
  }

  int64_t length_of(int64_t row) const { return matrix_.start[row + 1] - matrix_.start[row]; }

  // Scales are the reciprocals of the columns' largest entries. False if one is too large or too small.
  bool scale_columns() {
    for (int64_t j = 0; j < matrix_.cols; ++j) {
      const double largest = largest_of_cols_[j];
      if (largest == 0 || std::abs(exponent_of(largest)) > kMostExponent) return false;
      scale_[j] = 1 / largest;
    }
    return true;
  }

  // Each row takes its largest entry, if no other has its column; the other rows are free. False if too many
  // are, or an entry is too large or too small.
  bool choose_largest(Run& run) {
    row_of_col_.assign(size_t(matrix_.cols), -1);
    held_.resize(size_t(matrix_.rows));
    free_.clear();
    const int64_t most_free = (16 - kRowsOf16) * matrix_.rows / 16;
    for (int64_t i = 0; i < matrix_.rows; ++i) {
      const Best best = best_of(i);
      run.spend(length_of(i) + 1);
      if (best.entry < 0 || std::abs(exponent_of(best.most)) > kMostExponent) return false;
      col_of_row_[i] = -1;
      if (row_of_col_[matrix_.col[best.entry]] < 0) {
        assign(int32_t(i), best.entry);
        continue;
      }
      free_.push_back(int32_t(i));
      if (int64_t(free_.size()) > most_free) return false;
    }
    return true;
  }

  bool assign_free_rows(Run& run) {
    const int64_t most = kMostReads * matrix_.start[matrix_.rows],
                  chosen = matrix_.rows - int64_t(free_.size());
    if (!reduce_free_rows(run)) return false;
    label_.resize(free_.empty() ? 0 : size_t(matrix_.cols));
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

  // Augmenting row reduction (Jonker and Volgenant 1987): a free row takes its best column, whose scale falls
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
        reads_ += length_of(row);
        run.spend(length_of(row));
        const int32_t j = matrix_.col[best.entry], loser = row_of_col_[j];
        if (loser >= 0 && !(best.second < best.most && best.second > kLeast)) {
          left.push_back(row);
          break;
        }
        if (loser >= 0) {
          scale_[j] *= best.second / best.most;
          if (scale_[j] < kLeast) return false;
          col_of_row_[loser] = -1;
        }
        assign(row, best.entry);
        row = loser;
      }
    }
    free_ = std::move(left);
    return true;
  }

  bool augment_from(int32_t root) {
    ++search_;
    heap_.clear();
    scanned_.clear();
    farthest_ = kLeast;
    end_ = -1;
    relax(root, 1.0, best_of(root).most);
    while (!heap_.empty() && -heap_.top().distance > farthest_) {
      const double reach = -heap_.top().distance;
      const int32_t j = heap_.top().col;
      heap_.pop();
      Label& label = label_[j];
      if (label.stamp == 2 * search_ + 1 || label.reach != reach) continue;
      label.stamp = 2 * search_ + 1;
      scanned_.push_back(j);
      relax(row_of_col_[j], reach, held_[row_of_col_[j]] * scale_[j]);
    }
    if (end_ < 0) return false;
    for (const int32_t j : scanned_) {
      scale_[j] *= farthest_ / label_[j].reach;
      if (scale_[j] < kLeast) return false;
    }
    augment_along(root);
    return true;
  }

  // Reaches through a row that is itself reached with this product; its largest scaled entry is 1.
  void relax(int32_t row, double reach, double largest) {
    if (!(largest > kLeast)) return;
    const double factor = reach / largest;
    for (int64_t e = matrix_.start[row]; e < matrix_.start[row + 1]; ++e) {
      const int32_t j = matrix_.col[e];
      const double through = std::min(scaled(e) * factor, reach);
      if (!(through > farthest_)) continue;
      Label& label = label_[j];
      if (label.stamp == 2 * search_ + 1) continue;
      if (label.stamp == 2 * search_ && !(through > label.reach)) continue;
      label = {through, e, row, 2 * search_};
      if (row_of_col_[j] < 0) {
        farthest_ = through;
        end_ = j;
      } else {
        heap_.push({-through, j});
      }
    }
    reads_ += length_of(row);
  }

  void augment_along(int32_t root) {
    for (int32_t j = end_;;) {
      const int32_t i = label_[j].before, next = int32_t(col_of_row_[i]);
      assign(i, label_[j].entry);
      if (i == root) return;
      j = next;
    }
  }

  void assign(int32_t row, int64_t entry) {
    const int32_t j = matrix_.col[entry];
    row_of_col_[j] = row;
    col_of_row_[row] = j;
    held_[row] = matrix_.modulus[entry];
  }

  const Moduli& matrix_;
  const double* const largest_of_cols_;
  int64_t* const col_of_row_;
  std::vector<double> scale_;  // of columns
  std::vector<double> held_;   // the entry that a row has
  std::vector<int32_t> row_of_col_;
  std::vector<Label> label_;  // of columns
  std::vector<int32_t> free_, scanned_;
  DistanceHeap<double> heap_;  // by negative reaches
  int32_t search_ = 0;
  int64_t reads_ = 0, reductions_ = 0;
  double farthest_ = kLeast;  // the largest reach of a free column
  int32_t end_ = -1;          // that column
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
