// A square that is the extended matrix of a problem in which rows and columns may be left alone:
//
//     cost[i, j]   row[i] in every column
//     col[j]       other
//     in every row
//
// in any order of rows and columns, with at least as many rows and columns added as there are others. Such
// are costs with a gate as trackers pad them, and distances of diagrams whose points may all go to the
// diagonal. Leaving a column alone costs col[j] - other then. Let the shorter side be the rows, and let all
// of them be assigned at min(cost[i, j] - (col[j] - other), row[i]); at row[i] both are left alone. That is
// an ordinary problem with a quarter of the costs, of which no rows are alike. With what was subtracted added
// again, its duals are those of the square, with 0 for the columns added and `other` for the rows. Of reals
// they are proved by the costs as they are given (unassigned.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "assignment/answer.h"
#include "assignment/line_minima.h"
#include "assignment/scans/dense_scans.h"
#include "assignment/sums.h"
#include "assignment/task.h"
#include "assignment/unassigned.h"
#include "core/large_array.h"
#include "core/run.h"
#include "core/shared_loop.h"

namespace konig {

template <class S>
class ExtendedSquare {
  using Dual = DualOf<S>;
  using Bits = std::conditional_t<sizeof(S) == 8, uint64_t, uint32_t>;  // of a cost

 public:
  // With the minima of its columns. As a rule it is false after one look at where these are.
  bool find(const DenseTask<S>& task, const LineMinima<S>& minima, Run& run) {
    costs_ = task.cost;
    sign_ = task.maximize ? -1 : 1;
    size_ = task.rows;
    if (size_ < kLeast || 2 * (minima.contested(size_) + 1) < size_) return false;
    if (!find_added_rows(run) || !find_added_cols(minima, run) || !costs_fit(minima)) return false;
    find_limits();
    return true;
  }

  // Of the smaller problem, which is to be minimised.
  int64_t rows() const { return int64_t(lines().size()); }
  int64_t cols() const { return int64_t(crossing().size()); }
  int64_t added_rows() const { return int64_t(added_rows_.size()); }
  // At least each |cost| of it, if no |cost| of the square is above `largest`.
  static double largest(double largest) { return 3 * largest; }

  // Its costs, row after row, in a type that holds them; of reals they are rounded unless what is subtracted
  // is the same everywhere: a constant may be added to the limits instead.
  template <class T>
  void reduce(T* reduced, int threads, Run& run) const {
    const int64_t along = is_turned_ ? size_ : 1, across = is_turned_ ? 1 : size_;
    for_rows(threads, rows(), cols(), run, [&](int, int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k) {
        const S* const from = costs_ + lines()[k] * across;
        const Dual limit = limit_[k] + constant_;
        T* const to = reduced + k * cols();
        for (int64_t l = 0; l < cols(); ++l)
          to[l] = T(std::min(sign_ * Dual(from[crossing()[l] * along]) - subtracted_[l], limit));
      }
    });
  }

  // Writes the answer to the square, by one to the smaller problem.
  template <class Paths>
  Outcome write(const DenseTask<S>& task, const Paths& paths, DenseAnswer<S>& answer, Run& run) {
    const bool all_paired = find_pairs(paths);
    const Dual shift = shift_of(paths, all_paired);
    auto& of_lines = is_turned_ ? col_dual_ : row_dual_;
    auto& of_crossing = is_turned_ ? row_dual_ : col_dual_;
    of_lines.resize(size_t(rows()));
    of_crossing.resize(size_t(cols()));
    for (int64_t k = 0; k < rows(); ++k) of_lines[k] = Dual(paths.row_dual(k)) - shift;
    for (int64_t l = 0; l < cols(); ++l) of_crossing[l] = Dual(paths.col_dual(l)) + shift + subtracted_[l];
    if constexpr (std::is_floating_point_v<S>)
      if (!prove(task, answer.gap, run)) return Outcome::duals_too_large;
    std::fill_n(answer.row_dual, size_, sign_ * other());
    std::fill_n(answer.col_dual, size_, Dual(0));
    for (size_t k = 0; k < rows_.size(); ++k) answer.row_dual[rows_[k]] = sign_ * row_dual_[k] + 0;
    for (size_t l = 0; l < cols_.size(); ++l) answer.col_dual[cols_[l]] = sign_ * col_dual_[l] + 0;
    extend_pairs();
    write_pairs(task, col_of_row_, answer);
    return Outcome::optimal;
  }

