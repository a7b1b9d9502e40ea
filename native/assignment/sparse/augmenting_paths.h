// The sparse assignment problem by shortest augmenting paths.
//
// R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment
// problems, Computing 38 (1987), on lists of allowed pairs, with a heap. Minimises; rows <= cols, every row
// is assigned. state.h says what the state is and what holds.
//
// A square goes through these stages: columns with one entry force their rows (forced_rows.h), column
// reduction and augmenting row reduction (start.h), and paths from one row after the other. Where these
// promise to be long, as in large graphs without locality, an auction (epsilon_auction.h) takes the place of
// all duals and of the matching, unless few rows are left; then all free rows search together, in phases, and
// once few are left and a path costs more scans than it should, each of them searches from both ends. Where
// these promise to be long, too, as where columns are free on the far side of a large grid, there is an
// auction after all. On a rectangle a free column's dual must stay 0, so that rows search one after the
// other, from their end alone.
//
// limited.h is about rows with limits (state.h), for which these are two stages.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "assignment/sparse/forced_rows.h"
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

  // With a limit for each row, rows may be left alone.
  void prepare(const SparseCosts<S>& costs, const T* limit = nullptr) {
    state_.prepare(costs, limit);
    search_.reset();
    may_bid_ = sizeof(T) <= 8;  // see solve
  }

  // This and the others, but for solve_within_limits, return whether every row could be assigned; if not,
  // `violator` says why.
  bool solve(Run& run) {
    if (sizeof(T) > 8) return finish(run);  // reductions overshoot; here small duals are worth more than time
    if (!state_.is_square()) return finish(run);
    if (!start_.reduce_columns(run)) return false;
    forced_.find(run);
    search_.reset(state_.costs.rows);
    reduce_free_rows(run);
    bool feasible = augment_while_short(run);
    if (feasible && !state_.free.empty()) {
      if (double(state_.free.size()) > few_free_rows()) bid(run);
      feasible = finish(run);
    }
    if (feasible) forced_.find_duals(run);
    return feasible;
  }
  // From the column duals that the caller has set.
  bool solve_from_duals(Run& run) {
    start_.assign_tight_rows(run);
    if (!state_.is_square()) start_.release_free_columns(run);
    return finish(run);
  }
  // A square, by an auction from the column duals that the caller has set.
  bool solve_by_auction(Run& run) {
    bid(run);
    return finish(run);
  }
  // With limits: whether every row is assigned or alone. If not, the paths left are long.
  bool solve_within_limits(Run& run) {
    if (sizeof(T) > 8) {  // see solve
      state_.collect_free_rows();
      return assign_one_by_one(run);
    }
    reduce_free_rows(run);
    augment_while_short(run);  // cannot fail: a row may be left alone
    return state_.free.empty();
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
  // The smallest slack of a row, which is its dual unless it is free.
  T least_slack(int64_t row, Run& run) { return state_.two_smallest(row, run).first; }
  T held(int64_t row) const { return state_.held[row]; }                    // the cost of the row's pair
  int32_t col_of_row(int64_t row) const { return state_.col_of_row[row]; }  // < 0 if it has none
  int64_t alone() const { return state_.alone; }                            // rows
  int32_t row_of_col(int64_t col) const { return state_.columns[col].row; }
  const typename SparseState<S, T>::Counts& counts() const { return state_.counts; }
  HallViolator& violator() { return state_.violator; }

 private:
  static constexpr int64_t kLeastForBothEnds = 4096;  // fewer rows are not worth transposed lists
  // Scans in units of all entries: those before a promise is taken for one, and those that an auction is
  // worth if it takes the place of paths until few rows are left, where 2 to 4 are best.
  static constexpr double kFirstScans = 2, kScansUntilFew = 3;
  // What an auction is worth that takes the place of all paths to come, as on small squares: a bid takes as
  // long as some scans of a path, besides those of its row. With ten entries a row that is 16 times all
  // entries, where 28 loses up to 1.7 x and 32 up to 2 x; with five, 23 times, where 16 loses up to 2 x.
  static constexpr double kScansOfEntry = 10, kScansOfRow = 64;
  // What searches from both ends are worth for the few rows left; at half of this grids lose 1.5 x.
  static constexpr double kScansOfFew = 8;
  // As a part of all rows. Bands of 70,000 to 190,000 entries gain 2 to 3 x over an auction; grids are even.
  static constexpr double kShortSpan = 1.0 / 32;
  static constexpr double kScansFromBothEnds = 4;  // of a path, in square roots of the rows

  bool finish(Run& run) {
    if (sizeof(T) <= 8)  // see solve
      reduce_free_rows(run);
    else
      state_.collect_free_rows();
    return assign_free_rows(run);
  }

  // At most one auction: what is left after it is what it is bad at.
  void bid(Run& run) {
    start_.bid(run);
    may_bid_ = false;
  }

  // A second time only if the first had an end: prices would go on falling by little.
  void reduce_free_rows(Run& run) {
    state_.collect_free_rows();
    if (start_.reduce_rows(run)) start_.reduce_rows(run);
    state_.counts.reduced_rows = state_.costs.rows - int64_t(state_.free.size());
  }

  // Paths one after the other, as long as they promise to scan fewer entries than an auction would. Rows that
  // are left then are free.
  bool augment_while_short(Run& run) {
    const int64_t before = state_.counts.entry_scans;
    double span = 0;
    for (int64_t paths = 1; !state_.free.empty(); ++paths) {
      const int32_t root = state_.free.back();
      if (!search_.augment_from(root, run)) return false;
      state_.free.pop_back();
      span += span_to(root, search_.end());
      report(run);
      if (are_long(paths, span, state_.counts.entry_scans - before)) return true;
    }
    return true;
  }

  // How far apart the ends of a path lie, as a part of all rows and columns in their order.
  double span_to(int32_t root, int32_t end) const {
    const double rows = double(state_.costs.rows), from = double(root) / rows;
    return std::abs(from - (end >= 0 ? double(end) / double(state_.costs.cols) : double(~end) / rows));
  }

  // Whether the paths found promise more scans than what comes next instead: an auction or, for few rows,
  // searches from both ends. A search goes on until it meets one of the free columns, so that its length is
  // about inverse to their number, and sums of it are logarithms. Where paths end near their roots, as in
  // bands and meshes in natural order, rows one after the other meet columns that are as free as at first,
  // and the paths to come are as long as those found. With limits some columns will be free in the end.
  bool are_long(int64_t paths, double span, int64_t scans) const {
    const double entries = double(state_.costs.start[state_.costs.rows]);
    const double left = double(state_.free.size());
    if (double(scans) < kFirstScans * entries || left == 0) return false;
    const double spare = double(state_.costs.cols - state_.costs.rows + state_.alone), free = left + spare;
    const double auction = scans_of_auction();
    if (span < kShortSpan * double(paths)) return double(scans) * left > auction * double(paths);
    const double few = few_free_rows();
    double rest = 1 + std::log(free), worth = few > 0 ? kScansOfFew * entries : auction;
    if (spare > 0) {
      rest = std::log(free / spare);
    } else if (few > 0 && free > few) {
      rest = std::log(free / few);
      worth = kScansUntilFew * entries;
    }
    return double(scans) * rest > worth * std::log(1 + double(paths) / free);
  }

  // What an auction is worth. Within limits it is one of twice the entries.
  double scans_of_auction() const {
    const double entries = double(state_.costs.start[state_.costs.rows]);
    return (state_.limit ? 2 : 1) * (kScansOfEntry * entries + kScansOfRow * double(state_.costs.rows));
  }

  // So many free rows of a square are not worth an auction, which starts from no row assigned.
  double few_free_rows() const {
    const bool takes_both_ends = !state_.limit && state_.costs.rows >= kLeastForBothEnds;
    return takes_both_ends ? std::sqrt(double(state_.costs.rows)) : 0;
  }

  bool assign_free_rows(Run& run) {
    report(run);
    if (state_.is_square()) {
      const int64_t worth = int64_t(kScansFromBothEnds * std::sqrt(double(state_.costs.rows)));
      while (state_.free.size() > 1) {
        const int64_t scans_per_path = search_.augment_from_all(run);
        report(run);
        if (scans_per_path == 0) break;
        if (scans_per_path > worth && state_.costs.rows >= kLeastForBothEnds)
          return search_from_both_ends(run);
      }
    }
    return assign_one_by_one(run);
  }

  bool assign_one_by_one(Run& run) {
    while (!state_.free.empty()) {
      if (!search_.augment_from(state_.free.back(), run)) return false;
      state_.free.pop_back();
      report(run);
    }
    return true;
  }

  // Where rows are free on one side and columns on the other, pixels assigned to those of a shifted image
  // gain 1.8 to 3 x from the auction, and a series assigned to itself, shifted, up to 1.9 x.
  bool search_from_both_ends(Run& run) {
    if (!augment_from_both_ends_while_short(run)) return false;
    if (state_.free.empty()) return true;
    bid(run);
    return finish(run);
  }

  // As augment_while_short, if there may be an auction; else until no row is free.
  bool augment_from_both_ends_while_short(Run& run) {
    if (state_.free.empty()) return true;
    const double entries = double(state_.costs.start[state_.costs.rows]), auction = scans_of_auction();
    const int64_t before = state_.counts.entry_scans;
    TwoSidedSearch<S, T> search(state_);
    search.prepare(run);
    for (int64_t paths = 1; !state_.free.empty(); ++paths) {
      if (!search.augment_from(state_.free.back(), run)) return false;
      state_.free.pop_back();
      report(run);
      const double scans = double(state_.counts.entry_scans - before);
      const double promised = scans / double(paths) * double(state_.free.size());
      if (may_bid_ && scans > kFirstScans * entries && promised > auction) return true;
    }
    return true;
  }

  void report(Run& run) const {
    run.report(state_.costs.rows - int64_t(state_.free.size()), state_.costs.rows);
  }

  bool may_bid_ = true;
  SparseState<S, T> state_;
  SparseStart<S, T> start_{state_};
  ForcedRows<S, T> forced_{state_};
  SparseSearch<S, T> search_{state_};
};

}  // namespace konig
