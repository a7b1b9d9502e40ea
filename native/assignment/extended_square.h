// A square that is the extended matrix of a problem in which rows and columns may be left alone:
//
//     cost[i, j]   row[i] in every column
//     col[j]       other
//     in every row
//
// in any order of rows and columns, with at least as many rows and columns added as there are others. Such
// are costs with a gate as trackers pad them, and distances of diagrams whose points may all go to the
// diagonal. Leaving a column alone costs col[j] - other then: the small problem (unassigned.h) has a quarter
// of the costs, none of its rows are alike, and its duals are those of the square, with 0 for the columns
// added and `other` for the rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <vector>

#include "assignment/line_minima.h"
#include "assignment/task.h"
#include "assignment/unassigned.h"
#include "core/large_array.h"
#include "core/run.h"

namespace konig {

template <class S>
class ExtendedSquare {
  using Dual = DualOf<S>;
  using Flag = std::conditional_t<sizeof(S) == 8, uint64_t, uint32_t>;  // as wide as a cost, for vectors

 public:
  // With the minima of its columns. As a rule it is false after one look at where these are.
  bool find(const DenseTask<S>& task, const LineMinima<S>& minima, Run& run) {
    costs_ = task.cost;
    size_ = task.rows;
    if (size_ < kLeast || 2 * (minima.contested(size_) + 1) < size_) return false;
    return find_added_rows(run) && find_added_cols(minima, run) && costs_fit(minima);
  }

  // False if its numbers do not fit the types.
  bool solve(const DenseTask<S>& task, DenseAnswer<S>& answer, Run& run) const {
    const auto rows = int64_t(rows_.size()), cols = int64_t(cols_.size());
    const int64_t added_row = added_rows_[0], added_col = added_cols_[0];
    const Dual other = cost(added_row, added_col);
    LargeArray<S> costs(size_t(rows * cols));
    std::vector<Dual> row_alone, col_alone;
    for (const int32_t j : cols_) col_alone.push_back(Dual(cost(added_row, j)) - other);
    for (int64_t k = 0; k < rows; ++k) {
      row_alone.push_back(cost(rows_[k], added_col));
      for (int64_t l = 0; l < cols; ++l) costs[k * cols + l] = cost(rows_[k], cols_[l]);
      run.spend(cols / 4 + 1);
    }
    DenseTask<S> rest{costs.data(), rows, cols, task.maximize};
    rest.plan = task.plan;
    rest.threads = task.threads;
    std::vector<int64_t> row_ind(rows_.size()), col_ind(rows_.size());
    std::vector<Dual> row_dual(rows_.size()), col_dual(cols_.size());
    DenseAnswer<S> found{row_ind.data(), col_ind.data(), row_dual.data(), col_dual.data()};
    int64_t pairs = 0;
    CostCheck check;
    const Outcome outcome =
        solve_dense_unassigned<S>(rest, {row_alone.data(), col_alone.data()}, found, pairs, check, run);
    if (check.is_bad() || outcome != Outcome::optimal) return false;
    write_pairs(row_ind.data(), col_ind.data(), pairs, answer);
    std::fill_n(answer.row_dual, size_, other);
    std::fill_n(answer.col_dual, size_, Dual(0));
    for (int64_t k = 0; k < rows; ++k) answer.row_dual[rows_[k]] = row_dual[k];
    for (int64_t l = 0; l < cols; ++l) answer.col_dual[cols_[l]] = col_dual[l];
    answer.total = found.total + TotalOf<S>(other) * TotalOf<S>(added_rows_.size());
    answer.gap = found.gap;
    run.count("extended_rows", int64_t(added_rows_.size()));
    return true;
  }

 private:
  static constexpr int64_t kLeast = 64;  // rows: fewer are solved sooner as they are
  static constexpr int64_t kSome = 16;   // lines that are compared first

  S cost(int64_t i, int64_t j) const { return costs_[i * size_ + j]; }

  // Of some lines, spread over all, the one with the most alike; -1 if none are.
  template <class AreAlike>
  int32_t most_frequent(const AreAlike& are_alike) const {
    const auto line = [&](int64_t k) { return int32_t((2 * k + 1) * size_ / (2 * kSome)); };
    int32_t found = -1;
    int64_t most = 0;
    for (int64_t k = 0; k + most + 1 < kSome; ++k) {
      int64_t count = 0;
      for (int64_t l = k + 1; l < kSome; ++l) count += are_alike(line(k), line(l));
      if (count > most) most = count, found = line(k);
    }
    return found;
  }

