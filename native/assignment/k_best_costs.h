// The costs of a ranking: exact integers, counted from duals, and the entries of lines by rising reduced
// cost.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "assignment/exact/grid.h"
#include "assignment/k_best.h"
#include "core/run.h"

namespace konig::ranking {

// ---- numbers

template <class T>
T on_grid(int64_t x, int) {
  return T(x);
}
// Rounded down to a multiple of 2^exponent.
template <class T>
T on_grid(double x, int exponent) {
  const auto bits = std::bit_cast<uint64_t>(x);
  const int biased = int(bits >> 52) & 0x7ff;  // 0 for numbers below the least normal one
  const auto size = int64_t((bits & 0xfffffffffffff) | uint64_t(biased > 0) << 52);
  const int64_t whole = x < 0 ? -size : size;
  const int shift = std::max(biased, 1) - 1075 - exponent;
  return shift >= 0 ? T(whole) << shift : T(whole >> std::min(-shift, 63));
}

inline bool is_allowed(int64_t) { return true; }
inline bool is_allowed(double x) { return std::isfinite(x); }

inline void append(int128 x, std::vector<uint64_t>& words) {
  words.push_back(uint64_t(x));
  words.push_back(uint64_t(x >> 64));
}
inline void append(const Widest& x, std::vector<uint64_t>& words) {
  words.insert(words.end(), std::begin(x.word), std::end(x.word));
}
inline void read(const Numbers& from, int128& x) { x = int128(from.word[1]) << 64 | int128(from.word[0]); }
inline void read(const Numbers& from, Widest& x) {
  std::copy(from.word.begin(), from.word.end(), std::begin(x.word));
}

// The nearest float64 of x * 2^exponent. What is below the least normal number has no more bits than that.
inline double nearest(int128 x, int exponent) { return std::ldexp(double(x), exponent); }
inline double nearest(const Widest& x, int exponent) {
  const int dropped = std::max(x.bits() - 120, 0);
  const Widest kept = x >> dropped;
  const bool is_rounded = kept << dropped != x;  // a bit below all that decide keeps ties from being seen
  const auto high = int128(kept.word[1]) << 64 | int128(kept.word[0]);
  return nearest(is_rounded ? high | 1 : high, exponent + dropped);
}

template <class T>
Numbers as_numbers(const std::vector<T>& values) {
  Numbers made{int(sizeof(T) / 8), {}};
  made.word.reserve(values.size() * size_t(made.words));
  for (const T& value : values) append(value, made.word);
  return made;
}

// ---- costs

template <class T>
struct Entry {
  T cost;         // reduced, not negative
  int32_t other;  // its column, in a row; its row, in a column
};

// The costs, counted from duals: those of the columns are given, those of the rows the largest that fit.
template <class T, class S>
class ReducedCosts {
 public:
  ReducedCosts(RankingTask<S> task, Run& run) : task_(std::move(task)) {
    for (const S dual : task_.col_dual) col_dual_.push_back(signed_on_grid(dual));
    row_dual_.assign(size_t(task_.rows), T(0));
    for (int64_t i = 0; i < task_.rows; ++i) {
      T least = Bounds<T>::infinity;
      each_of_row(int32_t(i), [&](int32_t, const T& reduced) { least = std::min(least, reduced); });
      row_dual_[i] = least;
      run.spend(task_.cols);
    }
    is_dense() ? transpose_dense() : transpose_sparse();
  }

  template <class Visit>
  void each_of_row(int32_t row, const Visit& visit) const {
    const int64_t begin = is_dense() ? row * task_.cols : task_.start[row];
    const int64_t end = is_dense() ? begin + task_.cols : task_.start[row + 1];
    for (int64_t e = begin; e < end; ++e)
      if (is_allowed(task_.cost[e])) {
        const int32_t col = is_dense() ? int32_t(e - begin) : task_.col[e];
        visit(col, reduced(task_.cost[e], row, col));
      }
  }
  template <class Visit>
  void each_of_col(int32_t col, const Visit& visit) const {
    const int64_t count = is_dense() ? task_.rows : col_start_[col + 1] - col_start_[col];
    const int64_t begin = is_dense() ? col * task_.rows : col_start_[col];
    for (int64_t k = 0; k < count; ++k) {
      const int32_t row = is_dense() ? int32_t(k) : row_by_cols_[begin + k];
      const S cost = cost_by_cols_[begin + k];
      if (is_allowed(cost)) visit(row, reduced(cost, row, col));
    }
  }
  // Of an allowed pair.
  T of_pair(int32_t row, int32_t col) const {
    int64_t e = row * task_.cols + col;
    if (!is_dense()) {
      const auto begin = task_.col.begin() + task_.start[row], end = task_.col.begin() + task_.start[row + 1];
      e = std::lower_bound(begin, end, col) - task_.col.begin();
    }
    return reduced(task_.cost[e], row, col);
  }

