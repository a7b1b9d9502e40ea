// What a rank of the distributed Hungarian methods reads of its block of the matrix.
//
// Date, Nagi, Parallel Computing 57 (2016), §5: ranks hold blocks of rows (classical) or of columns
// (alternating tree). The method itself, and what travels between ranks, is in Python
// (konig/distributed/hungarian_*.py); here are the loops over the entries of one block.
//
// Entries are whole numbers, of which a slack is number - row dual - column dual. Their magnitudes, and those
// of duals, leave room as konig/assignment/costs.h has it: a forbidden pair is kOut, and a column that is out
// of a search has the dual `scanned` of the scans.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "core/run.h"
#include "core/shared_loop.h"
#include "konig/assignment/costs.h"

namespace konig {

constexpr int64_t kOutOfSearch = Bounds<int64_t>::scanned;

template <class S>
class NumberBlock {
 public:
  // Numbers row after row, which count with the other sign if they are negated.
  NumberBlock(const S* number, int64_t rows, int64_t cols, bool negated, int threads)
      : number_(number),
        rows_(rows),
        cols_(cols),
        threads_(threads),
        scans_(dense_scans<S, int64_t>(negated)),
        dual_(size_t(cols)),
        key_(size_t(cols)),
        before_(size_t(cols)),
        block_least_(size_t((cols + kScanBlock - 1) / kScanBlock)) {}

  // The smallest number - column dual of each of these rows, at most Bounds::infinity.
  std::vector<int64_t> lowest_of_rows(const int32_t* row, int64_t count, const int64_t* col_dual,
                                      Run& run) const {
    std::vector<int64_t> lowest(static_cast<size_t>(count));
    for_rows(threads_, count, cols_, run, [&](int, int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k) lowest[k] = scans_.smallest(numbers(row[k]), col_dual, cols_);
    });
    return lowest;
  }

  // The smallest number - row dual of each column, at most kInfinite.
  std::vector<int64_t> lowest_of_cols(const int64_t* row_dual, Run& run) const {
    std::vector<int64_t> lowest(size_t(cols_), assignment::kInfinite);
    const std::vector<int64_t> no_dual(kStripCols);
    for_strips(rows_, run, [&](int64_t first, int64_t cols) {
      std::vector<int32_t> row_of_lowest(kStripCols);
      std::vector<int64_t> block_least(kStripCols / kScanBlock);
      for (int64_t i = 0; i < rows_; ++i)
        scans_.relax(numbers(i) + first, no_dual.data(), row_dual[i], 0, cols, &lowest[first],
                     row_of_lowest.data(), block_least.data());
    });
    return lowest;
  }

  // §3.3: the columns of the edges with zero slack, row after row, of which count[i] are of row i.
  struct Edges {
    std::vector<int32_t> count, col;
  };
  Edges zero_edges(const int64_t* row_dual, const int64_t* col_dual, Run& run) const {
    Edges edges{std::vector<int32_t>(size_t(rows_)), {}};
    std::vector<std::vector<int32_t>> of_piece(static_cast<size_t>(rows_));   // by the first row of a piece
    std::vector<std::vector<int32_t>> row_by(static_cast<size_t>(threads_));  // one for each worker
    for_rows(threads_, rows_, cols_, run, [&](int worker, int64_t first, int64_t last) {
      std::vector<int32_t>& of_row = row_by[worker];
      of_row.resize(size_t(cols_ + kMoreRoom));
      for (int64_t i = first; i < last; ++i) {
        const auto found = scans_.below(numbers(i), col_dual, row_dual[i] + 1, cols_, of_row.data(), cols_);
        edges.count[i] = int32_t(found);
        of_piece[first].insert(of_piece[first].end(), of_row.begin(), of_row.begin() + found);
      }
    });
    for (const auto& some : of_piece) edges.col.insert(edges.col.end(), some.begin(), some.end());
    return edges;
  }

