// The dense assignment problem by shortest augmenting paths.
//
// R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment
// problems, Computing 38 (1987): column reduction, reduction transfer, augmenting row reduction, then one
// shortest augmenting path from every row that is left, by Dijkstra's algorithm on the reduced costs.
//
// Minimises; rows <= cols, every row is assigned. State: col_dual[j] and the matching. Invariant: a row's
// assigned column attains the smallest cost[i][j] - col_dual[j] of the row, which is the row's dual. On
// rectangles col_dual is <= 0, and 0 where no row is assigned.
//
// Deviations. The paper keeps the columns that are not scanned in a list; here a scan runs over all columns
// in order, which vectorises, and scanned columns have a dual that keeps them out. Column reduction and
// transfer are for squares only: on a rectangle they would give duals to columns that stay free. Augmenting
// row reduction stops after a few steps a row: on real costs it can go on for ever lowering a dual by next to
// nothing, and the paths are cheaper. Where column reduction leaves few rows free, reductions are transferred
// once a free row comes across them and not before. A row whose two smallest columns tie and are both taken
// looks for another that ties and is free: where costs tie often, all rows would fight for the same two
// columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "assignment/dense_search.h"
#include "core/run.h"

namespace konig {

template <class S, class T>
class ShortestAugmentingPaths : public DenseSearch<S, T> {
 public:
  // Before each solve: prepare(rows, cols, cost), which keeps the workspace of the one before, and perhaps
  // adopt. All return whether every row could be assigned; if not, `violator` says why.
  bool solve(Run& run) {
    // Reductions overshoot. Where sums need 128 bits, duals as small as they come are worth more than time.
    if (sizeof(T) > 8) {
      for (int64_t i = 0; i < rows_; ++i) free_.push_back(int32_t(i));
      return assign_free_rows(run);
    }
    if (rows_ == cols_) {
      if (!reduce_columns(run)) return false;
      transfer_reductions(run);
    }
    return finish(run);
  }
  // From the prices of an auction with epsilon scaling (epsilon_auction.h), here in the type of the sums. It
  // makes up for much where most rows want the same columns.
  bool solve_after_auction(Run& run) {
    if (rows_ != cols_ || sizeof(T) > 8) return solve(run);
    if (!reduce_columns(run)) return false;
    hold_auction(run);
    return solve_from_duals(run);
  }
  // By reductions and then, where they leave most rows free, by an auction.
  bool solve_adaptively(Run& run) {
    if (rows_ != cols_ || sizeof(T) > 8 || rows_ < kFewForAuction) return solve(run);
    if (!reduce_columns(run)) return false;
    transfer_reductions(run);
    reduce_free_rows(run);
    if (2 * int64_t(free_.size()) < rows_) return assign_free_rows(run);
    hold_auction(run);
    return solve_from_duals(run);
  }
  // Whether reductions alone have assigned nearly all rows, so that the rest are soon assigned.
  bool few_left() const {
    return (rows_ == cols_ ? kRowsPerRowLeft : kRowsPerRowLeftOfMany) * int64_t(free_.size()) <= rows_;
  }
  // Reductions, as long as they promise to leave few rows: kSolved and kInfeasible if they did, and the rest
  // are assigned, kGivenUp if not.
  enum class Start { kSolved, kInfeasible, kGivenUp };
  Start solve_if_easy(Run& run) {
    if (rows_ == cols_) {
      if (!reduce_columns(run)) return Start::kInfeasible;
      transfer_reductions(run);
      if (!transfers_late() && 2 * unclaimed() < rows_) return Start::kGivenUp;
    }
    reduce_free_rows(run);
    if (!few_left()) return Start::kGivenUp;
    return assign_free_rows(run) ? Start::kSolved : Start::kInfeasible;
  }
  // From the column duals that the caller has put into col_dual_.
  bool solve_from_duals(Run& run) {
    assign_tight_rows(run);
    if (rows_ < cols_) release_free_columns(run);
    return finish(run);
  }

 private:
  using Base = DenseSearch<S, T>;
  using Base::assign;
  using Base::assign_free_rows;
  using Base::col_dual_;
  using Base::col_of_row_;
  using Base::cols_;
  using Base::column_with;
  using Base::cost_;
  using Base::count_scan;
  using Base::free_;
  using Base::hold_auction;
  using Base::kInfinity;
  using Base::reduce_columns;
  using Base::reduce_free_rows;
  using Base::row;
  using Base::row_of_col_;
  using Base::rows_;
  using Base::scans_;
  using Base::slack;
  using Base::transfer_reductions;
  using Base::transfers_late;
  using Base::unclaimed;

  void assign_tight_rows(Run& run) {
    for (int64_t i = 0; i < rows_; ++i) {
      const T least = scans_->smallest(row(i), col_dual_.data(), cols_);
      count_scan(run);
      if (!(least < kInfinity)) continue;
      const int32_t j = column_with(i, least);
      if (row_of_col_[j] < 0) assign(int32_t(i), j);
    }
  }

  // On a rectangle a free column must have dual 0. Raising duals to 0 takes rows away from their columns,
  // which then become free themselves.
  void release_free_columns(Run& run) {
    std::vector<int64_t> raised;
    do {
      raised.clear();
      for (int64_t j = 0; j < cols_; ++j)
        if (row_of_col_[j] < 0 && col_dual_[j] != T(0)) raised.push_back(j);
      for (const int64_t j : raised) col_dual_[j] = T(0);
      for (int64_t i = 0; i < rows_; ++i) {
        const int32_t held = col_of_row_[i];
        if (held < 0 || raised.empty()) continue;
        const T dual = slack(i, held);
        const bool beaten = std::any_of(raised.begin(), raised.end(),
                                        [&](int64_t j) { return allowed(i, j) && slack(i, j) < dual; });
        if (beaten) col_of_row_[i] = row_of_col_[held] = -1;
        run.spend(int64_t(raised.size()));
      }
    } while (!raised.empty());
  }

  bool allowed(int64_t i, int64_t j) const {
    if constexpr (std::is_same_v<T, int128>) return cost_[i * cols_ + j] != std::numeric_limits<S>::max();
    return true;  // a real one is infinite, which compares as it should
  }

  bool finish(Run& run) {
    reduce_free_rows(run);
    return assign_free_rows(run);
  }

  static constexpr int64_t kFewForAuction = 32;
  static constexpr int64_t kRowsPerRowLeft = 36;        // on a square: a search reads the whole matrix
  static constexpr int64_t kRowsPerRowLeftOfMany = 32;  // on a rectangle
};

}  // namespace konig
