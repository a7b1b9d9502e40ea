// Dense costs, or the block of rows of a matrix that one of several processes has: the small costs of its
// rows, and the entries that undercut duals. They make a sparse core (core.h), over all blocks, and duals
// that no entry of any block undercuts prove its answer for the whole matrix.
//
// Undercutting is decided without rounding: cost < row dual + column dual.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "assignment/core.h"
#include "assignment/scans/cost_check.h"
#include "assignment/scans/dense_scans.h"
#include "assignment/sums.h"
#include "core/exact.h"
#include "core/shared_loop.h"

namespace konig {

// Columns row after row; those of row i begin at start[i].
struct ColumnLists {
  std::vector<int64_t> start{0};
  std::vector<int32_t> col;
};

template <class S>
class CostBlock {
 public:
  CostBlock(int64_t rows, int64_t cols, SignedCosts<S> cost, int threads)
      : rows_(rows), cols_(cols), cost_(cost), threads_(threads) {}

  // The columns of the smallest costs of each row, about sixteen, or fewer if no more are allowed. The block
  // begins at `first_row` of the matrix. Nothing is chosen if there is a bad cost, which shows in `check`.
  ColumnLists choose(int64_t first_row, CostCheck& check, Run& run) {
    const ColumnLists chosen = choose_in<NarrowSums<S>>(first_row, &check, run);
    largest_ = check.largest;
    if (check.is_bad()) return {};
    // Costs beyond the infinity of a type cannot be compared in it.
    if (std::is_floating_point_v<S> || largest_ < double(Bounds<NarrowSums<S>>::infinity)) return chosen;
    if constexpr (sizeof(S) == 4 && std::is_integral_v<S>) return choose_in<int64_t>(first_row, nullptr, run);
    return choose_wide(run);
  }

  // The columns of a first core of these costs.
  template <class T>
  ColumnLists adopt(FirstCore<S, T>& first) {
    lists_ = std::move(first.columns);
    outside_.resize(size_t(rows_));
    for (int64_t i = 0; i < rows_; ++i)
      outside_[i] = first.outside[i] < Bounds<T>::infinity ? Dual(first.outside[i]) : kNothingOutside;
    return joined();
  }

  // For each row, the columns with cost < row dual + column dual; of more than `most`, those with the
  // smallest reduced costs. The duals are those of the costs as they are minimised.
  ColumnLists undercutting(const DualOf<S>* row_dual, const DualOf<S>* col_dual, int64_t most, Run& run) {
    if constexpr (std::is_floating_point_v<S>) {
      return undercutting_in<double>(row_dual, col_dual, most, run);
    } else {
      double largest = largest_;
      for (int64_t i = 0; i < rows_; ++i) largest = std::max(largest, std::abs(double(row_dual[i])));
      for (int64_t j = 0; j < cols_; ++j) largest = std::max(largest, std::abs(double(col_dual[j])));
      if (4 * largest < double(Bounds<NarrowSums<S>>::infinity))
        return undercutting_in<NarrowSums<S>>(row_dual, col_dual, most, run);
      if (4 * largest < double(Bounds<int64_t>::infinity))
        return undercutting_in<int64_t>(row_dual, col_dual, most, run);
      find_wide(row_dual, col_dual, most, run);
      return joined();
    }
  }
  // The same by sums of type T, which hold these numbers.
  template <class T>
  ColumnLists undercutting_in(const DualOf<S>* row_dual, const DualOf<S>* col_dual, int64_t most, Run& run) {
    lists_.assign(size_t(rows_), {});
    if constexpr (std::is_floating_point_v<T>)
      find_real(row_dual, col_dual, most, run);
    else
      find_whole<T>(row_dual, col_dual, most, run);
    return joined();
  }
  // Every entry of a row that costs less was chosen.
  DualOf<S> outside(int64_t row) const { return outside_[row]; }

  S cost(int64_t i, int64_t j) const { return cost_[i * cols_ + j]; }  // to be minimised
  int64_t cols() const { return cols_; }

 private:
  using Dual = DualOf<S>;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  const S* row(int64_t i) const { return cost_.data + i * cols_; }  // as it is stored

  template <class T>
  ColumnLists choose_in(int64_t first_row, CostCheck* check, Run& run) {
    FirstCore<S, T> first(rows_, cols_, cost_);
    first.choose_in_part(first_row, threads_, check, cost_.negated, run);
    return adopt(first);
  }

  ColumnLists choose_wide(Run& run) {
    constexpr int64_t kChosen = 16;
    outside_.assign(size_t(rows_), std::numeric_limits<Dual>::lowest());
    for_each_row(run, [&](int64_t i, std::vector<int32_t>& found) {
      std::iota(found.begin(), found.begin() + cols_, 0);
      keep_best(found, cols_, kChosen, [&](int32_t j) { return cost(i, j); });
      return std::min(cols_, kChosen);
    });
    return joined();
  }

