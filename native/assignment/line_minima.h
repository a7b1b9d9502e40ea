// The smallest cost of each column, or of each row, of a dense matrix: found in one read, which checks the
// costs, too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "core/run.h"
#include "core/shared_loop.h"

namespace konig {

template <class S>
struct LineMinima {
  void find_of_columns(SignedCosts<S> cost, int64_t rows, int64_t cols, Run& run) {
    const auto scan = dense_scans<S, NarrowSums<S>>(cost.negated).column_least;
    constexpr int64_t kPiece = 1 << 15;  // entries: a piece that stays in the cache
    resize(cols);
    const int64_t step = std::max<int64_t>(16, kPiece / (cols + 1));
    for (int64_t first = 0; first < rows; first += step) {
      const int64_t last = std::min(rows, first + step);
      see(scan(cost.data, first, last, cols, least.data(), place.data()));
      run.spend((last - first) * (cols / 4 + 1));
    }
  }

  void find_of_rows(SignedCosts<S> cost, int64_t rows, int64_t cols, int threads, Run& run) {
    const auto scan = dense_scans<S, NarrowSums<S>>(cost.negated).rows_least;
    constexpr int64_t kBlock = 64;
    resize(rows);
    const int64_t blocks = (rows + kBlock - 1) / kBlock;
    std::mutex adding;
    for_rows(threads, blocks, kBlock * cols, run, [&](int, int64_t first, int64_t last) {
      const int64_t from = first * kBlock, count = std::min(rows, last * kBlock) - from;
      const S most_of_part =
          scan(cost.data + from * cols, count, cols, least.data() + from, place.data() + from);
      const std::lock_guard<std::mutex> lock(adding);
      see(most_of_part);
    });
  }

  // The largest finite |cost|; nothing if some are NaN, infinite of the wrong sign, or at an end of their
  // type.
  std::optional<double> largest() const {
    using Limits = std::numeric_limits<S>;
    if (!(most < Limits::max())) return {};
    if (least.empty()) return double(most);
    const S lowest = *std::min_element(least.begin(), least.end());
    if (!Limits::is_integer) {
      if (lowest == -Limits::infinity()) return {};
      return double(most);
    }
    if (lowest <= Limits::min() + 1) return {};
    return std::max(double(most), -double(lowest));
  }

  // How many minima are not the first in their place; there are so many places.
  int64_t contested(int64_t places) const {
    std::vector<uint8_t> taken(size_t(places), 0);
    int64_t count = 0;
    for (const int32_t at : place) {
      count += taken[at];
      taken[at] = 1;
    }
    return count;
  }

  std::vector<S> least;
  std::vector<int32_t> place;  // the first

 private:
  void resize(int64_t lines) {
    least.resize(size_t(lines));
    place.resize(size_t(lines));
    most = S(0);
  }
  void see(S here) {
    if (most == most && !(here <= most)) most = here;  // a NaN stays
  }

  S most = S(0);  // what the scans return
};

}  // namespace konig
