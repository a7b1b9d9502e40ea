// The methods `jv`, `auction` and `core`: a dense task made ready for its solver, and the duals made ready
// for their proof.
//
// Ready means: minimise, no more rows than columns, sums that cannot overflow. Integers are summed in the
// narrowest of 32, 64 and 128 bits that holds every sum. Reals are summed in float64; if their duals then
// break the promise of the contract (n units in the last place of the largest |cost|), which takes duals
// much larger than the costs, the problem is solved again in integers that carry nine bits more than a
// float64, without any rounding.
#include <cmath>
#include <memory>
#include <vector>

#include "multicore/assignment/core_and_prices.h"
#include "multicore/assignment/dense_orientation.h"
#include "multicore/assignment/first_core.h"
#include "multicore/assignment/survey_on_threads.h"
#include "sequential/assignment/dense_task.h"
#include "sequential/assignment/duals.h"

namespace konig {
namespace {

// A core that was chosen while the costs were surveyed, in the narrowest type that might hold them.
template <class S>
struct Chosen {
  using Value = std::conditional_t<std::is_integral_v<S>, S, double>;
  explicit Chosen(const DenseTask<S>& task) : core(task.rows, task.cols, task.cost) {}
  FirstCore<S, Value> core;
  bool worth = false;
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

template <class S, class T>
void count(const ShortestAugmentingPaths<S, T>& paths, Run& run) {
  run.count("bids", paths.counts().bids);
  run.count("reduced_rows", paths.counts().reduced_rows);
  run.count("row_reductions", paths.counts().row_reductions);
  run.count("paths", paths.counts().paths);
  run.count("row_scans", paths.counts().row_scans);
}

// The pairs in the caller's orientation, and the sum of their costs.
template <class S, class P>
void write_pairs(const DenseTask<S>& task, const Oriented& shape, const P& paths, DenseAnswer<S>& answer) {
  int64_t k = 0;
  for (int64_t i = 0; i < task.rows; ++i) {
    const int32_t j = shape.transposed ? paths.row_of_col(i) : paths.col_of_row(i);
    if (j < 0) continue;
    answer.row_ind[k] = i;
    answer.col_ind[k++] = j;
  }
  Total<S> total;
  for (int64_t p = 0; p < k; ++p) total.add(task.cost[answer.row_ind[p] * task.cols + answer.col_ind[p]]);
  answer.total = total.value();
}

// ---- integers

template <class T, class S, class P>
Outcome write_integers(const DenseTask<S>& task, const Oriented& shape, const P& paths,
                       DenseAnswer<S>& answer) {
  int128 shift = 0;
  if (sizeof(T) > 8 && !fitting_shift(paths, shape.rows, shape.cols, shift)) return Outcome::duals_too_large;
  int64_t* short_side = shape.transposed ? answer.col_dual : answer.row_dual;
  int64_t* long_side = shape.transposed ? answer.row_dual : answer.col_dual;
  const T sign = task.maximize ? -1 : 1;
  for (int64_t i = 0; i < shape.rows; ++i) short_side[i] = int64_t(sign * (paths.row_dual(i) + T(shift)));
  for (int64_t j = 0; j < shape.cols; ++j) long_side[j] = int64_t(sign * (paths.col_dual(j) - T(shift)));
  write_pairs(task, shape, paths, answer);
  return Outcome::optimal;
}

template <class C, class T, class S>
Outcome solve_integers(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                       Chosen<S>* chosen, Run& run) {
  const Oriented shape(task.rows, task.cols);
  Buffer<C> made;
  const C* cost = oriented_costs<C>(task, shape, made, run);
  if constexpr (sizeof(T) <= 8) {
    if (task.method == DenseMethod::core && !task.initial_col_dual) {
      CoreAndPrices<C, T> core;
      core.prepare(shape.rows, shape.cols, cost, task.threads, T(0));
      if constexpr (std::is_same_v<C, S>)
        if (chosen && task.largest < double(Bounds<S>::largest)) core.adopt(chosen->core, chosen->worth);
      const bool feasible = core.solve(run);
      core.count(run);
      violator = std::move(core.violator);
      return feasible ? write_integers<T>(task, shape, core, answer) : Outcome::infeasible;
    }
  }
  ShortestAugmentingPaths<C, T> paths;
  paths.prepare(shape.rows, shape.cols, cost);
  const bool feasible = solve_oriented<T>(task, shape, paths, 1.0, run);
  count(paths, run);
  violator = std::move(paths.violator);
  return feasible ? write_integers<T>(task, shape, paths, answer) : Outcome::infeasible;
}

Outcome solve_task(const DenseTask<int32_t>& task, DenseAnswer<int32_t>& answer, HallViolator& violator,
                   Chosen<int32_t>* chosen, Run& run) {
  const double bound = sums_bound(task, std::min(task.rows, task.cols));
  if (bound < double(Bounds<int32_t>::largest))
    return solve_integers<int32_t, int32_t>(task, answer, violator, chosen, run);
  if (bound < double(Bounds<int64_t>::largest) && task.largest < 2147483648.0)
    return solve_integers<int32_t, int64_t>(task, answer, violator, chosen, run);
  return solve_integers<int64_t, int128>(task, answer, violator, chosen, run);
}

Outcome solve_task(const DenseTask<int64_t>& task, DenseAnswer<int64_t>& answer, HallViolator& violator,
                   Chosen<int64_t>* chosen, Run& run) {
  const double bound = sums_bound(task, std::min(task.rows, task.cols));
  if (bound < double(Bounds<int64_t>::largest))
    return solve_integers<int64_t, int64_t>(task, answer, violator, chosen, run);
  return solve_integers<int64_t, int128>(task, answer, violator, chosen, run);
}

// ---- reals

// What a pair may undercut its duals by.
template <class S>
double allowance(const DenseTask<S>& task, const Oriented& shape, double unscale) {
  return double(shape.cols) * unit_in_last_place(S(task.largest / unscale));
}

// How far a row's column may be from the row's smallest slack by rounding alone, where that is known.
template <class S>
double rounding_of(const ShortestAugmentingPaths<S, double>& paths, int64_t row, double largest,
                   double largest_dual) {
  return 0x1p-53 * (paths.rounding(row, largest, largest_dual) + largest + largest_dual);
}
template <class P>
double rounding_of(const P&, int64_t, double, double) {
  return std::numeric_limits<double>::infinity();
}

// Writes the duals, and says whether they keep the promise. Rows for which rounding alone might have broken
// it are scanned in float64; if the costs have been compared with the duals before, up to half of what is
// allowed, only rounding is looked at.
template <class S, class P, class D>
bool write_real_duals(const DenseTask<S>& task, const Oriented& shape, const S* cost, const P& paths,
                      const D& col_dual, bool priced, double unscale, DenseAnswer<S>& answer, Run& run) {
  const DenseScans<S, double>& scans = dense_scans<S, double>();
  std::vector<double> dual(shape.cols);
  double largest_dual = 0;
  for (int64_t j = 0; j < shape.cols; ++j) {
    dual[j] = col_dual(j);
    largest_dual = std::max(largest_dual, std::abs(dual[j]));
  }
  const double largest = task.largest / unscale;
  const double sign = task.maximize ? -unscale : unscale;
  double* short_side = shape.transposed ? answer.col_dual : answer.row_dual;
  double* long_side = shape.transposed ? answer.row_dual : answer.col_dual;
  const double allowed = allowance(task, shape, unscale);
  bool kept = true;
  for (int64_t i = 0; i < shape.rows; ++i) {
    const S* row = cost + i * shape.cols;
    const int32_t j = paths.col_of_row(i);
    const double held = double(row[j]) - dual[j];
    short_side[i] = held == 0 ? 0 : sign * held;
    kept = kept && std::isfinite(short_side[i]);
    if (rounding_of(paths, i, largest, largest_dual) <= allowed) continue;
    const double least = priced ? held - allowed / 2 : scans.smallest(row, dual.data(), shape.cols);
    kept = kept && within(allowed, held, least);
    run.spend(shape.cols / 4 + 1);
  }
  for (int64_t j = 0; j < shape.cols; ++j) {
    long_side[j] = dual[j] == 0 ? 0 : sign * dual[j];
    kept = kept && std::isfinite(long_side[j]);
  }
  return kept;
}

// In integers that carry nine bits more than a float64, without any rounding.
template <class S>
Outcome solve_in_grid(const DenseTask<S>& task, const Oriented& shape, const S* cost, double unscale,
                      DenseAnswer<S>& answer, Run& run) {
  const int exponent = 61 - std::ilogb(task.largest / unscale);
  const std::vector<int64_t> integers = in_grid(cost, shape.rows * shape.cols, exponent);
  ShortestAugmentingPaths<int64_t, int128> exact;
  exact.prepare(shape.rows, shape.cols, integers.data());
  exact.solve(run);
  const int128 shift = shape.rows == shape.cols ? middle_of_duals(exact, shape.rows) : 0;
  const auto col_dual = [&](int64_t j) { return std::ldexp(double(exact.col_dual(j) - shift), -exponent); };
  write_real_duals(task, shape, cost, exact, col_dual, false, unscale, answer, run);
  write_pairs(task, shape, exact, answer);
  return all_finite(answer.row_dual, task.rows) && all_finite(answer.col_dual, task.cols)
             ? Outcome::optimal
             : Outcome::duals_too_large;
}

template <class S, class P>
Outcome write_reals(const DenseTask<S>& task, const Oriented& shape, const S* cost, const P& paths,
                    bool priced, double unscale, DenseAnswer<S>& answer, Run& run) {
  const auto col_dual = [&](int64_t j) { return paths.col_dual(j); };
  const bool kept = write_real_duals(task, shape, cost, paths, col_dual, priced, unscale, answer, run);
  run.count("exact_solves", int64_t(!kept));
  if (!kept) return solve_in_grid(task, shape, cost, unscale, answer, run);
  write_pairs(task, shape, paths, answer);
  return Outcome::optimal;
}

template <class S>
Outcome solve_reals(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                    Chosen<S>* chosen, Run& run) {
  const Oriented shape(task.rows, task.cols);
  // Sums of float64 close to the largest must not overflow; a power of two changes nothing else.
  const double unscale = task.largest > 0x1p900 ? 0x1p200 : 1.0;
  Buffer<S> made;
  const S* cost = oriented_costs<S>(task, shape, made, run, S(1 / unscale));
  if (task.method == DenseMethod::core && !task.initial_col_dual) {
    CoreAndPrices<S, double> core;
    core.prepare(shape.rows, shape.cols, cost, task.threads, allowance(task, shape, unscale) / 2);
    if (chosen && unscale == 1.0) core.adopt(chosen->core, chosen->worth);
    const bool feasible = core.solve(run);
    core.count(run);
    violator = std::move(core.violator);
    if (!feasible) return Outcome::infeasible;
    return write_reals(task, shape, cost, core, core.priced(), unscale, answer, run);
  }
  ShortestAugmentingPaths<S, double> paths;
  paths.prepare(shape.rows, shape.cols, cost);
  const bool feasible = solve_oriented<double>(task, shape, paths, 1 / unscale, run);
  count(paths, run);
  violator = std::move(paths.violator);
  if (!feasible) return Outcome::infeasible;
  return write_reals(task, shape, cost, paths, false, unscale, answer, run);
}

Outcome solve_task(const DenseTask<float>& task, DenseAnswer<float>& answer, HallViolator& violator,
                   Chosen<float>* chosen, Run& run) {
  return solve_reals(task, answer, violator, chosen, run);
}
Outcome solve_task(const DenseTask<double>& task, DenseAnswer<double>& answer, HallViolator& violator,
                   Chosen<double>* chosen, Run& run) {
  return solve_reals(task, answer, violator, chosen, run);
}

}  // namespace

template <class S>
Outcome solve_dense(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator, Run& run) {
  run.report(0, std::min(task.rows, task.cols));
  return solve_task(task, answer, violator, nullptr, run);
}

template <class S>
Outcome survey_and_solve_dense(DenseTask<S> task, DenseAnswer<S>& answer, HallViolator& violator,
                               CostSurvey& seen, Run& run) {
  run.report(0, std::min(task.rows, task.cols));
  Chosen<S> chosen(task);
  const bool reads_as_given = task.rows <= task.cols && !task.maximize;
  const bool chooses = task.method == DenseMethod::core && !task.initial_col_dual && reads_as_given;
  if (chooses)
    chosen.worth = chosen.core.choose(task.threads, &seen, task.maximize, run);
  else
    seen = survey_on_threads(task.cost, task.rows * task.cols, task.maximize, task.threads, run);
  if (seen.is_bad()) return Outcome::infeasible;
  task.largest = seen.largest;
  return solve_task(task, answer, violator, chooses ? &chosen : nullptr, run);
}

#define KONIG_INSTANTIATE(S)                                                               \
  template Outcome solve_dense(const DenseTask<S>&, DenseAnswer<S>&, HallViolator&, Run&); \
  template Outcome survey_and_solve_dense(DenseTask<S>, DenseAnswer<S>&, HallViolator&, CostSurvey&, Run&);
KONIG_INSTANTIATE(int32_t)
KONIG_INSTANTIATE(int64_t)
KONIG_INSTANTIATE(float)
KONIG_INSTANTIATE(double)

}  // namespace konig
