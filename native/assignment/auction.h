// An auction with epsilon scaling (sparse/epsilon_auction.h) on dense costs, in the type of the sums.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "assignment/state.h"

namespace konig {

template <class S, class T>
class DenseAuction {
 public:
  using State = DenseState<S, T>;
  explicit DenseAuction(State& state) : state_(state) {}

  // Starts from the duals of the state and leaves better ones; no row has a column in the end.
  void hold(Run& run) {
    state_.unassign_all();
    const double scale = typical_slack(run);
    constexpr bool kIntegral = std::numeric_limits<T>::is_integer;
    for (double epsilon = kFirstEpsilon; epsilon > kLastEpsilon && scale > 0; epsilon /= 5) {
      const T step = kIntegral ? std::max(T(1), T(epsilon * scale)) : T(epsilon * scale);
      free_dissatisfied_rows(step, run);
      const int64_t most = state_.counts.bids + kBidsPerRow * state_.rows;
      for (size_t next = 0; next < state_.free.size() && state_.counts.bids < most; ++next)
        bid(state_.free[next], step, run);
      if (kIntegral && step == T(1)) break;
    }
    state_.free.clear();
    state_.unassign_all();
  }

 private:
  static constexpr T kInfinity = State::kInfinity;
  static constexpr double kFirstEpsilon = 0.05, kLastEpsilon = 2e-5;
  static constexpr int64_t kBidsPerRow = 100;  // in a round, which has no end on an infeasible problem

  // Twice the mean slack of some rows: the largest one if slacks are uniform.
  double typical_slack(Run& run) {
    const int64_t step = std::max<int64_t>(1, state_.rows / 32);
    double sum = 0;
    int64_t counted = 0;
    for (int64_t i = 0; i < state_.rows; i += step) {
      for (int64_t j = 0; j < state_.cols; ++j) {
        const double here = double(state_.slack(i, j));
        if (!(here < double(kInfinity))) continue;
        sum += here;
        ++counted;
      }
      state_.count_scan(run);
    }
    return counted ? 2 * sum / double(counted) : 0;
  }

  // Rows that are not within epsilon of their best column lose theirs.
  void free_dissatisfied_rows(T epsilon, Run& run) {
    state_.free.clear();
    for (int64_t i = 0; i < state_.rows; ++i) {
      if (state_.col_of_row[i] >= 0) {
        const T least = state_.smallest_slack(i, run);
        if (state_.row_dual(i) <= least + epsilon) continue;
        state_.unassign(i);
      }
      state_.free.push_back(int32_t(i));
    }
  }

  void bid(int32_t i, T epsilon, Run& run) {
    const BestColumn<T> best = state_.best_column(i, run);
    ++state_.counts.bids;
    if (!(best.first < kInfinity)) return;
    const int32_t j = best.col, loser = state_.row_of_col[j];
    T& dual = state_.col_dual[j];
    dual = checked(dual - (best.second < kInfinity ? best.second - best.first : T(0)) - epsilon);
    state_.assign(i, j);
    if (loser < 0) return;
    state_.col_of_row[loser] = -1;
    state_.free.push_back(loser);
  }

  State& state_;
};

}  // namespace konig