  // Duals in the type of sums.
  template <class T>
  void find_whole(const Dual* row_dual, const Dual* col_dual, int64_t most, Run& run) {
    const DenseScans<S, T>& scans = dense_scans<S, T>(cost_.negated);
    const std::vector<T> dual(col_dual, col_dual + cols_);
    const std::vector<int32_t> dearest = columns_with_largest(col_dual);
    for_each_row(run, [&](int64_t i, std::vector<int32_t>& found) -> int64_t {
      if (outside_[i] == kNothingOutside) return 0;
      const int64_t near =
          candidates(dearest, [&](int32_t j) { return row_dual[i] > outside_[i] - col_dual[j]; });
      int64_t count = 0;
      if (near < int64_t(dearest.size())) {
        for (int64_t k = 0; k < near; ++k)
          if (T(cost(i, dearest[k])) - dual[dearest[k]] < T(row_dual[i])) found[count++] = dearest[k];
      } else {
        count = scans.below(row(i), dual.data(), T(row_dual[i]), cols_, found.data(), cols_);
      }
      keep_best(found, count, most, [&](int32_t j) { return T(cost(i, j)) - dual[j]; });
      return std::min(count, most);
    });
  }

  void find_wide(const Dual* row_dual, const Dual* col_dual, int64_t most, Run& run) {
    for_each_row(run, [&](int64_t i, std::vector<int32_t>& found) {
      const auto slack = [&](int32_t j) { return int128(cost(i, j)) - int128(col_dual[j]); };
      int64_t count = 0;
      for (int64_t j = 0; j < cols_; ++j)
        if (slack(int32_t(j)) < int128(row_dual[i])) found[count++] = int32_t(j);
      keep_best(found, count, most, slack);
      return std::min(count, most);
    });
  }

  // Rounding does not change the order of numbers: a difference that is rounded to more than the row's dual
  // is more. Where it is rounded to just that, the rounding error decides.
  void find_real(const Dual* row_dual, const Dual* col_dual, int64_t most, Run& run) {
    const DenseScans<S, double>& scans = dense_scans<S, double>(cost_.negated);
    const std::vector<int32_t> dearest = columns_with_largest(col_dual);
    for_each_row(run, [&](int64_t i, std::vector<int32_t>& found) -> int64_t {
      const double above = std::nextafter(row_dual[i], kInfinity);
      int64_t near = candidates(
          dearest, [&](int32_t j) { return row_dual[i] > difference_below(outside_[i], col_dual[j]); });
      if (near < int64_t(dearest.size()))
        std::copy_n(dearest.begin(), near, found.begin());
      else
        near = scans.below(row(i), col_dual, above, cols_, found.data(), cols_);
      int64_t count = 0;
      for (int64_t k = 0; k < near; ++k) {
        const TwoSum slack = two_sum(double(cost(i, found[k])), -col_dual[found[k]]);
        if (slack.sum < row_dual[i] || (slack.sum == row_dual[i] && slack.error < 0))
          found[count++] = found[k];
      }
      keep_best(found, count, most, [&](int32_t j) { return double(cost(i, j)) - col_dual[j]; });
      return std::min(count, most);
    });
  }

  // The columns with the largest duals, in descending order: as many as are read one by one faster than a
  // row is.
  template <class D>
  std::vector<int32_t> columns_with_largest(const D* col_dual) const {
    constexpr int64_t kSlower = 16;  // a cache line has so many costs of 32 bits
    std::vector<int32_t> dearest(static_cast<size_t>(cols_));
    std::iota(dearest.begin(), dearest.end(), 0);
    const auto by_dual = [&](int32_t a, int32_t b) { return col_dual[a] > col_dual[b]; };
    const auto last = dearest.begin() + (cols_ / kSlower);
    std::nth_element(dearest.begin(), last, dearest.end(), by_dual);
    dearest.resize(size_t(cols_ / kSlower));
    std::sort(dearest.begin(), dearest.end(), by_dual);
    return dearest;
  }
  // How many of them may undercut: an entry that is not among a row's smallest does so only with a dual that
  // is large enough.
  template <class MayUndercut>
  static int64_t candidates(const std::vector<int32_t>& dearest, const MayUndercut& may_undercut) {
    return std::partition_point(dearest.begin(), dearest.end(), may_undercut) - dearest.begin();
  }

  // find(row, found) writes columns and returns how many.
  template <class Find>
  void for_each_row(Run& run, const Find& find) {
    // One for each worker: a piece of the loop may be a single row.
    std::vector<std::vector<int32_t>> found_by(static_cast<size_t>(threads_));
    for_rows(threads_, rows_, cols_, run, [&](int worker, int64_t first, int64_t last) {
      std::vector<int32_t>& found = found_by[worker];
      found.resize(size_t(cols_ + kMoreRoom));
      for (int64_t i = first; i < last; ++i) {
        const int64_t count = find(i, found);
        lists_[i].assign(found.begin(), found.begin() + count);
      }
    });
  }

  template <class Slack>
  static void keep_best(std::vector<int32_t>& found, int64_t count, int64_t most, const Slack& slack) {
    if (count > most)
      std::nth_element(found.begin(), found.begin() + most, found.begin() + count,
                       [&](int32_t a, int32_t b) { return slack(a) < slack(b); });
  }

  ColumnLists joined() const {
    ColumnLists all;
    for (const std::vector<int32_t>& columns : lists_) {
      all.col.insert(all.col.end(), columns.begin(), columns.end());
      all.start.push_back(int64_t(all.col.size()));
    }
    return all;
  }

  static constexpr Dual kNothingOutside =
      std::is_integral_v<S> ? std::numeric_limits<Dual>::max() : std::numeric_limits<Dual>::infinity();

  const int64_t rows_, cols_;
  const SignedCosts<S> cost_;
  const int threads_;
  double largest_ = 0;                       // at least every finite |cost|
  std::vector<std::vector<int32_t>> lists_;  // of each row
  std::vector<Dual> outside_;
};

}  // namespace konig
