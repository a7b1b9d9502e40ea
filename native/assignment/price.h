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
#include <vector>

#include "assignment/core.h"
#include "assignment/sparse/augmenting_paths.h"
#include "assignment/task.h"
#include "core/exact.h"
#include "core/shared_loop.h"

namespace konig {

template <class S, class T>
class PricedCore {
 public:
  PricedCore(int64_t rows, int64_t cols, SignedCosts<S> cost, int threads)
      : rows_(rows), cols_(cols), cost_(cost), threads_(threads) {}

  // From the first core, perhaps chosen in a narrower type. False if it is given up.
  template <class N>
  bool solve(FirstCore<S, N>& first, const DensePlan& plan, Run& run) {
    outside_.resize(size_t(rows_));
    for (int64_t i = 0; i < rows_; ++i)
      outside_[i] = first.outside[i] < Bounds<N>::infinity ? T(first.outside[i]) : Bounds<T>::infinity;
    replace_core(first.columns, run);
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
    double lowest = std::numeric_limits<double>::infinity();
    for (int64_t e = core_start_[i]; e < core_start_[i + 1]; ++e)
      lowest = std::min(lowest, difference_below(double(core_cost_[e]), col_dual[core_col_[e]]));
    const double outside = difference_below(double(outside_[i]), largest);
    return lowest <= outside ? lowest : std::numeric_limits<double>::quiet_NaN();
  }

  const typename SparseState<S, T>::Counts& counts() const { return core_.counts(); }
  int64_t rounds() const { return rounds_; }  // of pricing, if it was solved
  int64_t entries() const { return int64_t(core_col_.size()); }

 private:
  const S* row(int64_t i) const { return cost_.data + i * cols_; }  // as it is stored
  S cost(int64_t i, int64_t j) const { return cost_[i * cols_ + j]; }
  SparseCosts<S> core() const {
    return {rows_, cols_, core_start_.data(), core_col_.data(), core_cost_.data()};
  }

  // The bound that entries must undercut to join the core: for reals, by more than the rounding of a
  // difference.
  static T below(T dual) {
    if constexpr (std::is_floating_point_v<T>) return dual - 0x1p-51 * std::abs(dual);
    return dual;
  }

  // Adds entries that cost less than the sum of their duals, at most so many of a row; returns whether there
  // are any. A row is not read where no entry outside the first core can be one, even with the largest column
  // dual.
  bool add_undercutting(int64_t most, Run& run) {
    std::vector<T> dual(cols_);
    for (int64_t j = 0; j < cols_; ++j) dual[j] = core_.col_dual(j);
    const T largest = cols_ ? *std::max_element(dual.begin(), dual.end()) : T(0);
    std::vector<std::vector<int32_t>> more(rows_);
    // One for each worker: a piece of the loop may be a single row.
    std::vector<std::vector<int32_t>> found_by(threads_);
    for_rows(threads_, rows_, cols_, run, [&](int worker, int64_t first, int64_t last) {
      std::vector<int32_t>& found = found_by[worker];
      found.resize(cols_ + kMoreRoom);
      for (int64_t i = first; i < last; ++i) {
        const T bound = below(core_.row_dual(i));
        if (bound <= outside_[i] - largest) continue;
        int64_t count = scans_->below(row(i), dual.data(), bound, cols_, found.data(), cols_);
        if (count == 0) continue;
        if (count > most) {
          const auto by_slack = [&](int32_t a, int32_t b) {
            return T(cost(i, a)) - dual[a] < T(cost(i, b)) - dual[b];
          };
          std::nth_element(found.begin(), found.begin() + most, found.begin() + count, by_slack);
          count = most;
        }
        more[i].assign(found.begin(), found.begin() + count);
      }
    });
    if (std::all_of(more.begin(), more.end(), [](const auto& columns) { return columns.empty(); }))
      return false;
    for (int64_t i = 0; i < rows_; ++i) {
      auto& columns = more[i];
      columns.insert(columns.end(), core_col_.begin() + core_start_[i],
                     core_col_.begin() + core_start_[i + 1]);
      std::sort(columns.begin(), columns.end());
      columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    }
    replace_core(more, run);
    return true;
  }

  void replace_core(const std::vector<std::vector<int32_t>>& columns, Run& run) {
    core_start_.assign(1, 0);
    for (int64_t i = 0; i < rows_; ++i)
      core_start_.push_back(core_start_.back() + int64_t(columns[i].size()));
    core_col_.resize(core_start_.back());
    core_cost_.resize(core_start_.back());
    for (int64_t i = 0; i < rows_; ++i) {
      std::copy(columns[i].begin(), columns[i].end(), core_col_.begin() + core_start_[i]);
      for (int64_t e = core_start_[i]; e < core_start_[i + 1]; ++e) core_cost_[e] = cost(i, core_col_[e]);
      run.spend(core_start_[i + 1] - core_start_[i] + 1);
    }
  }

  const int64_t rows_, cols_;
  const SignedCosts<S> cost_;
  const int threads_;
  const DenseScans<S, T>* const scans_ = &dense_scans<S, T>(cost_.negated);
  std::vector<int64_t> core_start_;
  std::vector<int32_t> core_col_;
  std::vector<S> core_cost_;
  std::vector<T> outside_;  // entries of a row that cost less are all in the core
  SparseAugmentingPaths<S, T> core_;
  int64_t rounds_ = 0;
  bool feasible_ = false;
};

}  // namespace konig
