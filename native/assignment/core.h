// The first core of a dense problem: about sixteen of the smallest costs of each row.
//
// A row takes the costs below a bound found for an earlier row, so that as a rule it is read once. Each block
// of rows finds its own bound, so that the core does not depend on the threads. On a square, a column that
// fewer than two rows took gets its cheapest entries.
//
// Choosing reads the whole matrix, so costs that have not been checked yet are checked on the way, while a
// row is in the cache.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numeric>
#include <vector>

#include "assignment/scans/cost_check.h"
#include "assignment/scans/dense_scans.h"
#include "core/shared_loop.h"

namespace konig {

// T is a type that holds the costs; sums are not formed.
template <class S, class T>
class FirstCore {
 public:
  FirstCore(int64_t rows, int64_t cols, SignedCosts<S> cost) : rows_(rows), cols_(cols), cost_(cost) {}

  // Checks all costs as well, unless `check` is null; if one is bad the core means nothing.
  void choose(int threads, CostCheck* check, bool maximize, Run& run) {
    tied = costs_tie(run);
    if (tied && !check) {
      columns.assign(rows_, {});
      return;
    }
    choose_in_blocks(threads, check, maximize, run);
    is_worthwhile = !tied && (rows_ != cols_ || serve_rare_columns(run));
  }

  // The same for some rows of a larger matrix, which begin at `first_row` there; whether costs tie or
  // columns are rare only the whole matrix tells.
  void choose_in_part(int64_t first_row, int threads, CostCheck* check, bool maximize, Run& run) {
    first_row_ = first_row;
    choose_in_blocks(threads, check, maximize, run);
  }

  bool tied = false;           // many entries of a row cost the same, and few less
  bool is_worthwhile = false;  // not if costs are tied, or if most rows want the same few columns
  std::vector<std::vector<int32_t>> columns;  // of each row
  std::vector<T> outside;                     // entries of a row that cost less are all in the core

 private:
  static constexpr int64_t kFewest = 8;          // columns of a row
  static constexpr int64_t kRoom = 6 * kFewest;  // and at most
  static constexpr int64_t kBlockRows = 128;
  static constexpr int64_t kSampledRows = 4;
  static constexpr int64_t kStripes = 64;  // of which a row is made: column j is in stripe j % kStripes
  static constexpr int64_t kManyColumns = 4 * kStripes;

  const S* row(int64_t i) const { return cost_.data + i * cols_; }  // as it is stored
  S cost(int64_t i, int64_t j) const { return cost_[i * cols_ + j]; }

  void choose_in_blocks(int threads, CostCheck* check, bool maximize, Run& run) {
    columns.assign(rows_, {});
    outside.assign(rows_, Bounds<T>::infinity);
    if (cols_ == 0) return;
    const int64_t blocks = (rows_ + kBlockRows - 1) / kBlockRows;
    std::mutex adding;
    for_rows(threads, blocks, kBlockRows * cols_, run, [&](int, int64_t first, int64_t last) {
      for (int64_t block = first; block < last; ++block) {
        CostCheck of_block;
        choose_in_block(block * kBlockRows, check ? &of_block : nullptr, maximize);
        if (!check) continue;
        const std::lock_guard<std::mutex> lock(adding);
        check->add(of_block, block * kBlockRows * cols_);
      }
    });
  }

  // Whether, in each row of a sample, a sixteenth of the entries cost the same and few cost less.
  bool costs_tie(Run& run) const {
    const int64_t step = std::max<int64_t>(1, rows_ / kSampledRows);
    std::vector<T> sorted;
    for (int64_t i = 0; i < rows_; i += step) {
      if (std::any_of(row(i), row(i) + cols_, [](S cost) { return cost != cost; })) return false;
      const T common = bound_of_smallest(i, sorted);
      const int64_t equal = std::count(sorted.begin(), sorted.end(), common);
      if (!(common < Bounds<T>::infinity) || 16 * equal < cols_) return false;
      run.spend(cols_);
    }
    return rows_ > 0;
  }

  void choose_in_block(int64_t first, CostCheck* check, bool maximize) {
    std::vector<int32_t> found(kRoom + kMoreRoom);
    std::vector<T> sorted;
    T bound = T(0);
    for (int64_t i = first; i < std::min(rows_, first + kBlockRows); ++i) {
      if (check) check->add(check_costs(row(i), cols_, maximize), (i - first) * cols_);
      if (tied || (check && check->is_bad())) continue;  // a NaN has no place in an order
      if (i == first) bound = quick_bound(i, sorted);
      int64_t count = choose_below(i, bound, found);
      if (count < 0) {
        bound = quick_bound(i, sorted);
        int64_t below = scans_.below(row(i), nullptr, bound, cols_, found.data(), kRoom);
        if (below > kRoom) {
          bound = bound_of_smallest(i, sorted);
          below = scans_.below(row(i), nullptr, bound, cols_, found.data(), kRoom);
        }
        count = add_attaining(i, bound, below, found);
        outside[i] = bound;
      }
      columns[i].assign(found.begin(), found.begin() + count);
    }
  }

