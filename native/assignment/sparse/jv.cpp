// The method `jv` on sparse costs: chooses sums that cannot overflow, solves,
// and writes duals that prove the answer.
#include "assignment/sparse/task.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "assignment/exact/core.h"
#include "assignment/sparse/augmenting_paths.h"
#include "assignment/sparse/distance_heap.h"
#include "assignment/sparse/real_costs.h"
#include "assignment/sparse/transposed.h"
#include "core/kept.h"

namespace konig {
namespace {

constexpr int64_t kMostKept = 1 << 17;  // columns; 48 bytes each

// From the duals of a warm start if there are some.
template <class T, class S, class Paths>
bool solve(const SparseTask<S>& task, Paths& paths, double divisor, Run& run) {
  if (!task.initial_col_dual) return paths.solve(run);
  const SparseCosts<S>& costs = task.costs;
  for (int64_t j = 0; j < costs.cols; ++j) {
    const auto given = task.initial_col_dual[j];
    T dual = T(given);
    if constexpr (!std::is_integral_v<S>)
      dual = dual_to_start_from(given, divisor, costs.rows, task.largest / divisor);
    paths.set_col_dual(j, costs.rows < costs.cols ? std::min(dual, T(0)) : dual);
  }
  return paths.solve_from_duals(run);
}

template <class S>
int64_t entry_of(const SparseCosts<S>& costs, int64_t row, int32_t col) {
  int64_t entry = costs.start[row];
  while (costs.col[entry] != col) ++entry;
  return entry;
}

// The largest column duals that prove the assignment of a solver and are no larger than given bounds: the
// lengths of shortest paths in the residual graph, where every column starts at its bound and a step from the
// column of a row to another column of the row is as long as the difference of their costs. With the solver's
// duals as potentials no step is negative, and Dijkstra's algorithm finds them. With the largest number of a
// type as the bound, for the column and its row, the result tells whether any duals fit the type.
template <class T, class S, class Paths, class Bound>
std::vector<T> largest_duals(const Paths& paths, const SparseCosts<S>& costs, Bound bound, Run& run) {
  std::vector<T> distance(size_t(costs.cols));  // less the potential
  DistanceHeap<T> heap;
  for (int64_t j = 0; j < costs.cols; ++j) {
    distance[j] = bound(j) - paths.col_dual(j);
    heap.push({distance[j], int32_t(j)});
  }
  while (!heap.empty()) {
    const auto [here, j] = heap.top();
    heap.pop();
    const int32_t i = paths.row_of_col(j);
    if (i < 0 || here != distance[j]) continue;
    const T paid = paths.row_dual(i);
    for (int64_t e = costs.start[i]; e < costs.start[i + 1]; ++e) {
      const int32_t other = costs.col[e];
      const T through = here + (T(costs.cost[e]) - paths.col_dual(other) - paid);
      if (!(through < distance[other])) continue;
      distance[other] = through;
      heap.push({through, other});
    }
    run.spend(costs.start[i + 1] - costs.start[i] + 1);
  }
  for (int64_t j = 0; j < costs.cols; ++j) distance[j] += paths.col_dual(j);
  return distance;
}

// The assignment of a solver with other duals.
template <class Paths>
struct OtherDuals {
  int32_t col_of_row(int64_t row) const { return paths.col_of_row(row); }
  int128 col_dual(int64_t col) const { return dual[col]; }
  int128 row_dual(int64_t row) const { return int128(held(row)) - dual[col_of_row(row)]; }
  int128 held(int64_t row) const { return paths.held(row); }

