// The methods `jv`, `auction` and `core`: a dense task made ready for its solver, and the duals made ready
// for their proof.
//
// Ready means: minimise, no more rows than columns, sums that cannot overflow. Integers are summed in the
// narrowest of 32, 64 and 128 bits that holds every sum; where duals might be too large for 64 bits, but need
// not be, these are tried first. Reals are summed in float64; where the duals then prove too little
// (real_proof.h), the answer is repaired without any rounding among the pairs that matter (exact_core.h).
#include <cmath>
#include <limits>
#include <vector>

#include "assignment/core_and_prices.h"
#include "assignment/dense_answers.h"
#include "assignment/dense_orientation.h"
#include "assignment/dense_task.h"
#include "assignment/duals.h"
#include "assignment/first_core.h"
#include "assignment/solve_cheaper_pairs.h"
#include "assignment/sparse/task.h"
#include "assignment/survey_on_threads.h"
#include "core/kept.h"

namespace konig {
namespace {

// A core that was chosen while the costs were surveyed, in the narrowest type that might hold them.
template <class S>
struct Chosen {
  using Value = std::conditional_t<std::is_integral_v<S>, S, double>;
  explicit Chosen(const DenseTask<S>& task) : core(task.rows, task.cols, {task.cost, task.maximize}) {}
  FirstCore<S, Value> core;
  bool worth = false;
};

// What was found while the costs were surveyed. It is about the costs as they are given: of no use where
// those that are solved are others.
template <class S>
struct Looked {
  Chosen<S>* chosen = nullptr;
  const ColumnMinima<S>* minima = nullptr;
  bool is_varied = false;  // a common cost has been looked for
};

// Every sum of a solve is below this many times the largest |cost| (and |initial dual|): duals and path
// lengths are sums of at most 2 * rows costs, and a scan adds up three of them.
template <class S>
double sums_bound(const DenseTask<S>& task, int64_t rows) {
  double largest = task.largest;
  if (task.initial_col_dual) {
    for (int64_t i = 0; i < task.rows; ++i)
      largest = std::max(largest, std::abs(double(task.initial_row_dual[i])));
    for (int64_t j = 0; j < task.cols; ++j)
      largest = std::max(largest, std::abs(double(task.initial_col_dual[j])));
  }
  return 8.0 * double(rows + 1) * largest;
}

// The duals of the longer side start the solve.
template <class T, class S, class P>
bool solve_oriented(const DenseTask<S>& task, const Oriented& shape, P& paths, double scale, Run& run) {
  const DualOf<S>* initial = shape.transposed ? task.initial_row_dual : task.initial_col_dual;
  if (!initial && task.method == DenseMethod::adaptive) return paths.solve_adaptively(run);
  if (!initial && task.method == DenseMethod::auction) return paths.solve_after_auction(run);
  if (!initial) return paths.solve(run);
  for (int64_t j = 0; j < shape.cols; ++j) {
    T dual = std::is_integral_v<S> ? T(initial[j]) : T(double(initial[j]) * scale);
    if (task.maximize) dual = -dual;
    paths.set_col_dual(j, shape.rows < shape.cols ? std::min(dual, T(0)) : dual);
  }
  return paths.solve_from_duals(run);
}

// Whether a task is for its solver to choose how it is solved.
template <class S>
bool is_open(const DenseTask<S>& task) {
  return !task.initial_col_dual && (task.method == DenseMethod::adaptive || task.method == DenseMethod::core);
}

// ---- integers

template <class C, class T, class S>
Outcome solve_integers(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                       const Looked<S>& looked, Run& run) {
  const Oriented shape(task.rows, task.cols);
  Buffer<C> made;
  const SignedCosts<C> cost = oriented_costs<C>(task, shape, sizeof(T) <= 8, made, run);
  if constexpr (std::is_same_v<C, S>) {
    double largest;
    if (is_open(task) && !looked.is_varied && solve_by_cheaper_pairs(task, shape, cost, answer, largest, run))
      return Outcome::optimal;
  }
  if constexpr (sizeof(T) <= 8) {
    if (task.method == DenseMethod::core && !task.initial_col_dual) {
      CoreAndPrices<C, T> core;
      core.prepare(shape.rows, shape.cols, cost, task.threads);
      if constexpr (std::is_same_v<C, S>) {
        if (looked.minima) core.adopt(*looked.minima);
        if (looked.chosen && task.largest < double(Bounds<S>::largest))
          core.adopt(looked.chosen->core, looked.chosen->worth);
      }
      const bool feasible = core.solve(run);
      core.count(run);
      violator = std::move(core.violator);
      return feasible ? write_integers<T>(task, shape, core, answer) : Outcome::infeasible;
    }
  }
  Kept<ShortestAugmentingPaths<C, T>> kept;
  if (shape.cols > kMostKept) kept.drop();
  ShortestAugmentingPaths<C, T>& paths = *kept;
  paths.prepare(shape.rows, shape.cols, cost);
  if constexpr (std::is_same_v<C, S>)
    if (looked.minima) paths.adopt(*looked.minima);
  const bool feasible = solve_oriented<T>(task, shape, paths, 1.0, run);
  count(paths, run);
  violator = std::move(paths.violator);
  return feasible ? write_integers<T>(task, shape, paths, answer) : Outcome::infeasible;
}

Outcome solve_task(const DenseTask<int32_t>& task, DenseAnswer<int32_t>& answer, HallViolator& violator,
                   const Looked<int32_t>& looked, Run& run) {
  const double bound = sums_bound(task, std::min(task.rows, task.cols));
  if (bound < double(Bounds<int32_t>::largest))
    return solve_integers<int32_t, int32_t>(task, answer, violator, looked, run);
  if (bound < double(Bounds<int64_t>::largest) && task.largest < 2147483648.0)
    return solve_integers<int32_t, int64_t>(task, answer, violator, looked, run);
  return solve_integers<int64_t, int128>(task, answer, violator, looked, run);
}

// As lists of all pairs: slow, and with the smallest duals.
template <class S>
Outcome solve_as_lists(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator, Run& run) {
  const Oriented shape(task.rows, task.cols);
  Buffer<int64_t> made;
  const SignedCosts<int64_t> cost = oriented_costs<int64_t>(task, shape, false, made, run);
  std::vector<int64_t> start, col_of_row(size_t(shape.rows));
  for (int64_t i = 0; i <= shape.rows; ++i) start.push_back(i * shape.cols);
  std::vector<int32_t> col(size_t(shape.rows * shape.cols));
  for (size_t e = 0; e < col.size(); ++e) col[e] = int32_t(int64_t(e) % shape.cols);
  const SparseTask<int64_t> lists{
      {shape.rows, shape.cols, start.data(), col.data(), cost.data}, task.largest, nullptr};
  SparseAnswer<int64_t> found{col_of_row.data(), shape.transposed ? answer.col_dual : answer.row_dual,
                              shape.transposed ? answer.row_dual : answer.col_dual};
  const Outcome outcome = sparse_jv(lists, found, violator, run);
  if (outcome != Outcome::optimal) return outcome;
  const int64_t sign = task.maximize ? -1 : 1;
  for (int64_t i = 0; i < task.rows; ++i) answer.row_dual[i] *= sign;
  for (int64_t j = 0; j < task.cols; ++j) answer.col_dual[j] *= sign;
  write_pairs(task, shape, std::vector<int32_t>(col_of_row.begin(), col_of_row.end()), answer);
  return outcome;
}

// Sums in 128 bits; their duals must fit into 64.
template <class S>
Outcome solve_wide(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                   const Looked<S>& looked, Run& run) {
  const Outcome outcome = solve_integers<int64_t, int128>(task, answer, violator, looked, run);
  return outcome == Outcome::duals_too_large ? solve_as_lists(task, answer, violator, run) : outcome;
}

Outcome solve_task(const DenseTask<int64_t>& task, DenseAnswer<int64_t>& answer, HallViolator& violator,
                   const Looked<int64_t>& looked, Run& run) {
  const double bound = sums_bound(task, std::min(task.rows, task.cols));
  // Duals are as a rule far smaller than what they might be.
  const bool may_fit = !task.initial_col_dual && task.largest < double(kLargestDual / 4);
  if (may_fit || bound < double(Bounds<int64_t>::largest)) {
    try {
      return solve_integers<int64_t, int64_t>(task, answer, violator, looked, run);
    } catch (const DualsTooLarge&) {
    }
  }
  return solve_wide(task, answer, violator, looked, run);
}

// ---- reals

// The answer of a solver to costs that were made smaller.
template <class P>
struct Unscaled {
  int32_t col_of_row(int64_t row) const { return paths.col_of_row(row); }
  double col_dual(int64_t col) const { return unscale * paths.col_dual(col); }