  // The columns of a row below a bound found for another row, and some that attain it if those are few. -1 if
  // they are too few, unless no more are allowed, or too many.
  int64_t choose_below(int64_t i, T bound, std::vector<int32_t>& found) {
    outside[i] = bound;
    const int64_t below = scans_.below(row(i), nullptr, bound, cols_, found.data(), kRoom);
    if (below > kRoom) return -1;
    if (below >= kFewest) return below;
    // Where hardly a column attains the bound, finding another one is quicker than finding these columns.
    if (cols_ >= kManyColumns && scans_.below(row(i), nullptr, above(bound), cols_, nullptr, 0) < kFewest &&
        bound_of_stripes(i) < Bounds<T>::infinity)
      return -1;
    const int64_t count = add_attaining(i, bound, below, found);
    if (count >= std::min(kFewest, cols_)) return count;
    outside[i] = Bounds<T>::infinity;
    const int64_t allowed = scans_.below(row(i), nullptr, Bounds<T>::infinity, cols_, found.data(), kRoom);
    return allowed <= kRoom ? allowed : -1;
  }

  // The next cost of a row after its 2 * kFewest smallest.
  T bound_of_smallest(int64_t i, std::vector<T>& sorted) const {
    sorted.resize(size_t(cols_));
    for (int64_t j = 0; j < cols_; ++j) sorted[j] = T(cost(i, j));
    const int64_t rank = std::min(2 * kFewest, cols_ - 1);
    std::nth_element(sorted.begin(), sorted.begin() + rank, sorted.end());
    return sorted[rank];
  }

  // Above the minima of 2 * kFewest stripes of a row, so that as a rule a few more entries are below: as good
  // a bound, found far sooner. Where rows need bounds of their own (distances of features, rows of different
  // offsets or ranges) choosing takes 2 to 3 times as long without.
  T bound_of_stripes(int64_t i) const {
    T least[kStripes];
    const SignedCosts<S> from(row(i), cost_.negated);
    for (int64_t k = 0; k < kStripes; ++k) least[k] = T(from[k]);
    for (int64_t j = kStripes; j < cols_; j += kStripes) {
      const int64_t first = std::min(j, cols_ - kStripes);  // some columns twice
      for (int64_t k = 0; k < kStripes; ++k) least[k] = std::min(least[k], T(from[first + k]));
    }
    std::nth_element(least, least + 2 * kFewest, least + kStripes);
    return least[2 * kFewest];
  }

  T quick_bound(int64_t i, std::vector<T>& sorted) const {
    return cols_ < kManyColumns ? bound_of_smallest(i, sorted) : bound_of_stripes(i);
  }

  static T above(T bound) {
    if constexpr (std::numeric_limits<T>::is_integer)
      return bound + 1;
    else
      return std::nextafter(bound, Bounds<T>::infinity);
  }

  // Adds columns that attain the bound, up to 2 * kFewest in all. The scan begins at another column in each
  // row: ties must not lead all rows to the same columns.
  int64_t add_attaining(int64_t i, T bound, int64_t count, std::vector<int32_t>& found) const {
    if (!(bound < Bounds<T>::infinity)) return count;
    const int64_t wanted = std::min(2 * kFewest, cols_);
    int64_t j = ((first_row_ + i) * 7919) % cols_;
    for (int64_t step = 0; step < cols_ && count < wanted; ++step, j = j + 1 < cols_ ? j + 1 : 0)
      if (T(cost(i, j)) == bound) found[count++] = int32_t(j);
    std::sort(found.begin(), found.begin() + count);
    return count;
  }

  // Adds the cheapest entries of columns that fewer than two rows took; false if such columns are many.
  bool serve_rare_columns(Run& run) {
    std::vector<int32_t> degree(cols_, 0);
    for (const auto& chosen : columns)
      for (const int32_t j : chosen) ++degree[j];
    std::vector<int32_t> rare, nearest(rows_);
    for (int64_t j = 0; j < cols_; ++j)
      if (degree[j] < 2) rare.push_back(int32_t(j));
    if (int64_t(rare.size()) > cols_ / 8) return false;
    for (const int32_t j : rare) {
      std::iota(nearest.begin(), nearest.end(), 0);
      const int64_t count = std::min(kFewest, rows_);
      std::partial_sort(nearest.begin(), nearest.begin() + count, nearest.end(), [&](int32_t a, int32_t b) {
        return cost(a, j) < cost(b, j) || (cost(a, j) == cost(b, j) && a < b);
      });
      for (int64_t k = 0; k < count && T(cost(nearest[k], j)) < Bounds<T>::infinity; ++k) {
        auto& chosen = columns[nearest[k]];
        if (std::find(chosen.begin(), chosen.end(), j) == chosen.end()) chosen.push_back(j);
      }
      run.spend(rows_);
    }
    return true;
  }

  int64_t rows_, cols_;
  int64_t first_row_ = 0;
  SignedCosts<S> cost_;
  const DenseScans<S, T>& scans_ = dense_scans<S, T>(cost_.negated);
};

}  // namespace konig
