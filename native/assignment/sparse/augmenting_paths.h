// The sparse assignment problem by shortest augmenting paths.
//
// R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment
// problems, Computing 38 (1987), on lists of allowed pairs, with a heap. Minimises; rows <= cols, every row
// is assigned. state.h says what the state is and what holds.
//
// On a square all free rows first search together, in phases. Once few are left and a path costs more scans
// than it should, each of them searches from both ends. On a rectangle a free column's dual must stay 0, so
// that rows search one after the other, from their end alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "assignment/sparse/search.h"
#include "assignment/sparse/start.h"
#include "assignment/sparse/state.h"
#include "assignment/sparse/two_sided_search.h"

namespace konig {

template <class S, class T>
class SparseAugmentingPaths {
 public:
  SparseAugmentingPaths() = default;
  SparseAugmentingPaths(const SparseAugmentingPaths&) = delete;  // its parts refer to its state
  SparseAugmentingPaths& operator=(const SparseAugmentingPaths&) = delete;

  void prepare(const SparseCosts<S>& costs) {
    state_.prepare(costs);
    search_.reset();
  }

  // All return whether every row could be assigned; if not, `violator` says why.
  bool solve(Run& run) {
    if (sizeof(T) > 8) {  // reductions overshoot; here small duals are worth more than time
      state_.collect_free_rows();
      return assign_free_rows(run);
    }
    if (state_.is_square() && !start_.reduce_and_bid(run)) return false;
    return finish(run);
  }
  // From the column duals that the caller has set.
  bool solve_from_duals(Run& run) {
    start_.assign_tight_rows(run);
    if (!state_.is_square()) start_.release_free_columns(run);
    return finish(run);
  }
  // The same problem with more entries; what is assigned stays so where it still attains the smallest slack.
  bool solve_again(const SparseCosts<S>& costs, Run& run) {
    state_.costs = costs;
    start_.drop_beaten_rows(run);
    if (!state_.is_square()) start_.release_free_columns(run);
    return finish(run);
  }

  T col_dual(int64_t col) const { return state_.columns[col].dual; }
  void set_col_dual(int64_t col, T dual) { state_.columns[col].dual = dual; }
  T row_dual(int64_t row) const { return state_.row_dual(row); }
  int32_t col_of_row(int64_t row) const { return state_.col_of_row[row]; }
  int32_t row_of_col(int64_t col) const { return state_.columns[col].row; }
  const typename SparseState<S, T>::Counts& counts() const { return state_.counts; }
  HallViolator& violator() { return state_.violator; }

 private:
  static constexpr int64_t kFewRows = 4096;        // not worth transposed lists
  static constexpr double kScansFromBothEnds = 4;  // of a path, in square roots of the rows

  bool finish(Run& run) {
    state_.collect_free_rows();
    if (sizeof(T) <= 8) {  // see solve
      start_.reduce_rows(run);
      start_.reduce_rows(run);
    }
    return assign_free_rows(run);
  }

  bool assign_free_rows(Run& run) {
    state_.counts.reduced_rows = state_.costs.rows - int64_t(state_.free.size());
    report(run);
    if (state_.is_square()) {
      const int64_t worth = int64_t(kScansFromBothEnds * std::sqrt(double(state_.costs.rows)));
      while (state_.free.size() > 1) {
        const int64_t scans_per_path = search_.augment_from_all(run);
        report(run);
        if (scans_per_path == 0) break;
        if (scans_per_path > worth && state_.costs.rows >= kFewRows) return search_from_both_ends(run);
      }
    }
    while (!state_.free.empty()) {
      if (!search_.augment_from(state_.free.back(), run)) return false;
      state_.free.pop_back();
      report(run);
    }
    return true;
  }

  bool search_from_both_ends(Run& run) {
    if (state_.free.empty()) return true;
    TwoSidedSearch<S, T> search(state_);
    search.prepare(run);
    while (!state_.free.empty()) {
      if (!search.augment_from(state_.free.back(), run)) return false;
      state_.free.pop_back();
      report(run);
    }
    return true;
  }

  void report(Run& run) const {
    run.report(state_.costs.rows - int64_t(state_.free.size()), state_.costs.rows);
  }

  SparseState<S, T> state_;
  SparseStart<S, T> start_{state_};
  SparseSearch<S, T> search_{state_};
};

}  // namespace konig
