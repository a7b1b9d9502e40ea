// Lists of costs where rows and columns may be left alone.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "assignment/sparse/limited.h"
#include "assignment/sparse/real_costs.h"
#include "assignment/sparse/transposed.h"
#include "assignment/unassigned.h"
#include "assignment/unassigned_reduction.h"

namespace konig {
namespace {

template <class S>
class SparseUnassigned {
  using Dual = DualOf<S>;

 public:
  SparseUnassigned(const SparseCosts<S>& costs, bool maximize, const Alone<Dual>& alone, double largest)
      : costs_(costs),
        maximize_(maximize),
        alone_(alone),
        scale_(largest > kLargestAsGiven ? kScaleOfLarge : 1.0),
        scaled_(alone.scaled(scale_)),
        reduction_(scaled_, true),
        pairing_(costs.rows, costs.cols),
        paid_(alone.of_rows(), alone.of_rows() + alone.rows) {}

  Outcome solve(SparseAnswer<S>& answer, Run& run) {
    list_reduced(run);
    if constexpr (std::is_integral_v<S>) {
      // As in jv.cpp, of the doubled problem.
      if (16.0 * double(costs_.rows + costs_.cols + 1) * largest_ < double(Bounds<int64_t>::largest))
        find_pairs<int64_t>(answer, run);
      else
        find_pairs<int128>(answer, run);
    } else {
      find_pairs<double>(answer, run);
    }
    find_costs_of_rows();
    if (!write_duals(answer, run)) return Outcome::duals_too_large;
    write(answer);
    return Outcome::optimal;
  }

 private:
  // Pairs that may be made at their reduced costs, and the limits of the rows.
  void list_reduced(Run& run) {
    start_.reserve(size_t(costs_.rows) + 1);
    limit_.reserve(size_t(costs_.rows));
    col_.reserve(size_t(costs_.start[costs_.rows]));
    cost_.reserve(col_.capacity());
    start_.push_back(0);
    for (int64_t i = 0; i < costs_.rows; ++i) {
      for (int64_t e = costs_.start[i]; e < costs_.start[i + 1]; ++e) {
        const int32_t j = costs_.col[e];
        const Dual cost = minimised<Dual>(costs_.cost[e], maximize_);
        if (!alone_.allows(cost, i, j)) continue;
        col_.push_back(j);
        cost_.push_back(scaled(cost) - reduction_.row_shift[i] - reduction_.col_shift[j]);
        largest_ = std::max(largest_, std::abs(double(cost_.back())));
      }
      limit_.push_back(reduction_.row_limit[i]);
      largest_ = std::max(largest_, std::abs(double(limit_.back())));
      start_.push_back(int64_t(col_.size()));
      run.spend(costs_.start[i + 1] - costs_.start[i] + 1);
    }
  }
  Dual scaled(Dual number) const { return scale_ == 1.0 ? number : Dual(scale_ * double(number)); }

  // Pairs, and duals of the reduced costs: those of rows are the largest that those of columns allow.
  template <class T>
  void find_pairs(SparseAnswer<S>& answer, Run& run) {
    const SparseCosts<Dual> lists{costs_.rows, costs_.cols, start_.data(), col_.data(), cost_.data()};
    LimitedAssignment<Dual, T> limited(lists, limit_.data());
    limited.solve(run);
    for (int64_t j = 0; j < costs_.cols; ++j) answer.col_dual[j] = Dual(limited.col_dual(j));
    for (int64_t i = 0; i < costs_.rows; ++i)
      if (const int32_t j = limited.col_of_row(i); j >= 0) pairing_.pair(i, j);
    if constexpr (std::is_floating_point_v<S>) correct_rounding(answer.col_dual, run);
    for (int64_t i = 0; i < costs_.rows; ++i) {
      Dual lowest = limit_[i];
      for (int64_t e = start_[i]; e < start_[i + 1]; ++e)
        lowest = std::min(lowest, difference_below_of(cost_[e], answer.col_dual[col_[e]]));
      answer.row_dual[i] = lowest;
      run.spend(start_[i + 1] - start_[i] + 1);
    }
  }
  // Searches round the duals that they move, and what that adds up to may be more than a proof neglects: the
  // duals of columns that undercut a row's pair by more than a unit in the last place are lowered, until no
  // row has one. Given up after so many scans a row, and where a column has no row: that is for an exact
  // proof to settle.
  void correct_rounding(double* col_dual, Run& run) const {
    constexpr int64_t kScansPerRow = 8;
    std::vector<int32_t> queue(size_t(costs_.rows));
    std::iota(queue.begin(), queue.end(), 0);
    std::vector<uint8_t> is_queued(size_t(costs_.rows), 1);
    const size_t most = size_t(kScansPerRow * costs_.rows);
    for (size_t next = 0; next < queue.size() && next < most; ++next) {
      const int32_t i = queue[next], j = pairing_.col_of_row(i);
      is_queued[i] = 0;
      double paid = limit_[i];
      for (int64_t e = start_[i]; j >= 0 && e < start_[i + 1]; ++e)
        if (col_[e] == j) paid = cost_[e];
      const double of_pair = j < 0 ? 0.0 : col_dual[j], dual = paid - of_pair;
      const double unit = 0x1p-52 * std::max({std::abs(paid), std::abs(dual), std::abs(of_pair)});
      for (int64_t e = start_[i]; e < start_[i + 1]; ++e) {
        const int32_t other = col_[e];
        if (other == j || !(cost_[e] - col_dual[other] < dual - unit) || pairing_.is_alone(other)) continue;
        col_dual[other] = cost_[e] - dual;
        const int32_t loser = pairing_.row_of_col(other);
        if (!is_queued[loser]) queue.push_back(loser);
        is_queued[loser] = 1;
      }
      run.spend(start_[i + 1] - start_[i] + 1);
    }
  }
  static Dual difference_below_of(Dual cost, Dual dual) {
    if constexpr (std::is_integral_v<S>) return cost - dual;
    return difference_below(cost, dual);
  }

