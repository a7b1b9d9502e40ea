// The dense methods: the parts of a solve in their order, on costs made ready for them.
//
// Ready means: minimise, no more rows than columns, sums that cannot overflow. Integers are summed in the
// narrower of 32 and 64 bits that holds every sum; where duals might be too large for 64 bits, but need not
// be, these are tried first, and then lists of all entries in 128 bits. Reals are summed in float64; where
// the duals then prove too little, the answer is repaired without any rounding among the entries that matter
// (exact/core.h).
//
// The whole matrix is solved as in R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense
// and sparse linear assignment problems, Computing 38 (1987): column reduction, reduction transfer,
// augmenting row reduction (reduce.h), then one shortest augmenting path from every row that is left
// (search.h); an auction (auction.h) makes up for much where most rows want the same columns. Other ways lead
// around that: a sparse core and prices (core.h, price.h), and lists of the entries below a common cost
// (common_cost.h).
#include <cmath>
#include <optional>
#include <vector>

#include "assignment/answer.h"
#include "assignment/auction.h"
#include "assignment/common_cost.h"
#include "assignment/core.h"
#include "assignment/orientation.h"
#include "assignment/price.h"
#include "assignment/reduce.h"
#include "assignment/search.h"
#include "assignment/sparse/task.h"
#include "assignment/state.h"
#include "assignment/sums.h"
#include "assignment/task.h"
#include "core/kept.h"

namespace konig {
namespace {

constexpr int64_t kMostKept = 1 << 13;       // columns for which a thread keeps the memory of a solve
constexpr int64_t kMostKeptOfLists = 1024;   // the same where entries are listed
constexpr double kLargestAsGiven = 0x1p900;  // a real |cost|; larger ones are scaled down

// ---- the whole matrix

template <class S, class T>
struct WholeMatrix {
  WholeMatrix() = default;
  WholeMatrix(const WholeMatrix&) = delete;  // its parts refer to its state

  void prepare(int64_t rows, int64_t cols, SignedCosts<S> cost) {
    state.prepare(rows, cols, cost);
    reductions.reset();
    search.reset();
  }

  T row_dual(int64_t row) const { return state.row_dual(row); }
  T col_dual(int64_t col) const { return state.col_dual[col]; }
  int32_t col_of_row(int64_t row) const { return state.col_of_row[row]; }

