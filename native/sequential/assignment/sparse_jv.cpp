// The method `jv` on sparse costs: sums that cannot overflow, and duals that keep their promise, as in
// multicore/assignment/solve_dense.cpp.
#include "sequential/assignment/sparse_task.h"

#include <cmath>
#include <vector>

#include "sequential/assignment/sparse_augmenting_paths.h"

namespace konig {
namespace {

template <class T, class S, class P>
bool solve(const SparseTask<S>& task, P& paths, double scale, Run& run) {
  if (!task.initial_col_dual) return paths.solve(run);
  const SparseCosts<S>& costs = task.costs;
  for (int64_t j = 0; j < costs.cols; ++j) {
    const T dual =
        std::is_integral_v<S> ? T(task.initial_col_dual[j]) : T(double(task.initial_col_dual[j]) * scale);
    paths.set_col_dual(j, costs.rows < costs.cols ? std::min(dual, T(0)) : dual);
  }
  return paths.solve_from_duals(run);
}

template <class P>
void count(const P& paths, Run& run) {
  run.count("bids", paths.counts().bids);
  run.count("reduced_rows", paths.counts().reduced_rows);
  run.count("row_reductions", paths.counts().row_reductions);
  run.count("phases", paths.counts().phases);
  run.count("two_sided_paths", paths.counts().two_sided_paths);
  run.count("paths", paths.counts().paths);
  run.count("entry_scans", paths.counts().entry_scans);
}

template <class S, class P>
void write_pairs(const SparseCosts<S>& costs, const P& paths, SparseAnswer<S>& answer) {
  Total<S> total;
  for (int64_t i = 0; i < costs.rows; ++i) {
    const int32_t j = paths.col_of_row(i);
    answer.col_of_row[i] = j;
    for (int64_t e = costs.start[i]; e < costs.start[i + 1]; ++e)
      if (costs.col[e] == j) total.add(costs.cost[e]);
  }
  answer.total = total.value();
}

template <class T, class S>
Outcome solve_integers(const SparseTask<S>& task, SparseAnswer<S>& answer, HallViolator& violator, Run& run) {
  const auto& costs = task.costs;
  run.report(0, costs.rows);
  SparseAugmentingPaths<S, T> paths;
  paths.prepare(costs);
  const bool feasible = solve<T>(task, paths, 1.0, run);
  count(paths, run);
  if (!feasible) {
    violator = std::move(paths.violator());
    return Outcome::infeasible;
  }
  int128 shift = 0;
  if (sizeof(T) > 8 && !fitting_shift(paths, costs.rows, costs.cols, shift)) return Outcome::duals_too_large;
  for (int64_t i = 0; i < costs.rows; ++i) answer.row_dual[i] = int64_t(paths.row_dual(i) + shift);
  for (int64_t j = 0; j < costs.cols; ++j) answer.col_dual[j] = int64_t(paths.col_dual(j) - shift);
  write_pairs(costs, paths, answer);
  return Outcome::optimal;
}

// Writes the duals, and says whether they keep the promise.
template <class S, class P, class D>
bool write_real_duals(const SparseTask<S>& task, const S* cost, const P& paths, const D& col_dual,
                      double unscale, SparseAnswer<S>& answer, Run& run) {
  const auto& costs = task.costs;
  for (int64_t j = 0; j < costs.cols; ++j) answer.col_dual[j] = col_dual(j);
  const double allowed = double(costs.cols) * unit_in_last_place(S(task.largest / unscale));
  bool kept = true;
  for (int64_t i = 0; i < costs.rows; ++i) {
    double held = 0, least = Bounds<double>::infinity;
    for (int64_t e = costs.start[i]; e < costs.start[i + 1]; ++e) {
      const double slack = double(cost[e]) - answer.col_dual[costs.col[e]];
      if (costs.col[e] == paths.col_of_row(i)) held = slack;
      if (slack < least) least = slack;
    }
    kept = kept && within(allowed, held, least);
    answer.row_dual[i] = unscale * held;
    run.spend(costs.start[i + 1] - costs.start[i] + 1);
  }
  for (int64_t j = 0; j < costs.cols; ++j) answer.col_dual[j] *= unscale;
  return kept && all_finite(answer.row_dual, costs.rows) && all_finite(answer.col_dual, costs.cols);
}

template <class S>
Outcome solve_reals(const SparseTask<S>& task, SparseAnswer<S>& answer, HallViolator& violator, Run& run) {
  const auto& given = task.costs;
  run.report(0, given.rows);
  const int64_t entries = given.start[given.rows];
  // Sums close to the largest float64 must not overflow; a power of two changes nothing else.
  const double unscale = task.largest > 0x1p900 ? 0x1p200 : 1.0;
  std::vector<S> scaled;
  SparseCosts<S> costs = given;
  if (unscale != 1.0) {
    scaled.assign(given.cost, given.cost + entries);
    for (S& cost : scaled) cost = S(double(cost) / unscale);
    costs.cost = scaled.data();
  }
  SparseAugmentingPaths<S, double> paths;
  paths.prepare(costs);
  const bool feasible = solve<double>(task, paths, 1 / unscale, run);
  count(paths, run);
  if (!feasible) {
    violator = std::move(paths.violator());
    return Outcome::infeasible;
  }
  const bool kept = write_real_duals(
      task, costs.cost, paths, [&](int64_t j) { return paths.col_dual(j); }, unscale, answer, run);
  run.count("exact_solves", int64_t(!kept));
  if (kept) {
    write_pairs(given, paths, answer);
    return Outcome::optimal;
  }
  const int exponent = 61 - std::ilogb(task.largest / unscale);
  const std::vector<int64_t> integers = in_grid(SignedCosts(costs.cost), entries, exponent);
  SparseAugmentingPaths<int64_t, int128> exact;
  exact.prepare({costs.rows, costs.cols, costs.start, costs.col, integers.data()});
  exact.solve(run);
  const int128 shift = costs.rows == costs.cols ? middle_of_duals(exact, costs.rows) : 0;
  const auto col_dual = [&](int64_t j) { return std::ldexp(double(exact.col_dual(j) - shift), -exponent); };
  write_real_duals(task, costs.cost, exact, col_dual, unscale, answer, run);
  write_pairs(given, exact, answer);
  return all_finite(answer.row_dual, costs.rows) && all_finite(answer.col_dual, costs.cols)
             ? Outcome::optimal
             : Outcome::duals_too_large;
}

}  // namespace

template <class S>
Outcome sparse_jv(const SparseTask<S>& task, SparseAnswer<S>& answer, HallViolator& violator, Run& run) {
  if constexpr (std::is_integral_v<S>) {
    double largest = task.largest;
    if (task.initial_col_dual)
      for (int64_t j = 0; j < task.costs.cols; ++j)
        largest = std::max(largest, std::abs(double(task.initial_col_dual[j])));
    const double bound = 8.0 * double(task.costs.rows + 1) * largest;  // as in solve_dense.cpp
    // The largest 32-bit integer may be a cost, so it cannot stand for a forbidden pair.
    if (sizeof(S) < 8 || bound < double(Bounds<int64_t>::largest))
      return solve_integers<int64_t>(task, answer, violator, run);
    return solve_integers<int128>(task, answer, violator, run);
  } else {
    return solve_reals(task, answer, violator, run);
  }
}

template Outcome sparse_jv(const SparseTask<int32_t>&, SparseAnswer<int32_t>&, HallViolator&, Run&);
template Outcome sparse_jv(const SparseTask<int64_t>&, SparseAnswer<int64_t>&, HallViolator&, Run&);
template Outcome sparse_jv(const SparseTask<float>&, SparseAnswer<float>&, HallViolator&, Run&);
template Outcome sparse_jv(const SparseTask<double>&, SparseAnswer<double>&, HallViolator&, Run&);

}  // namespace konig