 private:
  // Rows: fewer are solved sooner as they are. With 34 to 80 of them persistence diagrams take 0.64 of the
  // time in the mean of 28 draws, from 0.3 to 1.25.
  static constexpr int64_t kLeast = 28;
  static constexpr int64_t kSome = 16;  // lines that are compared first

  // The rows of the smaller problem, and its columns.
  const std::vector<int32_t>& lines() const { return is_turned_ ? cols_ : rows_; }
  const std::vector<int32_t>& crossing() const { return is_turned_ ? rows_ : cols_; }

  S cost(int64_t i, int64_t j) const { return costs_[i * size_ + j]; }
  Dual other() const { return sign_ * Dual(cost(added_rows_[0], added_cols_[0])); }

  // Of some lines, spread over all, the first that a third are alike to, or the one with the most; -1 if none
  // are.
  template <class AreAlike>
  int32_t most_frequent(const AreAlike& are_alike) const {
    const auto line = [&](int64_t k) { return int32_t((2 * k + 1) * size_ / (2 * kSome)); };
    int32_t found = -1;
    int64_t most = 0;
    for (int64_t k = 0; k + most + 1 < kSome && 3 * most < kSome; ++k) {
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
      const auto agree = [&](int64_t j) { return cost(a, j) == cost(b, j); };
      return agree(0) && agree(size_ / 3) && agree(size_ / 2) && agree(size_ - 1) &&
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
    Bits* const differs = differs_.data();
    const int64_t size = size_;
    for (const int32_t i : rows_) {
      const auto alone = std::bit_cast<Bits>(cost(i, one));
      const S* const row = costs_ + i * size;
      for (int64_t j = 0; j < size; ++j) differs[j] |= std::bit_cast<Bits>(row[j]) ^ alone;
      run.spend(size_ / 4 + 1);
    }
    split([&](int32_t j) { return !differs_[j]; }, added_cols_, cols_);
    return !rows_.empty() && !cols_.empty() && int64_t(added_rows_.size() + added_cols_.size()) >= size_;
  }

  // What is left alone has a finite cost, and `other` rounds nothing.
  bool costs_fit(const LineMinima<S>& minima) const {
    if constexpr (std::is_integral_v<S>) {
      return *minima.largest() < 0x1p58;
    } else {
      const auto is_finite = [](S number) { return std::isfinite(number); };
      return other() == 0 &&
             std::all_of(rows_.begin(), rows_.end(),
                         [&](int32_t i) { return is_finite(cost(i, added_cols_[0])); }) &&
             std::all_of(cols_.begin(), cols_.end(),
                         [&](int32_t j) { return is_finite(cost(added_rows_[0], j)); });
    }
  }

  // What leaving its rows and columns alone costs the smaller problem.
  void find_limits() {
    is_turned_ = rows_.size() > cols_.size();
    auto& of_rows = is_turned_ ? subtracted_ : limit_;
    auto& of_cols = is_turned_ ? limit_ : subtracted_;
    of_rows.resize(rows_.size());
    of_cols.resize(cols_.size());
    for (size_t k = 0; k < rows_.size(); ++k) of_rows[k] = sign_ * Dual(cost(rows_[k], added_cols_[0]));
    for (size_t l = 0; l < cols_.size(); ++l)
      of_cols[l] = sign_ * Dual(cost(added_rows_[0], cols_[l])) - other();
    constant_ = Dual(0);
    if (std::count(subtracted_.begin(), subtracted_.end(), subtracted_[0]) < cols()) return;
    std::swap(constant_, subtracted_[0]);
    std::fill(subtracted_.begin(), subtracted_.end(), Dual(0));
  }

  // The pairs of rows and columns that were not added, by their places among these. Returns whether all are
  // paired.
  template <class Paths>
  bool find_pairs(const Paths& paths) {
    partner_.assign(rows_.size(), -1);
    int64_t pairs = 0;
    for (int64_t k = 0; k < rows(); ++k) {
      const int32_t l = paths.col_of_row(k);
      const int32_t row = is_turned_ ? l : int32_t(k), col = is_turned_ ? int32_t(k) : l;
      if (!(sign_ * Dual(cost(rows_[row], cols_[col])) - subtracted_[l] <= limit_[k] + constant_)) continue;
      partner_[row] = col;
      ++pairs;
    }
    return pairs == rows() && pairs == cols();
  }

  // Rows left alone take columns added, rows added the columns left alone, and the rest one another.
  void extend_pairs() {
    col_of_row_.assign(size_t(size_), -1);
    is_paired_.assign(cols_.size(), 0);
    auto added_col = added_cols_.begin();
    for (size_t k = 0; k < rows_.size(); ++k) {
      const int32_t l = partner_[k];
      col_of_row_[rows_[k]] = l < 0 ? *added_col++ : cols_[l];
      if (l >= 0) is_paired_[l] = 1;
    }
    auto added_row = added_rows_.begin();
    for (size_t l = 0; l < cols_.size(); ++l)
      if (!is_paired_[l]) col_of_row_[*added_row++] = cols_[l];
    for (; added_row != added_rows_.end(); ++added_row) col_of_row_[*added_row] = *added_col++;
  }

  // Whether there are duals that prove the pairs, which may change.
  bool prove(const DenseTask<S>& task, double& gap, Run& run) {
    const auto rows = int64_t(rows_.size()), cols = int64_t(cols_.size());
    LargeArray<S> given(size_t(rows * cols));
    for_rows(task.threads, rows, cols, run, [&](int, int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k)
        for (int64_t l = 0; l < cols; ++l) given[k * cols + l] = cost(rows_[k], cols_[l]);
    });
    std::vector<Dual> crossing_alone = subtracted_;
    if (constant_ != 0) crossing_alone.assign(crossing_alone.size(), constant_);
    const Dual *const of_lines = limit_.data(), *const of_crossing = crossing_alone.data();
    const UnassignedCosts<double> alone{is_turned_ ? of_crossing : of_lines,
                                        is_turned_ ? of_lines : of_crossing};
    const DenseRealCosts<S> costs(rows, cols, {given.data(), task.maximize}, NoLists(), task.threads);
    UnassignedAnswer found{partner_.data(), row_dual_.data(), col_dual_.data()};
    const bool fits = prove_unassigned(costs, alone, found, {}, run);
    gap = found.gap;
    return fits;
  }