  template <class IsAdded>
  void split(const IsAdded& is_added, std::vector<int32_t>& added, std::vector<int32_t>& others) const {
    added.resize(size_t(size_));
    others.resize(size_t(size_));
    size_t count = 0;
    for (int32_t k = 0; k < size_; ++k) {
      added[count] = others[k - count] = k;
      count += is_added(k);
    }
    added.resize(count);
    others.resize(size_t(size_) - count);
  }

  bool find_added_rows(Run& run) {
    const auto are_alike = [&](int32_t a, int32_t b) {
      return cost(a, 0) == cost(b, 0) &&
             std::memcmp(costs_ + a * size_, costs_ + b * size_, size_t(size_) * sizeof(S)) == 0;
    };
    const int32_t one = most_frequent(are_alike);
    if (one < 0) return false;
    split([&](int32_t i) { return are_alike(one, i); }, added_rows_, rows_);
    run.spend(size_ * size_ / 4);
    return true;
  }

  // Columns alike have equal minima, in one row, and equal costs in the rows added, which are all alike.
  bool find_added_cols(const LineMinima<S>& minima, Run& run) {
    const int32_t added_row = added_rows_[0];
    const auto may_be_alike = [&](int32_t a, int32_t b) {
      return minima.place[a] == minima.place[b] && minima.least[a] == minima.least[b] &&
             cost(added_row, a) == cost(added_row, b);
    };
    const int32_t one = most_frequent([&](int32_t a, int32_t b) {
      return may_be_alike(a, b) &&
             std::all_of(rows_.begin(), rows_.end(), [&](int32_t i) { return cost(i, a) == cost(i, b); });
    });
    if (one < 0) return false;
    differs_.assign(size_t(size_), 0);
    for (int32_t j = 0; j < size_; ++j) differs_[j] = !may_be_alike(one, j);
    Flag* const differs = differs_.data();
    for (const int32_t i : rows_) {
      const S alone = cost(i, one);
      const S* const row = costs_ + i * size_;
      for (int64_t j = 0; j < size_; ++j) differs[j] |= Flag(row[j] != alone);
      run.spend(size_ / 4 + 1);
    }
    split([&](int32_t j) { return !differs_[j]; }, added_cols_, cols_);
    return int64_t(added_rows_.size() + added_cols_.size()) >= size_;
  }

  // What is left alone has a finite cost, and nothing is rounded.
  bool costs_fit(const LineMinima<S>& minima) const {
    const S other = cost(added_rows_[0], added_cols_[0]);
    if constexpr (std::is_integral_v<S>) {
      return *minima.largest() < 0x1p58;
    } else {
      const auto is_finite = [](S number) { return std::isfinite(number); };
      return other == 0 &&
             std::all_of(rows_.begin(), rows_.end(),
                         [&](int32_t i) { return is_finite(cost(i, added_cols_[0])); }) &&
             std::all_of(cols_.begin(), cols_.end(),
                         [&](int32_t j) { return is_finite(cost(added_rows_[0], j)); });
    }
  }

  // Rows left alone take columns added, rows added the columns left alone, and the rest one another.
  void write_pairs(const int64_t* row_ind, const int64_t* col_ind, int64_t pairs,
                   DenseAnswer<S>& answer) const {
    std::vector<uint8_t> is_paired(cols_.size(), 0);
    std::iota(answer.row_ind, answer.row_ind + size_, int64_t(0));
    std::fill_n(answer.col_ind, size_, int64_t(-1));
    for (int64_t k = 0; k < pairs; ++k) {
      answer.col_ind[rows_[row_ind[k]]] = cols_[col_ind[k]];
      is_paired[col_ind[k]] = 1;
    }
    auto added_col = added_cols_.begin();
    for (const int32_t i : rows_)
      if (answer.col_ind[i] < 0) answer.col_ind[i] = *added_col++;
    auto added_row = added_rows_.begin();
    for (size_t l = 0; l < cols_.size(); ++l)
      if (!is_paired[l]) answer.col_ind[*added_row++] = cols_[l];
    for (; added_row != added_rows_.end(); ++added_row) answer.col_ind[*added_row] = *added_col++;
  }

  const S* costs_ = nullptr;
  int64_t size_ = 0;
  std::vector<int32_t> rows_, cols_, added_rows_, added_cols_;
  std::vector<Flag> differs_;
};

}  // namespace konig
