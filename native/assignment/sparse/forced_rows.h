// Rows of a square sparse problem that a column leaves no choice: it has no other entry.
//
// R. M. Karp, M. Sipser, Maximum matchings in sparse random graphs, FOCS 1981: such a row is assigned and
// taken away with its entries, after which other columns may have one entry left. A triangle is solved by
// that alone. What is left is the core; none of its rows has an entry in a column of a forced row, so that no
// search among them gets there.
//
// Duals. Beside its own, a forced row has entries only in columns of the core and of rows that were forced
// later. Last forced, first served: once those columns have their duals, the dual of the row's own column is
// raised until the row attains its smallest slack there. Rows that have an entry in that column come after.
//
// An infeasible problem has an infeasible core.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "assignment/sparse/state.h"

namespace konig {

template <class S, class T>
class ForcedRows {
 public:
  using State = SparseState<S, T>;
  using Column = typename State::Column;

  explicit ForcedRows(State& state) : state_(state) {}

  // Expects in each column's stamp how many entries it has, and in `before` the exclusive or of -1 and their
  // rows, which tells the row of the only one. Afterwards stamps mean
  // nothing; none is above the number of rows.
  void find(Run& run) {
    const auto& costs = state_.costs;
    order_.clear();
    // A column has one entry left once at most; the last place is for what is not kept.
    if (queue_.size() < size_t(costs.cols) + 1) queue_.resize(size_t(costs.cols) + 1);
    queued_ = 0;
    for (int64_t j = 0; j < costs.cols; ++j) enqueue_if(state_.columns[j].stamp == 1, int32_t(j));
    for (size_t next = 0; next < queued_; ++next) {
      if (next + 16 < queued_) prefetch(&costs.start[row_of_only_entry(queue_[next + 16])]);
      if (next + 8 < queued_) state_.prefetch_columns_of(row_of_only_entry(queue_[next + 8]));
      if (state_.columns[queue_[next]].stamp == 1) force(row_of_only_entry(queue_[next]), queue_[next], run);
    }
    state_.counts.forced_rows = int64_t(order_.size());
  }

  // To be called when all rows are assigned.
  void find_duals(Run& run) {
    const auto& costs = state_.costs;
    for (size_t left = order_.size(); left > 0; --left) {
      if (left > 16) prefetch(&costs.start[order_[left - 17]]);
      if (left > 8) state_.prefetch_columns_of(order_[left - 9]);
      const int32_t i = order_[left - 1], own = state_.col_of_row[i];
      T least = State::kInfinity;
      for (int64_t e = costs.start[i]; e < costs.start[i + 1]; ++e)
        least = std::min(least, costs.col[e] != own ? state_.slack(e) : State::kInfinity);
      if (least < State::kInfinity) {
        T& dual = state_.columns[own].dual;
        dual = std::max(dual, not_below(state_.held[i] - least));
      }
      state_.count_scan(i, run);
    }
    state_.forced.clear();
  }

 private:
  // Of a column that has had one entry left; row 0 once that is taken away, too.
  int32_t row_of_only_entry(int32_t col) const { return ~state_.columns[col].before; }

  void force(int32_t row, int32_t col, Run& run) {
    const auto& costs = state_.costs;
    if (state_.forced.empty()) state_.forced.assign(size_t(costs.rows), 0);
    state_.forced[row] = 1;
    order_.push_back(row);
    int64_t own = -1;
    for (int64_t e = costs.start[row]; e < costs.start[row + 1]; ++e) {
      const int32_t j = costs.col[e];
      Column& column = state_.columns[j];
      column.before ^= row;
      enqueue_if(--column.stamp == 1, j);
      own = j == col ? e : own;
    }
    state_.assign(row, own);
    state_.count_scan(row, run);
  }

  // Without a branch: which columns have one entry is as random as the entries.
  void enqueue_if(bool has_one_entry, int32_t col) {
    queue_[queued_] = col;
    queued_ += has_one_entry;
  }

  // A difference of reals is rounded, and a dual that is too small would not do.
  static T not_below(T difference) {
    if constexpr (std::is_floating_point_v<T>)
      return std::nextafter(difference, std::numeric_limits<T>::infinity());
    return difference;
  }

  State& state_;
  std::vector<int32_t> order_;  // of the rows
  std::vector<int32_t> queue_;  // columns that have, or had, one entry left
  size_t queued_ = 0;
};

}  // namespace konig
