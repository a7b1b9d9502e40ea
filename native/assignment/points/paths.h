// The core of a problem between point sets, solved from given column duals.
//
// Column duals of a coarser problem are off by about the distance of neighbours. An auction with epsilon
// scaling (sparse/epsilon_auction.h) makes up for most of that; rows that it leaves free search near
// themselves (sparse/search.h), further in each pass. Rows lie in the order of a tree, so that a search and
// the next one share their columns: in a search from all free rows together, in the order of distance, every
// scan would wait for memory.
//
// On a rectangle a free column's dual must be 0, so that there is no auction.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "assignment/sparse/search.h"
#include "assignment/sparse/start.h"
#include "assignment/sparse/state.h"

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
  // Columns that a search scans in the first pass, and by how much that grows. Factors of two in either
  // change the number of scans by less than a tenth, and so does it if the last rows search from both ends
  // (sparse/two_sided_search.h).
  static constexpr int64_t kFirst = 8, kGrowth = 4;

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
    bool sees_all = false;
    for (int64_t most = kFirst; !free.empty() && !sees_all; most *= kGrowth) {
      sees_all = most >= state_.costs.cols;
      size_t kept = 0;
      for (const int32_t i : free)
        if (!search_.augment_near(i, most, run)) free[kept++] = i;
      free.resize(kept);
      report(run);
    }
    if (!free.empty()) throw std::logic_error("the pairs of a coarser problem are missing in the core");
  }

  void report(Run& run) const {
    run.report(state_.costs.rows - int64_t(state_.free.size()), state_.costs.rows);
  }

  SparseState<double, double> state_;
  SparseStart<double, double> start_{state_};
  SparseSearch<double, double> search_{state_};
};

}  // namespace konig
