// Augmenting row reduction on dense costs: each free row takes its best column, whose dual falls by the
// distance to the second best, so that the row that had the column is free.
//
// R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment
// problems, Computing 38 (1987). Deviations:
// - It is one sweep of a few steps a row: on real costs it may lower a dual by next to nothing for ever, and
//   the paths are cheaper.
// - A row whose two smallest columns tie and are both taken searches for a free one that ties: where costs
//   tie often, all rows would compete for the same two columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/state.h"

namespace konig {

template <class S, class T>
class RowReductions {
 public:
  using State = DenseState<S, T>;
  explicit RowReductions(State& state) : state_(state) {}

  // Every free row takes its best column, whose dual falls by its distance to the second best. Rows are
  // scanned a few at a time. Of those only the first to want a column gets it, and the others are scanned
  // again: where a dual has fallen, only slacks of other columns have risen, so that what was best still is.
  // If `watched`, it ends after the first step of each row where these are crowded: three tenths, and not by
  // chance, want a column that another wanted. Of uniform costs a sixth do. Returns whether it did.
  bool sweep(bool watched, Run& run) {
    state_.collect_free_rows();
    queue_.swap(state_.free);
    state_.free.clear();
    const auto first_pass = int64_t(queue_.size());
    int64_t wanted_again = 0;
    bool crowded = false;
    if (watched) wanted_.assign(size_t(state_.cols), 0);
    int64_t steps_left = kStepsPerRow * int64_t(queue_.size());
    free_columns_.clear();
    bool knows_free_columns = false;
    size_t next = 0;
    while (next < queue_.size() && steps_left > 0) {
      if (watched && int64_t(next) >= first_pass) {
        crowded = 10 * (wanted_again - kRepeatsByChance) > 3 * first_pass;
        if (crowded) break;
        watched = false;
      }
      const auto count = std::min({int64_t(kRowsTogether), int64_t(queue_.size() - next), steps_left});
      int32_t together[kRowsTogether], taken[kRowsTogether];
      std::copy_n(queue_.begin() + int64_t(next), count, together);
      next += size_t(count);
      steps_left -= count;
      state_.counts.row_reductions += count;
      BestColumn<T> best[kRowsTogether];
      state_.best_columns(together, count, best, run);
      int64_t taken_count = 0;
      for (int64_t k = 0; k < count; ++k) {
        const int32_t i = together[k];
        if (!(best[k].second < kInfinity)) {  // one allowed column, or none: left to the paths
          state_.free.push_back(i);
          continue;
        }
        int32_t j = best[k].col;
        if (watched) {
          wanted_again += wanted_[j];
          wanted_[j] = 1;
        }
        if (std::find(taken, taken + taken_count, j) != taken + taken_count) {
          queue_.push_back(i);
          continue;
        }
        const bool lowers = lower(j, best[k]);
        checked(state_.col_dual[j]);
        if (!lowers && state_.row_of_col[j] >= 0) j = free_tie(i, j, best[k], knows_free_columns);
        if (j < 0) {
          queue_.push_back(i);
          continue;
        }
        taken[taken_count++] = j;
        const int32_t loser = state_.row_of_col[j];
        state_.assign(i, j);
        if (loser < 0) continue;
        state_.col_of_row[loser] = -1;
        (lowers ? queue_ : state_.free).push_back(loser);
      }
    }
    state_.free.insert(state_.free.end(), queue_.begin() + int64_t(next), queue_.end());
    queue_.clear();
    return crowded;
  }

 private:
  static constexpr T kInfinity = State::kInfinity;
  static constexpr int64_t kStepsPerRow = 4;
  static constexpr int64_t kRepeatsByChance = 3;  // rows that want the same columns where rows are few
  // Free columns that are tried for a tie: with all of them 1,950 draws take 1.017 times as long in the mean,
  // and sums of whole parts and noise, clusters of rows and remainders up to eight times.
  static constexpr int64_t kProbes = 64;

  // Returns whether the dual fell.
  bool lower(int32_t j, const BestColumn<T>& best) {
    const T lowered = state_.col_dual[j] - (best.second - best.first);
    if (!(lowered < state_.col_dual[j])) return false;
    state_.col_dual[j] = lowered;
    return true;
  }

  // A free column that ties with the smallest, or else the second smallest; `first` is the smallest. -1 if
  // the dual of the second smallest has fallen since.
  int32_t free_tie(int32_t i, int32_t first, const BestColumn<T>& best, bool& knows_free_columns) {
    const auto second = int32_t(
        state_.scans->column_with(state_.row(i), state_.col_dual.data(), best.second, state_.cols, first));
    if (second < 0 || state_.row_of_col[second] < 0 || best.second > best.first) return second;
    if (!knows_free_columns) {
      for (int64_t j = state_.cols; j-- > 0;)
        if (state_.row_of_col[j] < 0) free_columns_.push_back(int32_t(j));
      knows_free_columns = true;
    }
    int64_t probes = kProbes;
    for (size_t k = free_columns_.size(); k-- > 0 && probes > 0;) {
      const int32_t j = free_columns_[k];
      if (state_.row_of_col[j] >= 0)  // taken meanwhile, and never free again in this sweep
        free_columns_.erase(free_columns_.begin() + int64_t(k));
      else if (state_.slack(i, j) == best.first)
        return j;
      else
        --probes;
    }
    return second;
  }

  State& state_;
  std::vector<int32_t> queue_;         // rows to be reduced
  std::vector<uint8_t> wanted_;        // columns that a free row wanted
  std::vector<int32_t> free_columns_;  // as far as they are known in a sweep
};

}  // namespace konig
