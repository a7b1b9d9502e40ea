// The start of a sparse assignment, before the searches: duals, and a matching that leaves few rows free.
//
// R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment
// problems, Computing 38 (1987): column reduction and augmenting row reduction, here from all rows free,
// which includes their reduction transfer. For squares on which the paths that these leave are long, an
// auction with epsilon scaling (epsilon_auction.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "assignment/sparse/epsilon_auction.h"
#include "assignment/sparse/state.h"
#include "core/large_array.h"

namespace konig {

template <class S, class T>
class SparseStart {
 public:
  using State = SparseState<S, T>;
  using Column = typename State::Column;
  using Best = typename State::Best;

  explicit SparseStart(State& state) : state_(state) {}

  // Every column's dual is the smallest cost in it. Stamps and `before` are what ForcedRows::find expects.
  // For squares; false if a column is forbidden to all rows.
  bool reduce_columns(Run& run) {
    const auto& costs = state_.costs;
    const int64_t last = costs.start[costs.rows] - 1;
    for (int64_t i = 0; i < costs.rows; ++i) {
      for (int64_t e = costs.start[i]; e < costs.start[i + 1]; ++e) {
        prefetch_to_write(&column_of(std::min(e + kEntriesAhead, last)));
        Column& column = column_of(e);
        const T cost = T(costs.cost[e]);
        column.dual = column.stamp == 0 || cost < column.dual ? cost : column.dual;
        ++column.stamp;
        column.before ^= int32_t(i);
      }
      state_.count_scan(i, run);
    }
    for (int64_t j = 0; j < costs.cols; ++j)
      if (state_.columns[j].stamp == 0) return state_.refuse_column(j);
    return true;
  }

  // All rows but forced ones lose their columns. An auction changes the duals; rows that attain their
  // smallest slack are assigned.
  void bid(Run& run) {
    std::vector<int32_t> rows;
    for (int64_t i = 0; i < state_.costs.rows; ++i) {
      if (state_.is_forced(i)) continue;
      if (state_.col_of_row[i] >= 0) state_.unassign(i);
      rows.push_back(int32_t(i));
    }
    hold_auction(rows, run);
    assign_tight_rows(run);
  }

  void assign_tight_rows(Run& run) {
    const auto& costs = state_.costs;
    for (int64_t i = 0; i < costs.rows; ++i) {
      if (i + State::kAhead < costs.rows) state_.prefetch_columns_of(i + State::kAhead);
      if (state_.is_forced(i) || state_.col_of_row[i] >= 0) continue;
      const Best best = state_.two_smallest(i, run);
      if (state_.is_free(best.first_entry)) state_.assign(i, best.first_entry);
    }
  }

  // Rows that no longer attain their smallest slack lose their column.
  void drop_beaten_rows(Run& run) {
    const auto& costs = state_.costs;
    for (int64_t i = 0; i < costs.rows; ++i) {
      if (i + State::kAhead < costs.rows) state_.prefetch_columns_of(i + State::kAhead);
      if (state_.col_of_row[i] < 0 || state_.two_smallest(i, run).first >= state_.row_dual(i)) continue;
      state_.unassign(i);
    }
  }

  // On a rectangle a free column must have dual 0. Raising duals to 0 may take rows away from their columns,
  // which are then free themselves.
  void release_free_columns(Run& run) {
    bool raised = true;
    while (raised) {
      raised = false;
      for (Column& column : state_.columns) {
        if (column.row >= 0 || column.dual == T(0)) continue;
        column.dual = T(0);
        raised = true;
      }
      if (raised) drop_beaten_rows(run);
    }
  }

  // Every free row takes its best column, whose dual falls by its distance to the second best. Where rows go
  // on outbidding each other, the last of them have their turn only if their best column is free: that leaves
  // a fifth of the paths in bands and grids. Returns whether all of them had theirs.
  bool reduce_rows(Run& run) {
    auto& free = state_.free;
    size_t next = 0, kept = 0;
    const size_t count = free.size();
    int64_t steps_left = 4 * state_.costs.rows;
    while (next < count) {
      const int32_t i = free[next++];
      const Best best = state_.two_smallest(i, run);
      ++state_.counts.row_reductions;
      if (steps_left-- <= 0 && !state_.is_free(best.first_entry)) {
        free[kept++] = i;
        continue;
      }
      if (state_.limit && best.first_entry < 0) {
        state_.leave_alone(i);
        continue;
      }
      if (best.second == State::kInfinity && state_.is_free(best.first_entry)) {
        state_.assign(i, best.first_entry);
        continue;
      }
      if (best.second == State::kInfinity) {  // one allowed column, or none: left to the paths
        free[kept++] = i;
        continue;
      }
      int64_t entry = best.first_entry;
      Column& first = column_of(entry);
      const T lowered = first.dual - (best.second - best.first);
      const bool lowers = lowered < first.dual;
      if (lowers)
        first.dual = checked(lowered);
      else if (first.row >= 0)
        entry = state_.second_entry(i, best);
      if (entry < 0) {  // the second best is to be left alone, at a slack that rounding hides
        free[kept++] = i;
        continue;
      }
      const int32_t loser = column_of(entry).row;
      state_.assign(i, entry);
      if (loser < 0) continue;
      state_.col_of_row[loser] = -1;
      if (lowers)
        free[--next] = loser;
      else
        free[kept++] = loser;
    }
    free.resize(kept);
    return steps_left >= 0;
  }

 private:
  static constexpr int64_t kEntriesAhead = 32;

  Column& column_of(int64_t entry) { return state_.columns[state_.costs.col[entry]]; }

  // Takes the duals of an auction. Rows whose column there attains their smallest slack keep it.
  void hold_auction(const std::vector<int32_t>& rows, Run& run) {
    EpsilonAuction<S, T> auction(state_, rows);
    auction.run(run);
    state_.counts.bids = auction.bids();
    for (int64_t j = 0; j < state_.costs.cols; ++j) {
      T& dual = state_.columns[j].dual;
      const double found = auction.dual(j);  // infinite or NaN where costs exceed float32
      if (found != double(dual) && std::abs(found) < kLargestDual) dual = checked(rounded(found));
    }
    for (size_t k = 0; k < rows.size(); ++k) {
      if (k + State::kAhead < rows.size()) state_.prefetch_columns_of(rows[k + State::kAhead]);
      const int32_t i = rows[k], j = auction.col_of_row(i);
      if (j < 0) continue;
      state_.assign_pair(i, j);
      if (state_.two_smallest(i, run).first < state_.row_dual(i)) state_.unassign(i);
    }
  }
  static constexpr double kLargestDual =
      std::is_floating_point_v<T> ? std::numeric_limits<double>::infinity() : 0x1p62;
  static T rounded(double dual) {
    if constexpr (std::is_floating_point_v<T>) return T(dual);
    return T(std::llround(dual));
  }

  State& state_;
};

}  // namespace konig