  // By how much the duals of columns of the smaller problem move up, and those of its rows down, so that none
  // exceeds what leaving its row or column alone costs. Something left alone determines it. Where all are
  // paired they move as little as they can: small ones keep their digits.
  template <class Paths>
  Dual shift_of(const Paths& paths, bool all_paired) const {
    Dual most = std::numeric_limits<Dual>::max(), least = -most;
    for (int64_t l = 0; l < cols(); ++l) most = std::min(most, constant_ - Dual(paths.col_dual(l)));
    if (!all_paired) return most;
    for (int64_t k = 0; k < rows(); ++k) least = std::max(least, Dual(paths.row_dual(k)) - limit_[k]);
    return std::max(std::min(Dual(0), most), std::min(least, most));
  }

  const S* costs_ = nullptr;
  Dual sign_ = 1;
  int64_t size_ = 0;
  std::vector<int32_t> rows_, cols_, added_rows_, added_cols_;
  std::vector<Bits> differs_;
  bool is_turned_ = false;                 // the smaller problem has the columns as its rows
  std::vector<Dual> limit_, subtracted_;   // of its rows, and of its columns
  Dual constant_ = 0;                      // added to the limits, in place of what is subtracted
  std::vector<Dual> row_dual_, col_dual_;  // of the rows and columns that were not added
  std::vector<int32_t> partner_;           // of these rows, or -1
  std::vector<int32_t> col_of_row_;        // of the square
  std::vector<uint8_t> is_paired_;
};

}  // namespace konig
