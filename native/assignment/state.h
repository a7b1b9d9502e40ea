// The state that the stages of a dense assignment share: costs, duals, matching and counts.
//
// Minimises; rows <= cols, every row is assigned. Invariant: a row's assigned column attains the smallest
// cost[i][j] - col_dual[j] of the row, which is the row's dual. On rectangles col_dual is <= 0, and 0 where
// no row is assigned.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "assignment/sums.h"
#include "assignment/turned_rows.h"
#include "core/aligned.h"
#include "core/run.h"

namespace konig {

template <class S, class T>
struct DenseState {
  static constexpr T kInfinity = Bounds<T>::infinity;

  struct Counts {
    int64_t bids = 0;            // of the auction
    int64_t reduced_rows = 0;    // assigned before the first shortest path
    int64_t row_reductions = 0;  // steps of augmenting row reduction
    int64_t paths = 0;           // shortest augmenting paths
    int64_t row_scans = 0;       // rows scanned, in all parts

    // What another solve did for this one. The rows assigned before the first path are still those of this
    // one.
    void add_work(const Counts& more) {
      bids += more.bids;
      row_reductions += more.row_reductions;
      paths += more.paths;
      row_scans += more.row_scans;
    }
  };

  // `turned_rows` has the costs, unless it is null.
  void prepare(int64_t row_count, int64_t col_count, SignedCosts<S> given,
               TurnedRows<S>* turned_rows = nullptr) {
    rows = row_count;
    cols = col_count;
    costs = given;
    turned = turned_rows;
    scans = &dense_scans<S, T>(costs.negated);
    counts = {};
    col_of_row.assign(size_t(rows), -1);
    row_of_col.assign(size_t(cols), -1);
    col_dual.assign(size_t(cols), T(0));
    col_dual.resize(size_t(padded_columns(cols)), Bounds<T>::scanned);
    free.clear();
  }

  bool is_square() const { return rows == cols; }
  bool is_one_block() const { return cols <= kScanBlock; }
  // Whether a search is one call (dense_scans.h).
  bool is_narrow() const { return cols <= kNarrow; }
  // As it is stored: scans apply the sign.
  const S* row(int64_t i) {
    if (turned) turned->turn(i);
    return costs.data + i * cols;
  }
  // Of a row that has been scanned, or of the column that it had from the start.
  T slack(int64_t i, int64_t j) const { return T(costs[i * cols + j]) - col_dual[j]; }
  T row_dual(int64_t i) const { return slack(i, col_of_row[i]); }
  T smallest_slack(int64_t i, Run& run) {
    count_scan(run);
    return scans->smallest(row(i), col_dual.data(), cols);
  }
  BestColumn<T> best_column(int64_t i, Run& run) {
    count_scan(run);
    return scans->best_column(row(i), col_dual.data(), cols);
  }
  // Of some rows, at most kRowsTogether.
  void best_columns(const int32_t* some, int64_t count, BestColumn<T>* best, Run& run) {
    for (int64_t k = 0; turned && k < count; ++k) turned->turn(some[k]);
    counts.row_scans += count;
    run.spend(count * (cols / 4 + 1));
    scans->best_columns(costs.data, some, count, col_dual.data(), cols, best);
  }

  void assign(int32_t i, int32_t j) {
    col_of_row[i] = j;
    row_of_col[j] = i;
  }
  void unassign(int64_t i) {
    row_of_col[col_of_row[i]] = -1;
    col_of_row[i] = -1;
  }
  void unassign_all() {
    std::fill(col_of_row.begin(), col_of_row.end(), -1);
    std::fill(row_of_col.begin(), row_of_col.end(), -1);
  }
  void collect_free_rows() {
    free.resize(size_t(rows));
    int64_t count = 0;
    for (int64_t i = 0; i < rows; ++i) {  // without a branch, which could not be predicted
      free[count] = int32_t(i);
      count += col_of_row[i] < 0;
    }
    free.resize(size_t(count));
  }

  void count_scan(Run& run) {
    ++counts.row_scans;
    run.spend(cols / 4 + 1);
  }

  const DenseScans<S, T>* scans = nullptr;
  int64_t rows = 0, cols = 0;
  SignedCosts<S> costs;
  TurnedRows<S>* turned = nullptr;  // rows may be read by row() and best_columns() only
  Counts counts;
  std::vector<int32_t> col_of_row, row_of_col;
  Aligned<T> col_dual;        // padded; see dense_scans.h
  std::vector<int32_t> free;  // rows without a column
  HallViolator violator;      // where some row cannot be assigned
};

}  // namespace konig
