// Column reduction: the smallest cost of each column, and the first row that has it.
//
// It reads the whole matrix, so that a caller who has not looked at the costs yet learns their largest size
// on the way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "core/run.h"

namespace konig {

template <class S>
struct ColumnMinima {
  void find(SignedCosts<S> cost, int64_t rows, int64_t cols, Run& run) {
    static const ColumnScan<S> scans[] = {column_scan<S>(false), column_scan<S>(true)};
    const ColumnScan<S> scan = scans[cost.negated];
    constexpr int64_t kPiece = 1 << 15;  // entries: a piece that stays in the cache
    least.resize(size_t(cols));
    row.resize(size_t(cols));
    largest = S(0);
    const int64_t step = std::max<int64_t>(16, kPiece / (cols + 1));
    for (int64_t first = 0; first < rows; first += step) {
      const int64_t last = std::min(rows, first + step);
      const S here = scan(cost.data, first, last, cols, least.data(), row.data());
      // A NaN stays, and so does the least of the integers.
      if (largest >= S(0) && (here < S(0) || !(here <= largest))) largest = here;
      run.spend((last - first) * (cols / 4 + 1));
    }
    found = true;
  }

  // Whether costs are finite, and none of them is at an end of its type.
  bool is_plain() const {
    return largest >= S(0) && largest < std::numeric_limits<S>::max() &&
           (std::numeric_limits<S>::is_integer || largest - largest == S(0));
  }

  std::vector<S> least;
  std::vector<int32_t> row;
  S largest = S(0);
  bool found = false;
};

}  // namespace konig