  const P& paths;
  double unscale;
};

template <class S>
Outcome solve_reals(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                    const Looked<S>& looked, Run& run) {
  const Oriented shape(task.rows, task.cols);
  // Sums of float64 close to the largest must not overflow; a power of two changes nothing else.
  const double unscale = task.largest > kLargestAsGiven ? 0x1p200 : 1.0;
  Buffer<S> made;
  const SignedCosts<S> cost = oriented_costs<S>(task, shape, true, made, run, S(1 / unscale));
  // What is proved are the costs as they were given.
  const auto write = [&]<class P>(const P& paths) {
    if (unscale == 1.0) return write_reals(task, shape, cost, paths, answer, run);
    Buffer<S> unscaled;
    return write_reals(task, shape, oriented_costs<S>(task, shape, true, unscaled, run),
                       Unscaled<P>{paths, unscale}, answer, run);
  };
  double largest_listed;
  if (is_open(task) && !looked.is_varied && unscale == 1.0 &&
      solve_by_cheaper_pairs(task, shape, cost, answer, largest_listed, run))
    return Outcome::optimal;
  if (task.method == DenseMethod::core && !task.initial_col_dual) {
    CoreAndPrices<S, double> core;
    core.prepare(shape.rows, shape.cols, cost, task.threads);
    if (looked.minima && unscale == 1.0) core.adopt(*looked.minima);
    if (looked.chosen && unscale == 1.0) core.adopt(looked.chosen->core, looked.chosen->worth);
    const bool feasible = core.solve(run);
    core.count(run);
    violator = std::move(core.violator);
    if (!feasible) return Outcome::infeasible;
    return write(core);
  }
  Kept<ShortestAugmentingPaths<S, double>> kept;
  if (shape.cols > kMostKept) kept.drop();
  ShortestAugmentingPaths<S, double>& paths = *kept;
  paths.prepare(shape.rows, shape.cols, cost);
  if (looked.minima && unscale == 1.0) paths.adopt(*looked.minima);
  const bool feasible = solve_oriented<double>(task, shape, paths, 1 / unscale, run);
  count(paths, run);
  violator = std::move(paths.violator);
  if (!feasible) return Outcome::infeasible;
  return write(paths);
}

Outcome solve_task(const DenseTask<float>& task, DenseAnswer<float>& answer, HallViolator& violator,
                   const Looked<float>& looked, Run& run) {
  return solve_reals(task, answer, violator, looked, run);
}
Outcome solve_task(const DenseTask<double>& task, DenseAnswer<double>& answer, HallViolator& violator,
                   const Looked<double>& looked, Run& run) {
  return solve_reals(task, answer, violator, looked, run);
}

}  // namespace

template <class S>
Outcome solve_dense(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator, Run& run) {
  run.report(0, std::min(task.rows, task.cols));
  return solve_task(task, answer, violator, Looked<S>(), run);
}

template <class S>
Outcome survey_and_solve_dense(DenseTask<S> task, DenseAnswer<S>& answer, HallViolator& violator,
                               CostSurvey& seen, Run& run) {
  run.report(0, std::min(task.rows, task.cols));
  const bool is_core = task.method == DenseMethod::core;
  const bool reads_as_given = task.rows <= task.cols && !task.initial_col_dual;
  const SignedCosts<S> cost(task.cost, task.maximize);
  if (reads_as_given && is_open(task) &&
      solve_by_cheaper_pairs(task, Oriented(task.rows, task.cols), cost, answer, seen.largest, run))
    return Outcome::optimal;
  const bool reduces = reads_as_given && (is_core ? is_worth_reducing(cost, task.rows, task.cols)
                                                  : task.method == DenseMethod::adaptive);
  Chosen<S> chosen(task);
  Kept<ColumnMinima<S>> minima;
  if (task.cols > kMostKept) minima.drop();
  Looked<S> looked;
  looked.is_varied = reads_as_given;
  if (reduces && task.rows == task.cols) {
    minima->find(cost, task.rows, task.cols, run);
    looked.minima = &*minima;
  }
  if (is_core && reads_as_given && !reduces) {
    chosen.worth = chosen.core.choose(task.threads, &seen, task.maximize, run);
    looked.chosen = &chosen;
  } else if (looked.minima && minima->is_plain()) {
    seen.largest = double(minima->largest);
  } else {
    seen =
        survey_on_threads(task.cost, task.rows * task.cols, task.maximize, task.threads, run, !looked.minima);
  }
  if (seen.is_bad()) return Outcome::infeasible;
  task.largest = seen.largest;
  return solve_task(task, answer, violator, looked, run);
}

#define KONIG_INSTANTIATE(S)                                                               \
  template Outcome solve_dense(const DenseTask<S>&, DenseAnswer<S>&, HallViolator&, Run&); \
  template Outcome survey_and_solve_dense(DenseTask<S>, DenseAnswer<S>&, HallViolator&, CostSurvey&, Run&);
KONIG_INSTANTIATE(int32_t)
KONIG_INSTANTIATE(int64_t)
KONIG_INSTANTIATE(float)
KONIG_INSTANTIATE(double)

}  // namespace konig
