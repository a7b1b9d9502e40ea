// One dense problem, its costs in the type S and its sums in T, that hold them: by a sparse core and prices
// (core.h, price.h), or by the whole matrix. `found` is about its costs; `write` writes the answer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "assignment/core.h"
#include "assignment/first_read.h"
#include "assignment/line_minima.h"
#include "assignment/price.h"
#include "assignment/sums.h"
#include "assignment/task.h"
#include "assignment/whole_matrix.h"
#include "core/kept.h"

namespace konig {

// The answer to a rectangle. No dual is above 0, so the smallest cost of a row is a bound on cost - dual, and
// attained where the column of that cost has no dual: a proof need not scan the row again (answer.h).
template <class S, class T>
struct ProvedByRowMinima {
  T row_dual(int64_t row) const { return whole.row_dual(row); }
  T col_dual(int64_t col) const { return whole.col_dual(col); }
  int32_t col_of_row(int64_t row) const { return whole.col_of_row(row); }
  double lowest_listed(int64_t i, const double* col_dual, double largest) const {
    return largest <= 0 && col_dual[minima.place[i]] == 0 ? double(minima.least[i])
                                                          : std::numeric_limits<double>::quiet_NaN();
  }

  bool has_all_rows() const { return !whole.state.turned; }
  void read_row(int64_t row) const {
    if (whole.state.turned) whole.state.turned->turn(row);
  }

  const WholeMatrix<S, T>& whole;
  const LineMinima<S>& minima;
};

template <class S, class T, class Write>
Outcome write_whole(const WholeMatrix<S, T>& whole, const FirstRead<S>& found, const Write& write) {
  return found.row_minima ? write(ProvedByRowMinima<S, T>{whole, *found.row_minima}) : write(whole);
}

// No entries mean that there was no core, and that the whole matrix was solved.
void count_core(int64_t entries, int64_t rounds, Run& run) {
  run.count("core_entries", entries);
  run.count("pricing_rounds", rounds);
  run.count("whole_solves", int64_t(entries == 0));
}

// By reductions where the plan asks for them, by a core and prices, and otherwise by the whole matrix.
template <class T, class S, class Write>
Outcome solve_by_core(const DenseTask<S>& task, const FirstRead<S>& found, HallViolator& violator,
                      const Write& write, Run& run) {
  const DensePlan& plan = task.plan;
  WholeMatrix<S, T> whole;
  std::optional<bool> solved;
  int64_t bids = 0, row_reductions = 0, paths = 0;
  const auto count = [&](const auto& counts) {
    bids += counts.bids;
    row_reductions += counts.row_reductions;
    paths += counts.paths;
  };
  const auto finish = [&](int64_t entries, int64_t rounds) {
    count_core(entries, rounds, run);
    run.count("bids", bids);
    run.count("row_reductions", row_reductions);
    run.count("paths", paths);
  };
  const auto finish_whole = [&] {
    count(whole.state.counts);
    finish(0, 0);
    violator = violator_of(whole);
    return *solved ? write_whole(whole, found, write) : Outcome::infeasible;
  };
  if (plan.reduce_before_core) {
    whole.prepare(task, found.turned);
    solved = solve_whole(whole, plan, Auction::if_paths_are_long, found, true, run);
    if (solved) return finish_whole();
    count(whole.state.counts);
  }
  if (found.turned) found.turned->turn_all(task.threads, run);
  bool tied = false;
  {
    PricedCore<S, T> core(task.rows, task.cols, task.costs(), task.threads);
    const auto solve = [&](auto& first) {
      tied = first.tied;
      return first.is_worthwhile && core.solve(first, plan, run);
    };
    bool priced;
    if (found.core) {
      priced = solve(*found.core);
    } else {
      FirstCore<S, T> first(task.rows, task.cols, task.costs());
      first.choose(task.threads, nullptr, false, run);
      priced = solve(first);
    }
    count(core.counts());
    if (priced) {
      finish(core.entries(), core.rounds());
      return write(core);
    }
    if (core.is_feasible()) {
      whole.prepare(task, nullptr);
      for (int64_t j = 0; j < task.cols; ++j) whole.state.col_dual[j] = core.col_dual(j);
      solved = solve_near_optimum(whole, plan, run);
      return finish_whole();
    }
  }
  whole.prepare(task, nullptr);
  solved = solve_whole(whole, plan, tied ? Auction::if_paths_are_long : plan.auction, found, false, run);
  return finish_whole();
}

template <class S, class T, class Write>
Outcome finish_matrix(WholeMatrix<S, T>& whole, bool feasible, const FirstRead<S>& found,
                      HallViolator& violator, const Write& write, Run& run) {
  const auto& counts = whole.state.counts;
  run.count("bids", counts.bids);
  run.count("reduced_rows", counts.reduced_rows);
  run.count("row_reductions", counts.row_reductions);
  run.count("paths", counts.paths);
  run.count("row_scans", counts.row_scans);
  violator = violator_of(whole);
  const Outcome outcome = feasible ? write_whole(whole, found, write) : Outcome::infeasible;
  whole.transposed.reset();
  return outcome;
}

template <class T, class S, class Write>
Outcome solve_by_matrix(const DenseTask<S>& task, const FirstRead<S>& found, HallViolator& violator,
                        const Write& write, Run& run) {
  Kept<WholeMatrix<S, T>> kept;
  if (task.cols > kMostKept) kept.drop();
  WholeMatrix<S, T>& whole = *kept;
  whole.prepare(task, found.turned);
  const bool feasible = *solve_whole(whole, task.plan, task.plan.auction, found, false, run);
  return finish_matrix(whole, feasible, found, violator, write, run);
}

// From the duals of a warm start, which are divided by `divisor` as the costs have been. Nothing where they
// are no help: where they leave more than half of the rows free, of which those of a similar problem leave
// few, or where paths promise to be long. Paths from duals of another problem take up to two hundred times as
// long as a solve without them; the limits were seen on uniform costs and on distances.
template <class T, class S, class Write>
std::optional<Outcome> solve_from_given(const DenseTask<S>& task, const FirstRead<S>& found, double divisor,
                                        HallViolator& violator, const Write& write, Run& run) {
  constexpr int64_t kScansPerRow = 24;
  Kept<WholeMatrix<S, T>> kept;
  if (task.cols > kMostKept) kept.drop();
  WholeMatrix<S, T>& whole = *kept;
  DenseState<S, T>& state = whole.state;
  whole.prepare(task, found.turned);
  for (int64_t j = 0; j < task.cols; ++j) {
    const auto given = task.initial_col_dual[j];
    T dual = T(given);
    if constexpr (!std::is_integral_v<S>) dual = dual_to_start_from(given, divisor, task.rows, found.largest);
    const T minimised = task.maximize ? -dual : dual;
    state.col_dual[j] = task.rows < task.cols ? std::min(minimised, T(0)) : minimised;
  }
  assign_by_duals(whole, run);
  std::optional<bool> feasible;
  if (2 * int64_t(state.free.size()) <= task.rows)
    feasible = whole.search.assign_free_rows(kScansPerRow * task.rows, DenseSearch<S, T>::kNoLimit, run);
  if (!feasible) {
    run.count("starts_dropped", int64_t(1));
    return {};
  }
  return finish_matrix(whole, *feasible, found, violator, write, run);
}

}  // namespace konig
