// A dense problem by its whole matrix, as in R. Jonker, A. Volgenant, A shortest augmenting path algorithm
// for dense and sparse linear assignment problems, Computing 38 (1987): column reduction, reduction transfer,
// augmenting row reduction (reduce.h), then one shortest augmenting path from every row that is left
// (search.h). An auction (auction.h) saves much of that where most rows want the same columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "assignment/auction.h"
#include "assignment/first_read.h"
#include "assignment/line_minima.h"
#include "assignment/padded_square.h"
#include "assignment/reduce.h"
#include "assignment/search.h"
#include "assignment/state.h"
#include "assignment/sums.h"
#include "assignment/task.h"
#include "assignment/turned_rows.h"

namespace konig {

template <class S, class T>
struct WholeMatrix {
  WholeMatrix() = default;
  WholeMatrix(const WholeMatrix&) = delete;  // its parts refer to its state

  void prepare(const DenseTask<S>& task, TurnedRows<S>* turned) {
    state.prepare(task.rows, task.cols, task.costs(), turned);
    reductions.reset(task.rows == task.cols);
    search.reset();
    transposed.reset();
  }
  // A square that is not transposed.
  void prepare(SignedCosts<S> costs, int64_t size) {
    state.prepare(size, size, costs);
    reductions.reset(false);
    search.reset();
    transposed.reset();
  }

  // A square begins anew as its transpose.
  void transpose(Run& run) {
    const auto counts = state.counts;
    transposed.emplace(state.costs.data, state.cols, state.rows);
    transposed->turn_all(1, run);
    state.prepare(state.cols, state.rows, {transposed->costs(), state.costs.negated});
    state.counts = counts;
    std::swap(col_minima, reductions.row_minima());
    reductions.reset(false);
    search.reset();
  }

  // Of what is solved.
  T row_dual(int64_t row) const { return state.row_dual(row); }
  T col_dual(int64_t col) const { return state.col_dual[col]; }
  int32_t col_of_row(int64_t row) const { return state.col_of_row[row]; }

