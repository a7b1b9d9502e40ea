// The core of a problem between point sets, solved from given column duals.
//
// Column duals of a coarser problem are off by about the distance of neighbours. An auction with epsilon
// scaling (sparse/epsilon_auction.h) makes up for most of that; rows that it leaves free search near
// themselves (sparse/search.h), further in each pass, and the last ones from both ends
// (sparse/two_sided_search.h). Rows lie in the order of a tree, so that a search and the next one share their
// columns: in a search from all free rows together, in the order of distance, every scan would wait for
// memory.
//
// On a rectangle a free column's dual must be 0, so that there is no auction, and no search from both ends.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "assignment/sparse/search.h"
#include "assignment/sparse/start.h"
#include "assignment/sparse/state.h"
#include "assignment/sparse/two_sided_search.h"

namespace konig {

class PointPaths {
 public:
  PointPaths() = default;
  PointPaths(const PointPaths&) = delete;  // its parts refer to its state
  PointPaths& operator=(const PointPaths&) = delete;

  void solve(const SparseCosts<double>& costs, const std::vector<double>& col_dual, Run& run) {
    state_.prepare(costs);
    search_.reset();
    for (int64_t j = 0; j < costs.cols; ++j) state_.columns[j].dual = col_dual[j];
    if (state_.is_square()) {
      start_.bid(run);
    } else {
      start_.assign_tight_rows(run);
      start_.release_free_columns(run);
    }
    assign_free_rows(run);
  }

  // The same problem with more entries.
  void solve_again(const SparseCosts<double>& costs, Run& run) {
    state_.costs = costs;
    drop_beaten_rows(run);
    if (!state_.is_square()) start_.release_free_columns(run);
    assign_free_rows(run);
  }

  double col_dual(int64_t col) const { return state_.columns[col].dual; }
  double row_dual(int64_t row) const { return state_.row_dual(row); }
  int32_t col_of_row(int64_t row) const { return state_.col_of_row[row]; }
  const SparseState<double, double>::Counts& counts() const { return state_.counts; }

 private:
  // Columns that a search scans in the first pass, by how much that grows, and in the last pass. Factors of
  // two in any of them change the number of scans by less than a tenth.
  static constexpr int64_t kFirst = 8, kGrowth = 4, kLast = 512;

  // Rows that no longer attain their smallest slack lose their column, but not for what rounding takes: where
  // points travel along the same rays many pairs tie, and rows would lose their columns again and again.
  void drop_beaten_rows(Run& run) {
    const auto& costs = state_.costs;
    for (int64_t i = 0; i < costs.rows; ++i) {
      if (i + state_.kAhead < costs.rows) state_.prefetch_columns_of(i + state_.kAhead);
      const double dual = state_.row_dual(i), rounding = 0x1p-50 * std::abs(dual);
      if (state_.two_smallest(i, run).first < dual - rounding) state_.unassign(i);
    }
  }

  void assign_free_rows(Run& run) {
    state_.collect_free_rows();
    auto& free = state_.free;
    for (int64_t most = kFirst; most <= kLast && !free.empty(); most *= kGrowth) {
      size_t kept = 0;
      for (const int32_t i : free)
        if (!search_.augment_near(i, most, run)) free[kept++] = i;
      free.resize(kept);
      report(run);
    }
    if (free.empty()) return;
    if (state_.is_square())
      search_from_both_ends(run);
    else
      search_from_rows(run);
  }

  void search_from_both_ends(Run& run) {
    TwoSidedSearch<double, double> search(state_);
    search.prepare(run);
    for (; !state_.free.empty(); state_.free.pop_back(), report(run))
      search.augment_from(state_.free.back(), run);
  }
  void search_from_rows(Run& run) {
    for (; !state_.free.empty(); state_.free.pop_back(), report(run))
      search_.augment_near(state_.free.back(), state_.costs.cols, run);
  }

  void report(Run& run) const {
    run.report(state_.costs.rows - int64_t(state_.free.size()), state_.costs.rows);
  }

  SparseState<double, double> state_;
  SparseStart<double, double> start_{state_};
  SparseSearch<double, double> search_{state_};
};

}  // namespace konig
