// Whether the reductions of Jonker and Volgenant are likely to assign nearly all rows of a dense problem.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "assignment/scans/dense_scans.h"

namespace konig {

template <class S>
const S* best_of_row(const S* row, int64_t cols, bool negated) {
  return negated ? std::max_element(row, row + cols) : std::min_element(row, row + cols);
}

// Whether in each of some rows a few columns tie as the best.
template <class S>
bool few_tie(SignedCosts<S> cost, int64_t rows, int64_t cols) {
  constexpr int64_t kSampled = 3, kFewest = 3, kColumnsPerTie = 32;
  for (int64_t k = 0; k < kSampled; ++k) {
    const S* const row = cost.data + (2 * k + 1) * rows / (2 * kSampled) * cols;
    const int64_t ties = std::count(row, row + cols, *best_of_row(row, cols, cost.negated));
    if (ties < kFewest || kColumnsPerTie * ties > cols) return false;
  }
  return true;
}

// Whether the costs of rows are of very different sizes: of some rows, the range of one in four is many times
// that of another one in four. Reductions then leave few rows free, as was seen from n = 1000 to 2000.
template <class S>
bool scales_differ(const S* cost, int64_t rows, int64_t cols) {
  constexpr int64_t kSampled = 16, kTimes = 32;
  double range[kSampled];
  for (int64_t k = 0; k < kSampled; ++k) {
    const S* const row = cost + k * rows / kSampled * cols;
    const auto [least, most] = std::minmax_element(row, row + cols);
    range[k] = double(*most) - double(*least);
    if (!(range[k] <= std::numeric_limits<double>::max())) return false;
  }
  std::sort(range, range + kSampled);
  return range[3 * kSampled / 4] > kTimes * range[kSampled / 4];
}

// Whether reductions are likely to assign nearly all rows: there are many more columns, or the rows of a
// square are of very different sizes, or for most of some rows, the row alone is the best of its best column
// too. On a small matrix a look costs as much as the first reduction. They are not where a few columns tie as
// the best of a row, as on integers of a small range: the last rows find none of theirs free.
template <class S>
bool is_worth_reducing(SignedCosts<S> cost, int64_t rows, int64_t cols) {
  constexpr int64_t kFewEntries = 3 << 19, kManyEntries = 1 << 24, kSampled = 24, kEnough = 15;
  const int64_t entries = rows * cols;
  if (entries <= kManyEntries && 3 * rows <= 2 * cols) return true;
  if (entries <= kFewEntries) return rows < cols || !few_tie(cost, rows, cols);
  if (rows == cols && entries <= kManyEntries && scales_differ(cost.data, rows, cols)) return true;
  int64_t mutual = 0;
  for (int64_t k = 0; k < kSampled; ++k) {
    const int64_t sampled = k * rows / kSampled;
    const S* const row = cost.data + sampled * cols;
    const int64_t best = best_of_row(row, cols, cost.negated) - row;
    const S least = cost[sampled * cols + best];
    bool is_best = true;
    for (int64_t i = 0; i < rows && is_best; ++i) is_best = cost[i * cols + best] > least || i == sampled;
    mutual += is_best;
  }
  return mutual >= kEnough;
}

}  // namespace konig
