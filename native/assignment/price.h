// A dense assignment problem by a sparse core: the smallest costs of each row, then entries that pricing
// adds.
//
// T. Volgenant, Linear and semi-assignment problems: a core oriented approach, Computers & Operations
// Research 23 (1996). The core is solved as a sparse problem; then every cost of the matrix is compared with
// the duals, entries that undercut them join the core, and the core is solved again from where it stands.
// When none undercuts them the duals prove the answer for the whole matrix. Comparing runs on all threads. A
// core that has no full assignment, because most rows want the same few columns, is given up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "assignment/cost_block.h"
#include "assignment/sparse/augmenting_paths.h"
#include "assignment/task.h"
#include "core/exact.h"

namespace konig {

template <class S, class T>
class PricedCore {
 public:
  PricedCore(int64_t rows, int64_t cols, SignedCosts<S> cost, int threads)
      : rows_(rows), cols_(cols), block_(rows, cols, cost, threads) {}

  // From the first core, perhaps chosen in a narrower type. False if it is given up.
  template <class N>
  bool solve(FirstCore<S, N>& first, const DensePlan& plan, Run& run) {
    replace_core(block_.adopt(first), run);
    core_.prepare(core());
    feasible_ = core_.solve(run);
    for (rounds_ = 1; feasible_ && rounds_ <= plan.pricing_rounds; ++rounds_) {
      if (!add_undercutting(plan.added, run)) return true;
      feasible_ = core_.solve_again(core(), run);
    }
    return false;
  }
  // Whether the core has a full assignment, if it is given up: its duals are nearly those of the matrix then.
  bool is_feasible() const { return feasible_; }

  T row_dual(int64_t row) const { return core_.row_dual(row); }
  T col_dual(int64_t col) const { return core_.col_dual(col); }
  int32_t col_of_row(int64_t row) const { return core_.col_of_row(row); }
  // For a proof (answer.h): by the entries of the core, if those outside cannot be lower whatever the duals.
  double lowest_listed(int64_t i, const double* col_dual, double largest) const {
    LowestDifference listed{std::numeric_limits<double>::infinity()};
    for (int64_t e = lists_.start[i]; e < lists_.start[i + 1]; ++e)
      listed.see(double(costs_[e]), col_dual[lists_.col[e]]);
    const double lowest = listed.value(), outside = difference_below(double(block_.outside(i)), largest);
    return lowest <= outside ? lowest : std::numeric_limits<double>::quiet_NaN();
  }

  const typename SparseState<S, T>::Counts& counts() const { return core_.counts(); }
  int64_t rounds() const { return rounds_; }  // of pricing, if it was solved
  int64_t entries() const { return int64_t(lists_.col.size()); }

 private:
  SparseCosts<S> core() const {
    return {rows_, cols_, lists_.start.data(), lists_.col.data(), costs_.data()};
  }

  // The bound that entries must undercut to join the core: for reals, by more than the rounding of a
  // difference.
  static T below(T dual) {
    if constexpr (std::is_floating_point_v<T>) return dual - 0x1p-51 * std::abs(dual);
    return dual;
  }

  // Adds entries that cost less than the sum of their duals, at most so many of a row; whether there are any.
  bool add_undercutting(int64_t most, Run& run) {
    std::vector<DualOf<S>> row_dual, col_dual;
    for (int64_t i = 0; i < rows_; ++i) row_dual.push_back(below(core_.row_dual(i)));
    for (int64_t j = 0; j < cols_; ++j) col_dual.push_back(core_.col_dual(j));
    const ColumnLists more = block_.template undercutting_in<T>(row_dual.data(), col_dual.data(), most, run);
    if (more.col.empty()) return false;
    ColumnLists both;
    for (int64_t i = 0; i < rows_; ++i) {
      for (const ColumnLists* lists : {&std::as_const(lists_), &more})
        both.col.insert(both.col.end(), lists->col.begin() + lists->start[i],
                        lists->col.begin() + lists->start[i + 1]);
      const auto first = both.col.begin() + both.start[i];
      std::sort(first, both.col.end());
      both.col.erase(std::unique(first, both.col.end()), both.col.end());
      both.start.push_back(int64_t(both.col.size()));
    }
    replace_core(both, run);
    return true;
  }

  void replace_core(const ColumnLists& lists, Run& run) {
    lists_ = lists;
    costs_.clear();
    for (int64_t i = 0; i < rows_; ++i) {
      for (int64_t e = lists.start[i]; e < lists.start[i + 1]; ++e)
        costs_.push_back(block_.cost(i, lists.col[e]));
      run.spend(lists.start[i + 1] - lists.start[i] + 1);
    }
  }

  const int64_t rows_, cols_;
  CostBlock<S> block_;
  ColumnLists lists_;  // the columns of the core, and their costs
  std::vector<S> costs_;
  SparseAugmentingPaths<S, T> core_;
  int64_t rounds_ = 0;
  bool feasible_ = false;
};

}  // namespace konig
