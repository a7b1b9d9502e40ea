// An auction with epsilon scaling (epsilon_auction.h) on dense costs, in the type of the sums.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "assignment/dense_reductions.h"

namespace konig {

template <class S, class T>
class DenseAuction : public DenseReductions<S, T> {
 protected:
  using Base = DenseReductions<S, T>;
  using Base::assign;
  using Base::col_dual_;
  using Base::col_of_row_;
  using Base::cols_;
  using Base::count_scan;
  using Base::counts_;
  using Base::free_;
  using Base::kInfinity;
  using Base::row;
  using Base::row_of_col_;
  using Base::rows_;
  using Base::scans_;
  using Base::slack;

  // From the duals that there are; those that it leaves are the start of another stage. No row has a column
  // in the end.
  void hold_auction(Run& run) {
    unassign_all();
    const double scale = typical_slack(run);
    constexpr bool kIntegral = std::numeric_limits<T>::is_integer;
    for (double epsilon = kFirstEpsilon; epsilon > kLastEpsilon && scale > 0; epsilon /= 5) {
      const T step = kIntegral ? std::max(T(1), T(epsilon * scale)) : T(epsilon * scale);
      free_the_discontent(step, run);
      const int64_t bids_before = counts_.bids;
      for (size_t next = 0; next < free_.size() && counts_.bids < bids_before + kBidsPerRow * rows_; ++next)
        bid(free_[next], step, run);
      if (kIntegral && step == T(1)) break;
    }
    free_.clear();
    unassign_all();
  }

 private:
  // Twice the mean of the slacks of some rows: the largest cost, were they uniform.
  double typical_slack(Run& run) {
    const int64_t step = std::max<int64_t>(1, rows_ / 32);
    double sum = 0;
    int64_t counted = 0;
    for (int64_t i = 0; i < rows_; i += step) {
      for (int64_t j = 0; j < cols_; ++j) {
        const double here = double(slack(i, j));
        if (!(here < double(kInfinity))) continue;
        sum += here;
        ++counted;
      }
      count_scan(run);
    }
    return counted ? 2 * sum / double(counted) : 0;
  }

  void free_the_discontent(T epsilon, Run& run) {
    free_.clear();
    for (int64_t i = 0; i < rows_; ++i) {
      const int32_t held = col_of_row_[i];
      if (held >= 0) {
        const T least = scans_->smallest(row(i), col_dual_.data(), cols_);
        count_scan(run);
        if (slack(i, held) <= least + epsilon) continue;
        col_of_row_[i] = row_of_col_[held] = -1;
      }
      free_.push_back(int32_t(i));
    }
  }

  void bid(int32_t i, T epsilon, Run& run) {
    const BestColumn<T> best = scans_->best_column(row(i), col_dual_.data(), cols_);
    count_scan(run);
    ++counts_.bids;
    if (!(best.first < kInfinity)) return;
    const int32_t j = best.col, loser = row_of_col_[j];
    col_dual_[j] =
        checked(col_dual_[j] - (best.second < kInfinity ? best.second - best.first : T(0)) - epsilon);
    assign(i, j);
    if (loser < 0) return;
    col_of_row_[loser] = -1;
    free_.push_back(loser);
  }

  void unassign_all() {
    std::fill(col_of_row_.begin(), col_of_row_.end(), -1);
    std::fill(row_of_col_.begin(), row_of_col_.end(), -1);
  }

  static constexpr double kFirstEpsilon = 0.05, kLastEpsilon = 2e-5;
  static constexpr int64_t kBidsPerRow = 100;  // in a round: on an infeasible problem it would never end
};

}  // namespace konig