  DenseState<S, T> state;
  DenseReductions<S, T> reductions{state};
  DenseSearch<S, T> search{state};
};

// From the column duals of the state. This and the next return whether every row could be assigned; if not,
// the state's violator says why.
template <class S, class T>
bool solve_from_duals(WholeMatrix<S, T>& whole, Run& run) {
  whole.reductions.assign_tight_rows(run);
  whole.reductions.reduce_rows(run);
  return whole.search.assign_free_rows(run);
}

// By reductions, an auction if it is due, and paths.
template <class S, class T>
bool solve_whole(WholeMatrix<S, T>& whole, const DensePlan& plan, Auction auction,
                 const ColumnMinima<S>* minima, Run& run) {
  DenseState<S, T>& state = whole.state;
  if (state.is_square()) {
    if (!whole.reductions.reduce_columns(minima, run)) return false;
    if (auction != Auction::always) whole.reductions.transfer_reductions(run);
  }
  if (auction != Auction::always || !state.is_square()) whole.reductions.reduce_rows(run);
  const bool many_are_free =
      state.rows >= plan.auction_rows && plan.auction_share * int64_t(state.free.size()) >= state.rows;
  if (state.is_square() &&
      (auction == Auction::always || (auction == Auction::if_many_are_free && many_are_free))) {
    DenseAuction<S, T>(state).hold(run);
    return solve_from_duals(whole, run);
  }
  return whole.search.assign_free_rows(run);
}

// By reductions, as long as they promise to leave few rows; nothing where they do not.
template <class S, class T>
std::optional<bool> solve_if_easy(WholeMatrix<S, T>& whole, const DensePlan& plan,
                                  const ColumnMinima<S>* minima, Run& run) {
  DenseState<S, T>& state = whole.state;
  if (state.is_square()) {
    if (!whole.reductions.reduce_columns(minima, run)) return false;
    const bool early = whole.reductions.transfer_reductions(run);
    if (early && 2 * whole.reductions.unclaimed() < state.rows) return {};
  }
  whole.reductions.reduce_rows(run);
  if (plan.few_share * int64_t(state.free.size()) > state.rows) return {};
  return whole.search.assign_free_rows(run);
}

// ---- what was found while the costs were read for the first time

// But for the largest, it is about the costs as they are given: of no use where those that are solved are
// others.
template <class S>
struct FirstRead {
  double largest = 0;  // at least every finite |cost|
  const ColumnMinima<S>* minima = nullptr;
  FirstCore<S, NarrowSums<S>>* core = nullptr;
  bool is_varied = false;  // a common cost has been looked for
};

// ---- one problem

// Costs of type C, oriented and with their sign, in sums of T; `found` is about just these costs.
template <class C, class T>
struct Problem {
  const DensePlan& plan;
  int64_t rows, cols;
  SignedCosts<C> cost;
  int threads;
  FirstRead<C> found;
};

void count_core(int64_t entries, int64_t rounds, bool whole, Run& run) {
  run.count("core_entries", entries);
  run.count("pricing_rounds", rounds);
  run.count("whole_solves", int64_t(whole));
}

// By reductions if they are worth it, by a core and prices, and else by the whole matrix.
template <class C, class T, class Write>
Outcome solve_by_core(Problem<C, T>& problem, HallViolator& violator, const Write& write, Run& run) {
  const DensePlan& plan = problem.plan;
  WholeMatrix<C, T> whole;
  std::optional<bool> solved;
  int64_t bids = 0, row_reductions = 0, paths = 0;
  const auto count = [&](const auto& counts) {
    bids += counts.bids;
    row_reductions += counts.row_reductions;
    paths += counts.paths;
  };
  const auto finish = [&](int64_t entries, int64_t rounds) {
    count_core(entries, rounds, entries == 0, run);
    run.count("bids", bids);
    run.count("row_reductions", row_reductions);
    run.count("paths", paths);
  };
  const auto finish_whole = [&] {
    count(whole.state.counts);
    finish(0, 0);
    violator = std::move(whole.state.violator);
    return *solved ? write(whole) : Outcome::infeasible;
  };
  if (plan.reduces && !problem.found.core) {
    whole.prepare(problem.rows, problem.cols, problem.cost);
    solved = solve_if_easy(whole, plan, problem.found.minima, run);
    if (solved) return finish_whole();
  }
  bool tied = false;
  {
    PricedCore<C, T> core(problem.rows, problem.cols, problem.cost, problem.threads);
    const auto solve = [&](auto& first) {
      tied = first.tied;
      return first.is_worthwhile && core.solve(first, plan, run);
    };
    bool priced;
    if (problem.found.core) {
      priced = solve(*problem.found.core);
    } else {
      FirstCore<C, T> first(problem.rows, problem.cols, problem.cost);
      first.choose(problem.threads, nullptr, false, run);
      priced = solve(first);
    }
    count(core.counts());
    if (priced) {
      finish(core.entries(), core.rounds());
      return write(core);
    }
  }
  whole.prepare(problem.rows, problem.cols, problem.cost);
  solved = solve_whole(whole, plan, tied ? Auction::if_many_are_free : plan.auction,
                       static_cast<const ColumnMinima<C>*>(nullptr), run);
  return finish_whole();
}

// `start` puts the duals of a warm start into the state; false if there is none.
template <class C, class T, class Start, class Write>
Outcome solve_by_matrix(Problem<C, T>& problem, HallViolator& violator, const Start& start,
                        const Write& write, Run& run) {
  Kept<WholeMatrix<C, T>> kept;
  if (problem.cols > kMostKept) kept.drop();
  WholeMatrix<C, T>& whole = *kept;
  DenseState<C, T>& state = whole.state;
  whole.prepare(problem.rows, problem.cols, problem.cost);
  const bool feasible =
      start(state) ? solve_from_duals(whole, run)
                   : solve_whole(whole, problem.plan, problem.plan.auction, problem.found.minima, run);
  run.count("bids", state.counts.bids);
  run.count("reduced_rows", state.counts.reduced_rows);
  run.count("row_reductions", state.counts.row_reductions);
  run.count("paths", state.counts.paths);
  run.count("row_scans", state.counts.row_scans);
  violator = std::move(state.violator);
  return feasible ? write(whole) : Outcome::infeasible;
}

// ---- a common cost

template <class T, class S>
bool solve_by_common_cost(const CheaperEntries<S>& entries, const DenseTask<S>& task, const Oriented& shape,
                          SignedCosts<S> cost, DenseAnswer<S>& answer, Run& run) {
  Kept<CommonCostPaths<S, T>> kept;
  if (shape.cols > kMostKeptOfLists) kept.drop();
  if (!kept->solve(entries, cost, run)) return false;
  Outcome outcome;
  if constexpr (std::is_integral_v<S>)
    outcome = write_integers(task, shape, *kept, answer);
  else
    outcome = write_reals(task, shape, cost, *kept, answer, run);
  if (outcome != Outcome::optimal) return false;
  if (task.plan.core) {
    count_core(entries.count(), 0, entries.count() == 0, run);
  } else {
    run.count("reduced_rows", kept->counts().reduced_rows);
    run.count("row_scans", shape.rows);
  }
  run.count("bids", kept->counts().bids);
  run.count("row_reductions", kept->counts().row_reductions);
  run.count("paths", kept->counts().paths);
  return true;
}

// By the entries that cost less than the rest, if that is what there is. `cost` is in the orientation given,
// and need not have been surveyed; `largest` is of the costs that matter.
template <class S>
bool solve_by_common_cost(const DenseTask<S>& task, const Oriented& shape, SignedCosts<S> cost,
                          DenseAnswer<S>& answer, double& largest, Run& run) {
  if (!task.plan.common_cost || task.initial_col_dual) return false;
  Kept<CheaperEntries<S>> kept;
  if (shape.cols > kMostKeptOfLists) kept.drop();
  if (!kept->find(cost, shape.rows, shape.cols, task.threads, run)) return false;
  largest = kept->largest();
  if constexpr (std::is_integral_v<S>) {
    const double bound = 8.0 * double(shape.rows + 1) * largest;
    if (sizeof(S) == 4 && bound < double(Bounds<int32_t>::largest))
      return solve_by_common_cost<S>(*kept, task, shape, cost, answer, run);
    return bound < double(Bounds<int64_t>::largest) &&
           solve_by_common_cost<int64_t>(*kept, task, shape, cost, answer, run);
  } else {
    return largest <= kLargestAsGiven && solve_by_common_cost<double>(*kept, task, shape, cost, answer, run);
  }
}

// ---- from a task to a problem and back

// The answer of a solver to costs that were made smaller.
template <class P>
struct Unscaled {
  int32_t col_of_row(int64_t row) const { return paths.col_of_row(row); }
  double col_dual(int64_t col) const { return unscale * paths.col_dual(col); }