  const RankingTask<S>& task() const { return task_; }
  const std::vector<T>& row_dual() const { return row_dual_; }
  const std::vector<T>& col_dual() const { return col_dual_; }

 private:
  bool is_dense() const { return task_.start.empty(); }
  T signed_on_grid(S x) const {
    const T value = on_grid<T>(x, task_.exponent);
    return task_.negate ? -value : value;
  }
  T reduced(S cost, int32_t row, int32_t col) const {
    return signed_on_grid(cost) - row_dual_[row] - col_dual_[col];
  }

  // In squares that fit the cache.
  void transpose_dense() {
    constexpr int64_t kSide = 32;
    const int64_t rows = task_.rows, cols = task_.cols;
    cost_by_cols_.resize(task_.cost.size());
    for (int64_t row = 0; row < rows; row += kSide)
      for (int64_t col = 0; col < cols; col += kSide)
        for (int64_t i = row; i < std::min(row + kSide, rows); ++i)
          for (int64_t j = col; j < std::min(col + kSide, cols); ++j)
            cost_by_cols_[j * rows + i] = task_.cost[i * cols + j];
  }

  void transpose_sparse() {
    row_by_cols_.resize(task_.col.size());
    cost_by_cols_.resize(task_.col.size());
    col_start_.assign(size_t(task_.cols) + 1, 0);
    for (const int32_t j : task_.col) ++col_start_[j + 1];
    std::partial_sum(col_start_.begin(), col_start_.end(), col_start_.begin());
    std::vector<int64_t> next = col_start_;
    for (int64_t i = 0; i < task_.rows; ++i)
      for (int64_t e = task_.start[i]; e < task_.start[i + 1]; ++e) {
        const int64_t at = next[task_.col[e]]++;
        row_by_cols_[at] = int32_t(i);
        cost_by_cols_[at] = task_.cost[e];
      }
  }

  RankingTask<S> task_;
  std::vector<T> row_dual_, col_dual_;
  std::vector<S> cost_by_cols_;
  std::vector<int64_t> col_start_;  // of sparse costs
  std::vector<int32_t> row_by_cols_;
};

// The entries of rows or columns by rising reduced cost. Few are read, so lists begin short, and grow.
template <class T>
class SortedLists {
 public:
  explicit SortedLists(int64_t count) : lists_(static_cast<size_t>(count)) {}

  // The k-th entry of a line; null if it has no more. `visit_all` visits all entries of the line.
  template <class VisitAll>
  const Entry<T>* at(int32_t line, size_t k, const VisitAll& visit_all, Run& run) {
    List& list = lists_[line];
    if (k >= list.entry.size()) {
      if (list.is_complete) return nullptr;
      grow(list, visit_all, run);
      if (k >= list.entry.size()) return nullptr;
    }
    return &list.entry[k];
  }

 private:
  static constexpr size_t kFirst = 16, kGrowth = 4;

  struct List {
    std::vector<Entry<T>> entry;
    bool is_complete = false;
  };

  static bool comes_before(const Entry<T>& a, const Entry<T>& b) {
    return a.cost != b.cost ? a.cost < b.cost : a.other < b.other;
  }

  template <class VisitAll>
  void grow(List& list, const VisitAll& visit_all, Run& run) {
    all_.clear();
    visit_all([&](int32_t other, const T& reduced) { all_.push_back({reduced, other}); });
    const size_t wanted = std::max(kFirst, kGrowth * list.entry.size());
    list.is_complete = wanted >= all_.size();
    const auto end = all_.begin() + int64_t(std::min(wanted, all_.size()));
    if (!list.is_complete) std::nth_element(all_.begin(), end, all_.end(), comes_before);
    std::sort(all_.begin(), end, comes_before);
    list.entry.assign(all_.begin(), end);
    run.spend(int64_t(all_.size()));
  }

  std::vector<List> lists_;
  std::vector<Entry<T>> all_;
};

template <class T, class S>
class Lists {
 public:
  Lists(RankingTask<S> task, Run& run)
      : costs(std::move(task), run), rows_(costs.task().rows), cols_(costs.task().cols) {}

  const Entry<T>* in_row(int32_t row, size_t k, Run& run) {
    return rows_.at(row, k, [&](const auto& visit) { costs.each_of_row(row, visit); }, run);
  }
  const Entry<T>* in_col(int32_t col, size_t k, Run& run) {
    return cols_.at(col, k, [&](const auto& visit) { costs.each_of_col(col, visit); }, run);
  }

  const ReducedCosts<T, S> costs;

 private:
  SortedLists<T> rows_, cols_;
};

}  // namespace konig::ranking