  bool write_duals(SparseAnswer<S>& answer, Run& run) {
    Dual *const row_dual = answer.row_dual, *const col_dual = answer.col_dual;
    const Dual shift = dual_shift(scaled_, reduction_, row_dual, col_dual, pairing_.is_perfect());
    if constexpr (std::is_floating_point_v<S>) {
      if (scale_ == 1.0 && reduction_.rounds_nothing) {
        // Pairs that are not worth making cost more than both duals can be.
        const Proved proved = prove_by_reduced(
            alone_, shift, pairing_, [&](int64_t i) { return paid_[i]; }, row_dual, col_dual);
        answer.gap = proved.gap;
        if (proved.holds) return true;
      } else {
        for (int64_t j = 0; j < costs_.cols; ++j)
          col_dual[j] = (col_dual[j] + reduction_.col_shift[j] + shift) / scale_;
      }
      const ListedRealCosts<S> costs(costs_, maximize_);
      UnassignedAnswer proved{pairing_.col_of_row(), row_dual, col_dual};
      const auto list_rows = [&]() -> RowLists {
        TransposedCosts<S> transposed(costs_);
        return {std::move(transposed.start), std::move(transposed.col)};
      };
      const bool fits = prove_unassigned(costs, {alone_.of_rows(), alone_.of_cols()}, proved, list_rows, run);
      answer.gap = proved.gap;
      pairing_.find_rows_of_cols();
      find_costs_of_rows();
      return fits;
    }
    for (int64_t i = 0; i < costs_.rows; ++i) row_dual[i] += reduction_.row_shift[i] - shift;
    for (int64_t j = 0; j < costs_.cols; ++j) col_dual[j] += reduction_.col_shift[j] + shift;
    return true;
  }

  // What each row costs, paired or alone.
  void find_costs_of_rows() {
    for (int64_t i = 0; i < costs_.rows; ++i) {
      const int32_t j = pairing_.col_of_row(i);
      paid_[i] = alone_.row(i);
      for (int64_t e = costs_.start[i]; j >= 0 && e < costs_.start[i + 1]; ++e)
        if (costs_.col[e] == j) paid_[i] = minimised<Dual>(costs_.cost[e], maximize_);
    }
  }

  void write(SparseAnswer<S>& answer) const {
    for (int64_t i = 0; i < costs_.rows; ++i) answer.col_of_row[i] = pairing_.col_of_row(i);
    answer.total = total_cost<S>(alone_, pairing_, [&](int64_t i) { return paid_[i]; });
    if (!maximize_) return;
    answer.total = 0 - answer.total;
    for (int64_t i = 0; i < costs_.rows; ++i) answer.row_dual[i] = 0 - answer.row_dual[i];
    for (int64_t j = 0; j < costs_.cols; ++j) answer.col_dual[j] = 0 - answer.col_dual[j];
  }

  const SparseCosts<S>& costs_;
  const bool maximize_;
  const Alone<Dual>& alone_;
  const double scale_;
  const Alone<Dual> scaled_;
  const Reduction<Dual> reduction_;  // of scaled costs
  std::vector<int64_t> start_;
  std::vector<int32_t> col_;
  std::vector<Dual> cost_, limit_;
  Pairing pairing_;
  std::vector<Dual> paid_;  // of each row
  double largest_ = 0;
};

}  // namespace

template <class S>
Outcome solve_sparse_unassigned(const SparseCosts<S>& costs, double largest, bool maximize,
                                const UnassignedCosts<S>& given, SparseAnswer<S>& answer, Run& run) {
  using Dual = DualOf<S>;
  const Alone<Dual> alone(given.row, given.col, costs.rows, costs.cols, maximize);
  largest += 2 * alone.largest;
  if (std::is_integral_v<S> && largest >= kMostReduced) return Outcome::duals_too_large;
  // The fewer rows the better; but real costs are not rounded where the columns' costs are all equal.
  const bool rows_equal = are_equal(alone.of_rows(), costs.rows);
  const bool cols_equal = are_equal(alone.of_cols(), costs.cols);
  const bool either = std::is_integral_v<S> || rows_equal == cols_equal;
  if (either ? costs.rows <= costs.cols : cols_equal)
    return SparseUnassigned<S>(costs, maximize, alone, largest).solve(answer, run);
  const TransposedCosts<S> transposed(costs);
  const SparseCosts<S> turned = transposed.costs();
  const Alone<Dual> alone_turned(given.col, given.row, costs.cols, costs.rows, maximize);
  std::vector<int64_t> row_of_col(size_t(costs.cols));
  SparseAnswer<S> found{row_of_col.data(), answer.col_dual, answer.row_dual};
  const Outcome outcome = SparseUnassigned<S>(turned, maximize, alone_turned, largest).solve(found, run);
  if (outcome != Outcome::optimal) return outcome;
  answer.total = found.total;
  answer.gap = found.gap;
  std::fill_n(answer.col_of_row, costs.rows, -1);
  for (int64_t j = 0; j < costs.cols; ++j)
    if (row_of_col[j] >= 0) answer.col_of_row[row_of_col[j]] = j;
  return outcome;
}

#define KONIG_INSTANTIATE(S)                                                                               \
  template Outcome solve_sparse_unassigned(const SparseCosts<S>&, double, bool, const UnassignedCosts<S>&, \
                                           SparseAnswer<S>&, Run&);
KONIG_FOR_EACH_COST(KONIG_INSTANTIATE)

}  // namespace konig