  const Paths& paths;
  const std::vector<int128> dual;
};

// False if duals do not fit into 64 bits.
template <class S, class Paths>
bool write_integers(const SparseCosts<S>& costs, const Paths& paths, SparseAnswer<S>& answer) {
  const int128 most = std::numeric_limits<int64_t>::max();
  const auto write = [&](int128 dual, int64_t& to) {
    to = int64_t(dual);
    return dual <= most && dual >= -most;
  };
  for (int64_t i = 0; i < costs.rows; ++i) {
    answer.col_of_row[i] = paths.col_of_row(i);
    if (!write(paths.row_dual(i), answer.row_dual[i])) return false;
  }
  for (int64_t j = 0; j < costs.cols; ++j)
    if (!write(paths.col_dual(j), answer.col_dual[j])) return false;
  answer.total = total_of<S>(costs.rows, [&](int64_t i) { return paths.held(i); });
  return true;
}

template <class T, class S>
Outcome solve_integers(const SparseTask<S>& task, SparseAnswer<S>& answer, HallViolator& violator, Run& run) {
  const auto& costs = task.costs;
  run.report(0, costs.rows);
  Kept<SparseAugmentingPaths<S, T>> kept;
  if (costs.cols > kMostKept) kept.drop();
  auto& paths = *kept;
  paths.prepare(costs);
  const bool feasible = solve<T>(task, paths, 1.0, run);
  paths.counts().report(run);
  if (!feasible) {
    violator = std::move(paths.violator());
    return Outcome::infeasible;
  }
  if (write_integers(costs, paths, answer)) return Outcome::optimal;
  const auto bound = [&](int64_t j) {
    if (costs.rows < costs.cols) return int128(0);
    const int128 largest = std::numeric_limits<int64_t>::max();  // of the column's dual, and of its row's
    return std::min(largest, int128(paths.row_dual(paths.row_of_col(j))) + paths.col_dual(j) + largest);
  };
  const OtherDuals fitting{paths, largest_duals<int128>(paths, costs, bound, run)};
  return write_integers(costs, fitting, answer) ? Outcome::optimal : Outcome::duals_too_large;
}

// `paths` has solved the costs, divided by `divisor`, and knows those of its pairs.
template <class S>
class SolvedRealCosts : public ListedRealCosts<S> {
 public:
  using Paths = SparseAugmentingPaths<S, double>;
  SolvedRealCosts(const SparseCosts<S>& costs, const Paths& paths, double divisor)
      : ListedRealCosts<S>(costs, false), paths_(paths), is_divided_(divisor != 1.0) {}

  double cost_of(int64_t row, int32_t col) const {
    if (!is_divided_ && col == paths_.col_of_row(row)) return paths_.held(row);
    return double(this->costs_.cost[entry_of(this->costs_, row, col)]);
  }

  void find_costs(const int32_t* col_of_row, double* cost) const override {
    for (int64_t i = 0; i < this->rows; ++i) cost[i] = cost_of(i, col_of_row[i]);
  }

 private:
  const Paths& paths_;
  const bool is_divided_;
};

// A copy of lists without forbidden pairs, the costs divided by a power of two.
template <class S>
struct OwnLists {
  OwnLists(const SparseCosts<S>& given, double divisor) : rows(given.rows), cols(given.cols), start(1, 0) {
    for (int64_t i = 0; i < given.rows; ++i) {
      for (int64_t e = given.start[i]; e < given.start[i + 1]; ++e) {
        if (std::isinf(given.cost[e])) continue;
        col.push_back(given.col[e]);
        cost.push_back(S(double(given.cost[e]) / divisor));
      }
      start.push_back(int64_t(col.size()));
    }
  }
  SparseCosts<S> costs() const { return {rows, cols, start.data(), col.data(), cost.data()}; }