  // A greedy assignment of the given rows, in this order, to columns with zero slack: the column of each, or
  // -1. Columns whose dual is `scanned` are taken; those claimed become it.
  std::vector<int32_t> claim_zero_cols(const int32_t* row, int64_t count, const int64_t* row_dual,
                                       int64_t* open_dual, Run& run) const {
    std::vector<int32_t> claimed;
    for (int64_t k = 0; k < count; ++k) {
      const int64_t col = scans_.column_with(numbers(row[k]), open_dual, row_dual[row[k]], cols_, -1);
      claimed.push_back(int32_t(col));
      if (col >= 0) open_dual[col] = kOutOfSearch;
      run.spend(cols_ / 4 + 1);
    }
    return claimed;
  }

  // ---- a search of the alternating tree variant

  void begin_search(const int64_t* col_dual) {
    std::copy(col_dual, col_dual + cols_, dual_.begin());
    std::fill(key_.begin(), key_.end(), int64_t(assignment::kInfinite));
    std::fill(block_least_.begin(), block_least_.end(), int64_t(assignment::kInfinite));
  }

  // Algorithm 4: the keys against more rows, which are reached at `shift`.
  void relax(const int32_t* row, int64_t count, const int64_t* row_dual, int64_t shift, Run& run) {
    for_strips(count, run, [&](int64_t first, int64_t cols) {
      for (int64_t k = 0; k < count; ++k)
        scans_.relax(numbers(row[k]) + first, &dual_[first], row_dual[row[k]] - shift, row[k], cols,
                     &key_[first], &before_[first], &block_least_[first / kScanBlock]);
    });
  }

  // Takes the columns with keys up to `shift` out of the search. Returns what other ranks have to know: the
  // least key that is left, and then each of these columns, in the high half of a word, with the row before
  // it, as if the first column had the number `first`.
  std::vector<int64_t> take_reached(int64_t shift, int64_t first) {
    std::vector<int64_t> told(1, assignment::kInfinite);
    for (int64_t begin = 0; begin < cols_; begin += kScanBlock) {
      int64_t& least = block_least_[begin / kScanBlock];
      if (least <= shift) {
        least = assignment::kInfinite;
        for (int64_t j = begin; j < std::min(begin + kScanBlock, cols_); ++j) {
          if (key_[j] <= shift) {
            key_[j] = assignment::kInfinite;
            dual_[j] = kOutOfSearch;
            told.push_back((first + j) << 32 | before_[j]);
          }
          least = std::min(least, key_[j]);
        }
      }
      told[0] = std::min(told[0], least);
    }
    return told;
  }

 private:
  // Columns whose keys and duals stay in the first level cache while rows pass by.
  static constexpr int64_t kStripCols = 1024;
  static_assert(kStripCols % kScanBlock == 0);

  const S* numbers(int64_t row) const { return number_ + row * cols_; }

  // f(first, cols) for strips of columns, against so many rows.
  template <class F>
  void for_strips(int64_t rows, Run& run, const F& f) const {
    const int64_t strips = (cols_ + kStripCols - 1) / kStripCols;
    for_rows(threads_, strips, rows * kStripCols, run, [&](int, int64_t begin, int64_t end) {
      for (int64_t first = begin * kStripCols; first < std::min(end * kStripCols, cols_); first += kStripCols)
        f(first, std::min(kStripCols, cols_ - first));
    });
  }

  const S* const number_;
  const int64_t rows_, cols_;
  const int threads_;
  const DenseScans<S, int64_t>& scans_;
  // Of the columns in a search: the least slack against the rows reached, counted from the start of the
  // search, the row that it comes from, and the least key of kScanBlock columns. A column that was reached is
  // out: its key is kInfinite, its dual `scanned`.
  std::vector<int64_t> dual_, key_;
  std::vector<int32_t> before_;
  std::vector<int64_t> block_least_;
};

extern template class NumberBlock<int32_t>;
extern template class NumberBlock<int64_t>;

// Reals as whole numbers, by the scale of konig/assignment/costs.h.
template <class S>
void whole_numbers(const S* cost, int64_t count, const assignment::RealScale& scale, int threads,
                   int64_t* number, Run& run);

}  // namespace konig