  const P& paths;
  double unscale;
};

// Costs of type C in sums of T; reals are made smaller by `unscale`, which is a power of two.
template <class C, class T, class S>
Outcome solve_in(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                 const FirstRead<S>& found, double unscale, Run& run) {
  const Oriented shape(task.rows, task.cols);
  Buffer<C> made;
  const SignedCosts<C> cost = oriented_costs<C>(task, shape, made, run, C(1 / unscale));
  Problem<C, T> problem{task.plan, shape.rows, shape.cols, cost, task.threads, {}};
  if constexpr (std::is_same_v<C, S>) {
    double largest;
    if (unscale == 1.0) {
      if (!found.is_varied && solve_by_common_cost(task, shape, cost, answer, largest, run))
        return Outcome::optimal;
      problem.found = found;
      if constexpr (std::is_integral_v<S>)
        if (!(found.largest < double(Bounds<S>::largest))) problem.found.core = nullptr;
    }
  }
  // The duals of the longer side.
  const DualOf<S>* initial = shape.transposed ? task.initial_row_dual : task.initial_col_dual;
  const auto start = [&](DenseState<C, T>& state) {
    for (int64_t j = 0; initial && j < shape.cols; ++j) {
      T dual = std::is_integral_v<S> ? T(initial[j]) : T(double(initial[j]) / unscale);
      if (task.maximize) dual = -dual;
      state.col_dual[j] = shape.rows < shape.cols ? std::min(dual, T(0)) : dual;
    }
    return initial != nullptr;
  };
  const auto write = [&]<class P>(const P& paths) {
    if constexpr (std::is_integral_v<S>) {
      return write_integers(task, shape, paths, answer);
    } else {
      if (unscale == 1.0) return write_reals(task, shape, cost, paths, answer, run);
      Buffer<S> unscaled;  // what is proved are the costs as they were given
      return write_reals(task, shape, oriented_costs<S>(task, shape, unscaled, run),
                         Unscaled<P>{paths, unscale}, answer, run);
    }
  };
  if (task.plan.core && !initial) return solve_by_core(problem, violator, write, run);
  return solve_by_matrix(problem, violator, start, write, run);
}

// As lists of all entries, where 64 bits may not hold sums: slow, and with the smallest duals.
template <class S>
Outcome solve_as_lists(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                       double largest, Run& run) {
  const Oriented shape(task.rows, task.cols);
  const int64_t sign = task.maximize ? -1 : 1, entries = shape.rows * shape.cols;
  std::vector<int64_t> start, cost(entries), col_of_row(shape.rows), initial;
  std::vector<int32_t> col(entries);
  for (int64_t i = 0; i <= shape.rows; ++i) start.push_back(i * shape.cols);
  for (int64_t e = 0; e < entries; ++e) {
    const int64_t i = e / shape.cols, j = e % shape.cols;
    col[e] = int32_t(j);
    cost[e] = sign * int64_t(task.cost[shape.transposed ? j * task.cols + i : e]);
  }
  SparseTask<int64_t> lists{
      {shape.rows, shape.cols, start.data(), col.data(), cost.data()}, largest, nullptr};
  if (const int64_t* const given = shape.transposed ? task.initial_row_dual : task.initial_col_dual) {
    for (int64_t j = 0; j < shape.cols; ++j) initial.push_back(sign * given[j]);
    lists.initial_col_dual = initial.data();
  }
  SparseAnswer<int64_t> found{col_of_row.data(), shape.transposed ? answer.col_dual : answer.row_dual,
                              shape.transposed ? answer.row_dual : answer.col_dual};
  const Outcome outcome = sparse_jv(lists, found, violator, run);
  if (outcome != Outcome::optimal) return outcome;
  for (int64_t i = 0; i < task.rows; ++i) answer.row_dual[i] *= sign;
  for (int64_t j = 0; j < task.cols; ++j) answer.col_dual[j] *= sign;
  write_pairs(task, shape, std::vector<int32_t>(col_of_row.begin(), col_of_row.end()), answer);
  return outcome;
}

// Every sum of a solve is below this many times the largest |cost| (and |initial dual|): duals and path
// lengths are sums of at most 2 * rows costs, and a scan adds up three of them.
template <class S>
double sums_bound(const DenseTask<S>& task, double largest) {
  if (task.initial_col_dual) {
    for (int64_t i = 0; i < task.rows; ++i)
      largest = std::max(largest, std::abs(double(task.initial_row_dual[i])));
    for (int64_t j = 0; j < task.cols; ++j)
      largest = std::max(largest, std::abs(double(task.initial_col_dual[j])));
  }
  return 8.0 * double(std::min(task.rows, task.cols) + 1) * largest;
}

template <class S>
Outcome solve_surveyed(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                       const FirstRead<S>& found, Run& run) {
  if constexpr (std::is_floating_point_v<S>) {
    // Sums of float64 close to the largest must not overflow; a power of two changes nothing else.
    const double unscale = found.largest > kLargestAsGiven ? 0x1p200 : 1.0;
    return solve_in<S, double>(task, answer, violator, found, unscale, run);
  } else {
    const double bound = sums_bound(task, found.largest);
    const bool fits = bound < double(Bounds<int64_t>::largest);
    if (sizeof(S) == 4 && fits && found.largest < 2147483648.0) {  // so that each has its negative
      if (bound < double(Bounds<int32_t>::largest))
        return solve_in<S, S>(task, answer, violator, found, 1, run);
      return solve_in<S, int64_t>(task, answer, violator, found, 1, run);
    }
    if (fits || (!task.initial_col_dual && found.largest < double(kLargestDual / 4))) {
      // Duals are as a rule far smaller than what they might be.
      try {
        return solve_in<int64_t, int64_t>(task, answer, violator, found, 1, run);
      } catch (const DualsTooLarge&) {
      }
    }
    return solve_as_lists(task, answer, violator, found.largest, run);
  }
}

}  // namespace

// The costs are surveyed by the first stage that reads all of them.
template <class S>
Outcome solve_dense(DenseTask<S> task, DenseAnswer<S>& answer, HallViolator& violator, CostSurvey& seen,
                    Run& run) {
  run.report(0, std::min(task.rows, task.cols));
  if (task.plan.scale_ratio > 0 && scales_differ(task.cost, task.rows, task.cols, task.plan.scale_ratio))
    task.plan.reduces = true;
  const DensePlan& plan = task.plan;
  const bool reads_as_given = task.rows <= task.cols && !task.initial_col_dual;
  const SignedCosts<S> cost(task.cost, task.maximize);
  FirstRead<S> found;
  if (reads_as_given) {
    found.is_varied = true;
    if (solve_by_common_cost(task, Oriented(task.rows, task.cols), cost, answer, seen.largest, run))
      return Outcome::optimal;
  }
  FirstCore<S, NarrowSums<S>> core(task.rows, task.cols, cost);
  Kept<ColumnMinima<S>> minima;
  if (task.cols > kMostKept) minima.drop();
  std::optional<double> largest;
  if (reads_as_given && plan.core && !plan.reduces) {
    core.choose(task.threads, &seen, task.maximize, run);
    found.core = &core;
  } else if (reads_as_given && task.rows == task.cols) {
    minima->find(cost, task.rows, task.cols, run);
    found.minima = &*minima;
    largest = minima->largest();
  }
  if (largest)
    seen.largest = *largest;
  else if (!found.core)
    seen = survey_costs(task.cost, task.rows * task.cols, task.maximize, task.threads, run);
  if (seen.is_bad()) return Outcome::infeasible;
  found.largest = seen.largest;
  return solve_surveyed(task, answer, violator, found, run);
}

#define KONIG_INSTANTIATE(S) \
  template Outcome solve_dense(DenseTask<S>, DenseAnswer<S>&, HallViolator&, CostSurvey&, Run&);
KONIG_INSTANTIATE(int32_t)
KONIG_INSTANTIATE(int64_t)
KONIG_INSTANTIATE(float)
KONIG_INSTANTIATE(double)

}  // namespace konig
