// The method `jv`: a dense task made ready for shortest augmenting paths, and its duals made ready for their
// proof.
//
// Ready means: minimise, no more rows than columns, sums that cannot overflow. Integers are summed in the
// narrowest of 32, 64 and 128 bits that holds every sum. Reals are summed in float64; if their duals then
// break the promise of the contract (n units in the last place of the largest |cost|), which takes duals
// much larger than the costs, the problem is solved again in integers that carry nine bits more than a
// float64, without any rounding.
#include <cmath>
#include <memory>
#include <vector>

#include "sequential/assignment/dense_orientation.h"
#include "sequential/assignment/dense_task.h"

namespace konig {
namespace {

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
  if (!initial) return paths.solve(run);
  for (int64_t j = 0; j < shape.cols; ++j) {
    T dual = std::is_integral_v<S> ? T(initial[j]) : T(double(initial[j]) * scale);
    if (task.maximize) dual = -dual;
    paths.col_dual[j] = shape.rows < shape.cols ? std::min(dual, T(0)) : dual;
  }
  return paths.solve_from_duals(run);
}

template <class P>
void count(const P& paths, Run& run) {
  run.count("reduced_rows", paths.counts().reduced_rows);
  run.count("row_reductions", paths.counts().row_reductions);
  run.count("paths", paths.counts().paths);
  run.count("row_scans", paths.counts().row_scans);
}

// The pairs in the caller's orientation, and the sum of their costs.
template <class S, class P>
void write_pairs(const DenseTask<S>& task, const Oriented& shape, const P& paths, DenseAnswer<S>& answer) {
  int64_t k = 0;
  const auto& col_of_row = shape.transposed ? paths.row_of_col : paths.col_of_row;
  for (int64_t i = 0; i < task.rows; ++i) {
    if (col_of_row[i] < 0) continue;
    answer.row_ind[k] = i;
    answer.col_ind[k++] = col_of_row[i];
  }
  Total<S> total;
  for (int64_t p = 0; p < k; ++p) total.add(task.cost[answer.row_ind[p] * task.cols + answer.col_ind[p]]);
  answer.total = total.value();
}

// ---- integers

template <class T, class P>
bool fits(const P& paths, int64_t rows, T shift) {
  const T most = std::numeric_limits<int64_t>::max();
  const auto beyond = [&](T dual) { return dual > most || dual < -most; };
  for (const T dual : paths.col_dual)
    if (beyond(dual - shift)) return false;
  for (int64_t i = 0; i < rows; ++i)
    if (beyond(paths.row_dual(i) + shift)) return false;
  return true;
}

// What to take from the column duals of a square and add to its row duals so that the largest of all is as
// small as it can be.
template <class P>
int128 middle_of_duals(const P& paths) {
  int128 least = Bounds<int128>::top, most = -Bounds<int128>::top;
  for (size_t i = 0; i < paths.col_of_row.size(); ++i) {
    const int128 row = -paths.row_dual(int64_t(i)), col = paths.col_dual[i];
    least = std::min({least, row, col});
    most = std::max({most, row, col});
  }
  return least + (most - least) / 2;
}

// How far to move the duals so that all of them fit into 64 bits; on a rectangle they cannot be moved.
template <class P>
bool fitting_shift(const P& paths, const Oriented& shape, int128& shift) {
  shift = 0;
  if (fits(paths, shape.rows, shift)) return true;
  if (shape.rows < shape.cols) return false;
  shift = middle_of_duals(paths);
  return fits(paths, shape.rows, shift);
}

template <class C, class T, class S>
Outcome solve_integers(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator, Run& run) {
  const Oriented shape(task.rows, task.cols);
  Buffer<C> made;
  const C* cost = oriented_costs<C>(task, shape, made, run);
  ShortestAugmentingPaths<C, T> paths;
  paths.prepare(shape.rows, shape.cols, cost);
  const bool feasible = solve_oriented<T>(task, shape, paths, 1.0, run);
  count(paths, run);
  if (!feasible) {
    violator = std::move(paths.violator);
    return Outcome::infeasible;
  }
  T shift = 0;
  if constexpr (sizeof(T) > 8)
    if (!fitting_shift(paths, shape, shift)) return Outcome::duals_too_large;
  int64_t* short_side = shape.transposed ? answer.col_dual : answer.row_dual;
  int64_t* long_side = shape.transposed ? answer.row_dual : answer.col_dual;
  const T sign = task.maximize ? -1 : 1;
  for (int64_t i = 0; i < shape.rows; ++i) short_side[i] = int64_t(sign * (paths.row_dual(i) + shift));
  for (int64_t j = 0; j < shape.cols; ++j) long_side[j] = int64_t(sign * (paths.col_dual[j] - shift));
  write_pairs(task, shape, paths, answer);
  return Outcome::optimal;
}

Outcome solve_task(const DenseTask<int32_t>& task, DenseAnswer<int32_t>& answer, HallViolator& violator,
                   Run& run) {
  const double bound = sums_bound(task, std::min(task.rows, task.cols));
  if (bound < double(Bounds<int32_t>::largest))
    return solve_integers<int32_t, int32_t>(task, answer, violator, run);
  if (bound < double(Bounds<int64_t>::largest) && task.largest < 2147483648.0)
    return solve_integers<int32_t, int64_t>(task, answer, violator, run);
  return solve_integers<int64_t, int128>(task, answer, violator, run);
}

Outcome solve_task(const DenseTask<int64_t>& task, DenseAnswer<int64_t>& answer, HallViolator& violator,
                   Run& run) {
  const double bound = sums_bound(task, std::min(task.rows, task.cols));
  if (bound < double(Bounds<int64_t>::largest))
    return solve_integers<int64_t, int64_t>(task, answer, violator, run);
  return solve_integers<int64_t, int128>(task, answer, violator, run);
}

// ---- reals

double unit_in_last_place(double x) {
  return std::nextafter(std::abs(x), Bounds<double>::infinity) - std::abs(x);
}

// Writes the duals, and says whether they keep the promise, by a scan of all costs in float64. A slack is
// rounded by half a unit in its last place, and the difference of two slacks once more.
template <class S, class D>
bool write_real_duals(const DenseTask<S>& task, const Oriented& shape, const S* cost, const D& col_dual,
                      const std::vector<int32_t>& col_of_row, double unscale, DenseAnswer<S>& answer,
                      Run& run) {
  const DenseScans<S, double>& scans = dense_scans<S, double>();
  std::vector<double> dual(shape.cols);
  for (int64_t j = 0; j < shape.cols; ++j) dual[j] = col_dual(j);
  const double sign = task.maximize ? -unscale : unscale;
  double* short_side = shape.transposed ? answer.col_dual : answer.row_dual;
  double* long_side = shape.transposed ? answer.row_dual : answer.col_dual;
  const S top = S(task.largest / unscale);
  const double allowed =
      double(shape.cols) * (double(std::nextafter(top, std::numeric_limits<S>::infinity())) - double(top));
  bool kept = true;
  for (int64_t i = 0; i < shape.rows; ++i) {
    const S* row = cost + i * shape.cols;
    const double held = double(row[col_of_row[i]]) - dual[col_of_row[i]];
    const double least = scans.two_smallest(row, dual.data(), shape.cols).first;
    const double excess = held - least;
    const double rounding = (excess > 0 ? unit_in_last_place(excess) : 0) + unit_in_last_place(least) / 2;
    short_side[i] = held == 0 ? 0 : sign * held;
    kept = kept && excess + rounding <= allowed && unit_in_last_place(held) / 2 <= allowed &&
           std::isfinite(short_side[i]);
    run.spend(shape.cols / 4 + 1);
  }
  for (int64_t j = 0; j < shape.cols; ++j) {
    long_side[j] = dual[j] == 0 ? 0 : sign * dual[j];
    kept = kept && std::isfinite(long_side[j]);
  }
  return kept;
}

template <class S>
bool all_finite(const DenseTask<S>& task, const DenseAnswer<S>& answer) {
  const auto finite = [](double dual) { return std::isfinite(dual); };
  return std::all_of(answer.row_dual, answer.row_dual + task.rows, finite) &&
         std::all_of(answer.col_dual, answer.col_dual + task.cols, finite);
}

// The costs as multiples of a 512th of the last place of the largest: within 2^62.
template <class S>
std::vector<int64_t> in_grid(const S* cost, int64_t count, int exponent) {
  std::vector<int64_t> integers(count);
  for (int64_t k = 0; k < count; ++k)
    integers[k] = std::isinf(cost[k]) ? std::numeric_limits<int64_t>::max()
                                      : std::llround(std::ldexp(double(cost[k]), exponent));
  return integers;
}

template <class S>
Outcome solve_reals(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator, Run& run) {
  const Oriented shape(task.rows, task.cols);
  // Sums of float64 close to the largest must not overflow; a power of two changes nothing else.
  const double unscale = task.largest > 0x1p900 ? 0x1p200 : 1.0;
  Buffer<S> made;
  const S* cost = oriented_costs<S>(task, shape, made, run, S(1 / unscale));
  ShortestAugmentingPaths<S, double> paths;
  paths.prepare(shape.rows, shape.cols, cost);
  const bool feasible = solve_oriented<double>(task, shape, paths, 1 / unscale, run);
  count(paths, run);
  if (!feasible) {
    violator = std::move(paths.violator);
    return Outcome::infeasible;
  }
  const bool kept = write_real_duals(
      task, shape, cost, [&](int64_t j) { return paths.col_dual[j]; }, paths.col_of_row, unscale, answer,
      run);
  run.count("exact_solves", int64_t(!kept));
  if (kept) {
    write_pairs(task, shape, paths, answer);
    return Outcome::optimal;
  }
  const int exponent = 61 - std::ilogb(task.largest / unscale);
  const std::vector<int64_t> integers = in_grid(cost, shape.rows * shape.cols, exponent);
  ShortestAugmentingPaths<int64_t, int128> exact;
  exact.prepare(shape.rows, shape.cols, integers.data());
  exact.solve(run);
  const int128 shift = shape.rows == shape.cols ? middle_of_duals(exact) : 0;
  const auto col_dual = [&](int64_t j) { return std::ldexp(double(exact.col_dual[j] - shift), -exponent); };
  write_real_duals(task, shape, cost, col_dual, exact.col_of_row, unscale, answer, run);
  write_pairs(task, shape, exact, answer);
  return all_finite(task, answer) ? Outcome::optimal : Outcome::duals_too_large;
}

Outcome solve_task(const DenseTask<float>& task, DenseAnswer<float>& answer, HallViolator& violator,
                   Run& run) {
  return solve_reals(task, answer, violator, run);
}
Outcome solve_task(const DenseTask<double>& task, DenseAnswer<double>& answer, HallViolator& violator,
                   Run& run) {
  return solve_reals(task, answer, violator, run);
}

}  // namespace

template <class S>
Outcome jv(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator, Run& run) {
  return solve_task(task, answer, violator, run);
}

template Outcome jv(const DenseTask<int32_t>&, DenseAnswer<int32_t>&, HallViolator&, Run&);
template Outcome jv(const DenseTask<int64_t>&, DenseAnswer<int64_t>&, HallViolator&, Run&);
template Outcome jv(const DenseTask<float>&, DenseAnswer<float>&, HallViolator&, Run&);
template Outcome jv(const DenseTask<double>&, DenseAnswer<double>&, HallViolator&, Run&);

}  // namespace konig