  int64_t rows, cols;
  std::vector<int64_t> start;
  std::vector<int32_t> col;
  std::vector<S> cost;
};

template <class S>
Outcome solve_allowed(const SparseTask<S>& task, SparseAnswer<S>& answer, HallViolator& violator, Run& run) {
  const SparseCosts<S>& given = task.costs;
  // What is proved are the costs as they were given.
  const double divisor = divisor_of_reals(task.largest);
  std::optional<OwnLists<S>> scaled;
  if (divisor != 1.0) scaled.emplace(given, divisor);
  Kept<SparseAugmentingPaths<S, double>> kept;
  if (given.cols > kMostKept) kept.drop();
  auto& paths = *kept;
  paths.prepare(scaled ? scaled->costs() : given);
  const bool feasible = solve<double>(task, paths, divisor, run);
  paths.counts().report(run);
  if (!feasible) {
    violator = std::move(paths.violator());
    return Outcome::infeasible;
  }
  if (!task.is_proved) {
    for (int64_t i = 0; i < given.rows; ++i) answer.col_of_row[i] = paths.col_of_row(i);
    for (int64_t j = 0; j < given.cols; ++j) answer.col_dual[j] = divisor * paths.col_dual(j);
    return Outcome::optimal;
  }
  const SolvedRealCosts<S> costs(given, paths, divisor);
  std::vector<int32_t> col_of_row;
  if (!prove_answer(costs, paths, divisor, col_of_row, answer.row_dual, answer.col_dual, answer.gap, run))
    return Outcome::duals_too_large;
  std::copy(col_of_row.begin(), col_of_row.end(), answer.col_of_row);
  answer.total = total_of<S>(given.rows, [&](int64_t i) { return costs.cost_of(i, col_of_row[i]); });
  return Outcome::optimal;
}

template <class S>
Outcome solve_reals(const SparseTask<S>& task, SparseAnswer<S>& answer, HallViolator& violator, Run& run) {
  const SparseCosts<S>& given = task.costs;
  run.report(0, given.rows);
  const S* const end = given.cost + given.start[given.rows];
  if (std::none_of(given.cost, end, [](S cost) { return std::isinf(cost); }))
    return solve_allowed(task, answer, violator, run);
  const OwnLists<S> allowed(given, 1.0);
  SparseTask<S> without = task;
  without.costs = allowed.costs();
  return solve_allowed(without, answer, violator, run);
}

template <class S>
Outcome solve_as_listed(const SparseTask<S>& task, SparseAnswer<S>& answer, HallViolator& violator,
                        Run& run) {
  if constexpr (std::is_integral_v<S>) {
    double largest = task.largest;
    if (task.initial_col_dual)
      for (int64_t j = 0; j < task.costs.cols; ++j)
        largest = std::max(largest, std::abs(double(task.initial_col_dual[j])));
    if (sizeof(S) < 8 || holds_sums<int64_t>(task.costs.rows, largest))
      return solve_integers<int64_t>(task, answer, violator, run);
    return solve_integers<int128>(task, answer, violator, run);
  } else {
    return solve_reals(task, answer, violator, run);
  }
}

// Whether most rows that have one entry have the dearest of its column: it is a last resort, as where each
// row has a way out at a price.
template <class S>
bool are_last_resorts(const SparseCosts<S>& costs) {
  constexpr S kNone = std::numeric_limits<S>::lowest();
  std::vector<S> others(size_t(costs.cols), kNone);  // the dearest entry of other rows
  int64_t rows = 0, dearest = 0;
  for (int64_t i = 0; i < costs.rows; ++i) {
    if (costs.start[i + 1] - costs.start[i] == 1) continue;
    for (int64_t e = costs.start[i]; e < costs.start[i + 1]; ++e)
      others[costs.col[e]] = std::max(others[costs.col[e]], costs.cost[e]);
  }
  for (int64_t i = 0; i < costs.rows; ++i) {
    const int64_t e = costs.start[i];
    if (costs.start[i + 1] - e != 1) continue;
    ++rows;
    dearest += costs.cost[e] > others[costs.col[e]];
  }
  return 4 * dearest > 3 * rows;
}

// Columns with one entry force their rows (forced_rows.h). Where more than twice as many rows as columns of a
// square have one entry, the transpose may be solved. With one row in ten or more, random graphs, popular
// columns and expensive diagonals gain 1.4 to 4 x. With fewer of them, down to one in kOneRowIn, large
// squares gain 1.5 to 2.4 x, and small ones, for which copying the transpose matters, lose 1.2 to 1.7 x.
// Where a single entry is a last resort, the few rows around it that have too few other columns are found by
// short searches, and those of the transpose lead through all others: they take 1.1 to 14 x as long.
template <class S>
bool forces_columns(const SparseCosts<S>& costs) {
  constexpr int64_t kOneRowIn = 128, kLarge = 4096;
  int64_t rows = 0, cols = 0;
  for (int64_t i = 0; i < costs.rows; ++i) rows += costs.start[i + 1] - costs.start[i] == 1;
  const bool are_many = 10 * rows >= costs.rows;
  if (costs.rows != costs.cols || rows == 0) return false;
  if (!are_many && (kOneRowIn * rows < costs.rows || costs.rows < kLarge)) return false;
  std::vector<int32_t> degree(size_t(costs.cols), 0);
  for (int64_t e = 0; e < costs.start[costs.rows]; ++e) ++degree[costs.col[e]];
  for (const int32_t entries : degree) cols += entries == 1;
  return rows > 2 * cols && (are_many || !are_last_resorts(costs));
}

template <class S>
Outcome solve_transposed(const SparseTask<S>& task, SparseAnswer<S>& answer, HallViolator& violator,
                         Run& run) {
  const TransposedCosts<S> transposed(task.costs);
  std::vector<int64_t> row_of_col(size_t(task.costs.cols));
  SparseAnswer<S> turned{row_of_col.data(), answer.col_dual, answer.row_dual};
  const Outcome outcome =
      solve_as_listed<S>({transposed.costs(), task.largest, nullptr}, turned, violator, run);
  std::swap(violator.rows, violator.cols);
  answer.total = turned.total;
  answer.gap = turned.gap;
  if (outcome == Outcome::optimal)
    for (int64_t j = 0; j < task.costs.cols; ++j) answer.col_of_row[row_of_col[j]] = j;
  return outcome;
}

}  // namespace

template <class S>
Outcome sparse_jv(const SparseTask<S>& task, SparseAnswer<S>& answer, HallViolator& violator, Run& run) {
  const bool transposes = !task.initial_col_dual && forces_columns(task.costs);
  return transposes ? solve_transposed(task, answer, violator, run)
                    : solve_as_listed(task, answer, violator, run);
}

#define KONIG_INSTANTIATE(S) \
  template Outcome sparse_jv(const SparseTask<S>&, SparseAnswer<S>&, HallViolator&, Run&);
KONIG_FOR_EACH_COST(KONIG_INSTANTIATE)

}  // namespace konig