  std::optional<TurnedRows<S>> transposed;  // the costs that are solved, if not those of the task
  LineMinima<S> col_minima;                 // of these
  DenseState<S, T> state;
  DenseReductions<S, T> reductions{state};
  DenseSearch<S, T> search{state};
};

template <class S, class T>
void assign_by_duals(WholeMatrix<S, T>& whole, Run& run) {
  whole.reductions.assign_tight_rows(run);
  whole.reductions.reduce_rows(run);
}

// From the column duals of the state. Returns whether every row could be assigned; if not, the state's
// violator says why.
template <class S, class T>
bool solve_from_duals(WholeMatrix<S, T>& whole, Run& run) {
  assign_by_duals(whole, run);
  return whole.search.assign_free_rows(run);
}

// Whether one was held: it leaves better duals, and no row assigned.
template <class S, class T>
bool hold_auction(WholeMatrix<S, T>& whole, const FirstRead<S>& found, Run& run) {
  DenseAuction<S, T> auction(whole.state);
  const LineMinima<S>* const minima = whole.transposed ? &whole.col_minima : found.col_minima;
  return minima ? auction.hold(minima->least, run) : auction.hold(whole.state.col_dual, run);
}

// From nearly optimal duals. Paths are short as a rule; where they are not, an auction comes first.
template <class S, class T>
bool solve_near_optimum(WholeMatrix<S, T>& whole, const DensePlan& plan, Run& run) {
  DenseState<S, T>& state = whole.state;
  if (!state.is_square()) return solve_from_duals(whole, run);
  const std::vector<T> duals(state.col_dual.begin(), state.col_dual.begin() + state.cols);
  assign_by_duals(whole, run);
  if (const auto solved =
          whole.search.assign_free_rows(plan.path_scans * state.rows, DenseSearch<S, T>::kNoLimit, run))
    return *solved;
  return DenseAuction<S, T>(state).hold(duals, run) ? solve_from_duals(whole, run)
                                                    : whole.search.assign_free_rows(run);
}

// False if a row is forbidden to all columns.
template <class S, class T>
bool start_transposed(WholeMatrix<S, T>& whole, Run& run) {
  whole.transpose(run);
  if (!whole.reductions.reduce_columns(&whole.col_minima, run)) return false;
  whole.reductions.transfer_reductions(run);
  whole.reductions.reduce_rows(run);
  return true;
}

// The reductions of a square. False if a row or column is forbidden to all others. `only_if_easy`: nothing
// where minima leave a quarter of the rows free, unless rows or the transpose start better.
template <class S, class T>
std::optional<bool> reduce_square(WholeMatrix<S, T>& whole, bool transfers, const FirstRead<S>& found,
                                  bool only_if_easy, Run& run) {
  DenseState<S, T>& state = whole.state;
  DenseReductions<S, T>& reductions = whole.reductions;
  if (!reductions.reduce_columns(found.col_minima, run)) return false;
  const auto are_free = std::count(state.col_of_row.begin(), state.col_of_row.end(), -1);
  const bool leaves_many = 4 * are_free > state.rows && !reductions.rows_start_better();
  if (only_if_easy && leaves_many) {
    reductions.compare_sample(run);
    if (!reductions.should_transpose()) return {};
  }
  if (transfers) {
    reductions.transfer_reductions(run);
    reductions.reduce_rows(run);
  }
  return !reductions.should_transpose() || start_transposed(whole, run);
}

// By reductions, an auction if it is due, and paths. `only_if_easy`: nothing where a core is solved sooner.
template <class S, class T>
std::optional<bool> solve_square(WholeMatrix<S, T>& whole, const DensePlan& plan, Auction auction,
                                 const FirstRead<S>& found, bool only_if_easy, Run& run) {
  DenseState<S, T>& state = whole.state;
  const auto feasible = reduce_square(whole, auction != Auction::always, found, only_if_easy, run);
  if (!feasible.value_or(false)) return feasible;
  if (auction == Auction::always) {
    if (hold_auction(whole, found, run)) return solve_from_duals(whole, run);
    whole.reductions.reduce_rows(run);
    auction = Auction::never;
  }
  // A core is chosen by the smallest costs of rows: it is given up where these are in few columns, and little
  // help where rows have to start by themselves (reduce.h).
  if (only_if_easy && !whole.transposed && !whole.reductions.rows_want_few_columns()) {
    const int64_t scans = plan.easy_scans * state.rows * (whole.reductions.rows_start_better() ? 8 : 1);
    return whole.search.assign_free_rows(scans, scans, run);
  }
  if (auction == Auction::never) return whole.search.assign_free_rows(run);
  if (const auto solved =
          whole.search.assign_free_rows(plan.path_scans * state.rows, DenseSearch<S, T>::kNoLimit, run))
    return solved;
  return hold_auction(whole, found, run) ? solve_from_duals(whole, run) : whole.search.assign_free_rows(run);
}

// Searches of few columns are so short that they are done before a square is started. A square of very many
// takes memory that the caller has not been asked for.
template <class S, class T>
bool may_be_padded(const DenseState<S, T>& state, const DensePlan& plan, double largest) {
  constexpr int64_t kMostCols = 1 << 14;
  if (state.is_narrow() || state.cols > std::min(kMostCols, plan.padded_cols * state.rows)) return false;
  if constexpr (std::is_integral_v<T>)
    return holds_sums<T>(state.cols, largest);
  else
    return true;
}

// Solves a rectangle as a square, and takes over what that says of its rows; false if it is infeasible.
template <class S, class T>
bool solve_padded(WholeMatrix<S, T>& whole, const DensePlan& plan, Auction auction, double largest,
                  Run& run) {
  DenseState<S, T>& state = whole.state;
  if (state.turned) state.turned->turn_all(1, run);
  const PaddedSquare<S> padded(state.costs, state.rows, state.cols, run);
  WholeMatrix<S, T> square;
  square.prepare(padded.costs(), state.cols);
  const FirstRead<S> found{largest, &padded.col_minima};
  const bool feasible = *solve_square(square, plan, auction, found, false, run);
  state.counts.add_work(square.state.counts);
  if (feasible) padded.write(square.state, state);
  return feasible;
}

// Rows begin with their smallest costs, and go on as a square where paths promise to be long, or, if an
// auction is to be held always, at once.
template <class S, class T>
std::optional<bool> solve_rectangle(WholeMatrix<S, T>& whole, const DensePlan& plan, Auction auction,
                                    const FirstRead<S>& found, bool only_if_easy, Run& run) {
  const DenseState<S, T>& state = whole.state;
  if (found.row_minima) whole.reductions.assign_by_row_minima(*found.row_minima);
  whole.reductions.reduce_rows(run);
  if (only_if_easy) {
    const int64_t scans = plan.easy_scans * state.rows;
    return whole.search.assign_free_rows(scans, scans, run);
  }
  if (auction != Auction::never && may_be_padded(state, plan, found.largest)) {
    if (auction == Auction::if_paths_are_long) {
      // A square has more rows, and each is scanned by more searches. On a rectangle later paths grow less.
      const double aspect = double(state.cols) / double(state.rows);
      const auto promised = int64_t(2 * aspect * aspect * double(plan.path_scans * state.rows));
      if (const auto solved = whole.search.assign_free_rows(promised, DenseSearch<S, T>::kNoLimit, run))
        return solved;
    }
    if (solve_padded(whole, plan, auction, found.largest, run)) return true;
  }
  return whole.search.assign_free_rows(run);
}

// As solve_square().
template <class S, class T>
std::optional<bool> solve_whole(WholeMatrix<S, T>& whole, const DensePlan& plan, Auction auction,
                                const FirstRead<S>& found, bool only_if_easy, Run& run) {
  if (whole.state.is_square()) return solve_square(whole, plan, auction, found, only_if_easy, run);
  return solve_rectangle(whole, plan, auction, found, only_if_easy, run);
}

// What the search says of rows and columns, in terms of the task.
template <class S, class T>
HallViolator violator_of(WholeMatrix<S, T>& whole) {
  if (whole.transposed) std::swap(whole.state.violator.rows, whole.state.violator.cols);
  return std::move(whole.state.violator);
}

}  // namespace konig
