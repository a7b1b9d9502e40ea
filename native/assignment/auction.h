// An auction with epsilon scaling on dense costs, in the type of the sums.
//
// D. P. Bertsekas, The auction algorithm: a distributed relaxation method for the assignment problem, Annals
// of Operations Research 14 (1988). A free row bids for the column with the smallest slack, whose dual falls
// by the distance to the second smallest and epsilon; the row that held the column is free.
//
// The epsilon to end with comes from the distance of the few best columns of a row, not from the scale of the
// costs: in C = a(i) + b(j) + noise only the noise matters. The one to begin with is a share of the median
// slack where most rows want the same columns, and of that distance where they do not; it grows until a round
// of few bids assigns all rows. From there it falls.
//
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/state.h"

namespace konig {

template <class S, class T>
class DenseAuction {
 public:
  using State = DenseState<S, T>;
  explicit DenseAuction(State& state) : state_(state) {}

  // Starts from the duals of the state and leaves better ones; no row has a column in the end. `col_dual` are
  // the duals that column reduction left. Where many rows have many best columns, none is held, and false is
  // returned: such rows outbid each other by no more than epsilon. Distances of persistence diagrams, in
  // which half of the rows are alike, take 2 to 5 times as long with one, clusters of rows 1.6 to 2.
  template <class Duals>
  bool hold(const Duals& col_dual, Run& run) {
    const auto left = int64_t(state_.free.size());  // by reductions or paths; 0: there were none
    const bool crowded = left == 0 || 2 * left >= state_.rows;
    const auto [spread, typical, many_tie] = sample_slacks(col_dual, run);
    if (many_tie) return false;
    state_.unassign_all();
    state_.collect_free_rows();
    T epsilon = std::max({T(spread / kFirstShare), T(crowded ? typical / kTypicalShare : T(0)), kLeast});
    bool all_have_one = hold_round(epsilon, kFirstBids, run);
    for (int raised = 0; !all_have_one && raised < kMostRaised; ++raised) {
      epsilon = T(epsilon * kRaise);
      all_have_one = hold_round(epsilon, kFewBids, run);
    }
    const T last = std::max(T(spread / kLastShare), kLeast);
    while (all_have_one && epsilon > last) {
      epsilon = std::max(T(epsilon / kFactor), kLeast);
      free_dissatisfied_rows(epsilon, run);
      all_have_one = hold_round(epsilon, kManyBids, run);
    }
    state_.free.clear();
    state_.unassign_all();
    return true;
  }

 private:
  static constexpr T kInfinity = State::kInfinity;
  static constexpr bool kIntegral = std::numeric_limits<T>::is_integer;
  static constexpr T kLeast = kIntegral ? T(1) : std::numeric_limits<T>::min();
  static constexpr T kFactor = 5, kRaise = 16, kFirstShare = 16, kLastShare = 256, kTypicalShare = 10;
  static constexpr int kMostRaised = 8;
  static constexpr int64_t kFirstBids = 8, kFewBids = 3, kManyBids = 32;  // a row, in a round

  struct Slacks {
    T spread = T(0);        // the distance of the few best columns of a row
    T typical = T(0);       // the distance of the best and the median column
    bool many_tie = false;  // two rows in five have a spread of 0
  };

  // Medians over some rows.
  template <class Duals>
  Slacks sample_slacks(const Duals& col_dual, Run& run) {
    const int64_t sampled = std::min<int64_t>(15, state_.rows), few = std::min<int64_t>(16, state_.cols - 1);
    std::vector<T> spread, typical, slacks(static_cast<size_t>(state_.cols));
    const auto take = [&](int64_t rank, std::vector<T>& to) {
      const auto at = slacks.begin() + rank;
      std::nth_element(slacks.begin(), at, slacks.end());
      if (*at < kInfinity) to.push_back(*at - *std::min_element(slacks.begin(), at + 1));
    };
    for (int64_t k = 0; k < sampled; ++k) {
      const int64_t i = k * state_.rows / sampled;
      for (int64_t j = 0; j < state_.cols; ++j)
        slacks[j] = T(state_.costs[i * state_.cols + j]) - T(col_dual[j]);
      take(few, spread);
      take(state_.cols / 2, typical);
      state_.count_scan(run);
    }
    const auto ties = std::count(spread.begin(), spread.end(), T(0));
    return {median(spread), median(typical), 5 * ties > 2 * int64_t(spread.size()) || spread.empty()};
  }

  static T median(std::vector<T>& values) {
    if (values.empty()) return T(0);
    const auto middle = values.begin() + int64_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
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

  // Returns whether every row that may have a column has one.
  bool hold_round(T epsilon, int64_t bids_per_row, Run& run) {
    auto& free = state_.free;
    int64_t bids_left = bids_per_row * state_.rows;
    size_t next = 0;
    for (; next < free.size() && bids_left > 0; ++next, --bids_left) bid(free[next], epsilon, run);
    state_.counts.bids += bids_per_row * state_.rows - bids_left;
    free.erase(free.begin(), free.begin() + int64_t(next));
    return free.empty();
  }

  void bid(int32_t i, T epsilon, Run& run) {
    const BestColumn<T> best = state_.best_column(i, run);
    if (!(best.first < kInfinity)) return;
    const int32_t j = best.col, loser = state_.row_of_col[j];
    T& dual = state_.col_dual[j];
    dual = checked(T(dual - (best.second < kInfinity ? best.second - best.first : T(0)) - epsilon));
    state_.assign(i, j);
    if (loser < 0) return;
    state_.col_of_row[loser] = -1;
    state_.free.push_back(loser);
  }

  State& state_;
};

}  // namespace konig
