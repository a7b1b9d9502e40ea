// The rows of a dense problem that is stored by columns, turned when they are first read.
//
// Where rows are few and columns many, most rows keep the column of their smallest cost, and are never
// scanned again. The minima of all rows come from one read along the memory; of the matrix only the entries
// that have them are written at first, so that slacks of assigned pairs can be read of any row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "core/large_array.h"
#include "core/shared_loop.h"

namespace konig {

template <class S>
class TurnedRows {
 public:
  // `by_columns` is a matrix of `cols` rows and `rows` columns.
  TurnedRows(const S* by_columns, int64_t rows, int64_t cols)
      : from_(by_columns), rows_(rows), cols_(cols), costs_(size_t(rows * cols)) {}

  const S* costs() const { return costs_.data(); }  // row after row

  // To be called first: nothing is turned but, in row i, the column place[i].
  void begin(const std::vector<int32_t>& place) {
    is_turned_.assign(size_t(rows_), 0);
    for (int64_t i = 0; i < rows_; ++i) costs_[i * cols_ + place[i]] = from_[place[i] * rows_ + i];
  }
  void turn(int64_t row) {
    if (is_turned_.empty() || is_turned_[row]) return;
    is_turned_[row] = 1;
    S* const to = costs_.data() + row * cols_;
    for (int64_t j = 0; j < cols_; ++j) to[j] = from_[j * rows_ + row];
  }
  void turn_all(int threads, Run& run) {
    constexpr int64_t kStripe = 64;  // rows whose columns stay in the cache
    is_turned_.clear();
    const auto transpose = dense_scans<S, NarrowSums<S>>().transpose_columns;
    for_rows(threads, (rows_ + kStripe - 1) / kStripe, kStripe * cols_, run,
             [&](int, int64_t first, int64_t last) {
               for (int64_t i = first * kStripe; i < std::min(last * kStripe, rows_); i += kStripe)
                 transpose(from_, cols_, rows_, i, std::min(i + kStripe, rows_), costs_.data());
             });
  }

 private:
  const S* const from_;
  const int64_t rows_, cols_;
  LargeArray<S> costs_;
  std::vector<uint8_t> is_turned_;  // empty: all are
};

}  // namespace konig
