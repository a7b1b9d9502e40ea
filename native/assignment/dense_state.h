// What the stages of a dense assignment share: the duals, the matching, and what has been counted.
//
// Minimises; rows <= cols. Invariant: a row's assigned column attains the smallest cost[i][j] - col_dual[j]
// of the row, which is the row's dual. On rectangles col_dual is <= 0, and 0 where no row is assigned.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/hall_violator.h"
#include "assignment/scans/dense_scans.h"
#include "core/aligned.h"
#include "core/run.h"

namespace konig {

template <class S, class T>
class DenseState {
 public:
  struct Counts {
    int64_t bids = 0;            // of the auction
    int64_t reduced_rows = 0;    // assigned before the first shortest path
    int64_t row_reductions = 0;  // steps of augmenting row reduction
    int64_t paths = 0;           // shortest augmenting paths
    int64_t row_scans = 0;       // rows scanned, in all stages
  };

  T row_dual(int64_t row) const { return slack(row, col_of_row_[row]); }
  T col_dual(int64_t col) const { return col_dual_[col]; }
  void set_col_dual(int64_t col, T dual) { col_dual_[col] = dual; }
  int32_t col_of_row(int64_t row) const { return col_of_row_[row]; }
  int32_t row_of_col(int64_t col) const { return row_of_col_[col]; }
  const Counts& counts() const { return counts_; }

  HallViolator violator;

 protected:
  static constexpr T kInfinity = Bounds<T>::infinity;

  void prepare(int64_t rows, int64_t cols, SignedCosts<S> cost) {
    rows_ = rows;
    cols_ = cols;
    cost_ = cost;
    scans_ = &dense_scans<S, T>(cost.negated);
    counts_ = {};
    col_of_row_.assign(rows, -1);
    row_of_col_.assign(cols, -1);
    col_dual_.assign(cols, T(0));
    col_dual_.resize(std::max(cols, kScanBlock), Bounds<T>::scanned);
    free_.clear();
    ties_ = 0;
  }

  // As it is stored, for the scans, which know the sign.
  const S* row(int64_t i) const { return cost_.data + i * cols_; }
  T cost(int64_t i, int64_t j) const { return T(cost_[i * cols_ + j]); }
  T slack(int64_t i, int64_t j) const { return cost(i, j) - col_dual_[j]; }

  int32_t column_with(int64_t i, T value, int64_t except = -1) const {
    return int32_t(scans_->column_with(row(i), col_dual_.data(), value, cols_, except));
  }

  void assign(int32_t i, int32_t j) {
    col_of_row_[i] = j;
    row_of_col_[j] = i;
  }

  void count_scan(Run& run) {
    ++counts_.row_scans;
    run.spend(cols_ / 4 + 1);
  }

  void collect_free_rows() {
    free_.clear();
    for (int64_t i = 0; i < rows_; ++i)
      if (col_of_row_[i] < 0) free_.push_back(int32_t(i));
  }

  const DenseScans<S, T>* scans_ = nullptr;
  int64_t rows_ = 0, cols_ = 0;
  SignedCosts<S> cost_;
  Counts counts_;
  std::vector<int32_t> col_of_row_, row_of_col_;
  Aligned<T> col_dual_;        // padded; see dense_scans.h
  std::vector<int32_t> free_;  // rows without a column
  int64_t ties_ = 0;           // steps of row reduction that found two columns equally good
};

}  // namespace konig
