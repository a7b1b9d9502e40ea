// Dense assignment: the choice of rows or columns to start from, and of the method.
//
// All of them minimise, with no more rows than columns and sums that cannot overflow (dense_sums.h): the
// whole matrix (whole_matrix.h), a sparse core and prices (core.h, price.h), or lists of the entries below a
// common cost (common_cost.h). S is the type that costs are stored in, T that of sums.
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "assignment/answer.h"
#include "assignment/common_cost.h"
#include "assignment/dense_problem.h"
#include "assignment/dense_sums.h"
#include "assignment/extended_square.h"
#include "assignment/first_read.h"
#include "assignment/line_minima.h"
#include "assignment/sums.h"
#include "assignment/task.h"
#include "assignment/turned_rows.h"
#include "core/kept.h"
#include "core/large_array.h"

namespace konig {
namespace {

// With more columns a thread does not keep the memory of lists of entries.
constexpr int64_t kMostKeptOfLists = 1024;

template <class S, class Paths>
Outcome write_answer(const DenseTask<S>& task, const Paths& paths, DenseAnswer<S>& answer, Run& run) {
  if constexpr (std::is_integral_v<S>)
    return write_integers(task, paths, answer);
  else
    return write_reals(task, paths, 1.0, answer, run);
}

// In sums of T. False if the entries do not settle it.
template <class T, class S, class Write>
bool solve_cheaper_entries(const CheaperEntries<S>& entries, const DenseTask<S>& task, const Write& write,
                           Run& run) {
  Kept<CommonCostPaths<S, T>> kept;
  if (task.cols > kMostKeptOfLists) kept.drop();
  if (!kept->solve(entries, task.costs(), run)) return false;
  if (write(*kept) != Outcome::optimal) return false;
  if (task.plan.core) {
    count_core(entries.count(), 0, run);
  } else {
    run.count("reduced_rows", kept->counts().reduced_rows);
    run.count("row_scans", task.rows);
  }
  run.count("bids", kept->counts().bids);
  run.count("row_reductions", kept->counts().row_reductions);
  run.count("paths", kept->counts().paths);
  return true;
}

// By the entries below a common cost; false if there is none, or if they do not settle it. The costs need not
// have been checked; of an answer `largest` is the largest |cost| of those entries and of the common cost.
template <class S, class Write>
bool solve_by_common_cost(const DenseTask<S>& task, const Write& write, double& largest, Run& run) {
  if (!task.plan.common_cost || task.initial_col_dual) return false;
  Kept<CheaperEntries<S>> kept;
  if (task.cols > kMostKeptOfLists) kept.drop();
  if (!kept->find(task.costs(), task.rows, task.cols, task.threads, run)) return false;
  largest = kept->largest();
  if constexpr (std::is_integral_v<S>) {
    if (sizeof(S) == 4 && holds_sums<int32_t>(task.rows, largest))
      return solve_cheaper_entries<S>(*kept, task, write, run);
    return holds_sums<int64_t>(task.rows, largest) && solve_cheaper_entries<int64_t>(*kept, task, write, run);
  } else {
    return divisor_of_reals(largest) == 1.0 && solve_cheaper_entries<double>(*kept, task, write, run);
  }
}

// By the smaller problem, its costs and sums in T.
template <class T, class S>
bool solve_extended(ExtendedSquare<S>& square, const DenseTask<S>& task, DenseAnswer<S>& answer, Run& run) {
  LargeArray<T> costs(size_t(square.rows() * square.cols()));
  square.reduce(costs.data(), task.threads, run);
  DenseTask<T> smaller{costs.data(), square.rows(), square.cols()};
  smaller.plan = task.plan;
  smaller.threads = task.threads;
  const auto write = [&]<class Paths>(const Paths& paths) {
    if constexpr (requires { paths.transposed; })
      if (paths.transposed) return square.write(task, transposed_back(paths), answer, run);
    return square.write(task, paths, answer, run);
  };
  double largest;
  if (solve_by_common_cost(smaller, write, largest, run)) return true;
  CostCheck check;
  CostReader<T> reader(smaller);
  const FirstRead<T> found = reader.read(check, run);
  if (check.is_bad()) return false;
  HallViolator violator;
  const Outcome outcome = smaller.plan.core ? solve_by_core<T>(smaller, found, violator, write, run)
                                            : solve_by_matrix<T>(smaller, found, violator, write, run);
  return outcome == Outcome::optimal;
}

template <class S>
bool solve_if_extended(const DenseTask<S>& task, const FirstRead<S>& found, DenseAnswer<S>& answer,
                       Run& run) {
  if (!task.plan.extended || !found.col_minima) return false;
  Kept<ExtendedSquare<S>> kept;
  if (task.cols > kMostKept) kept.drop();
  if (!kept->find(task, *found.col_minima, run)) return false;
  const double largest = ExtendedSquare<S>::largest(found.largest);
  bool solved;
  if constexpr (std::is_floating_point_v<S>)
    solved = divisor_of_reals(largest) == 1.0 && solve_extended<double>(*kept, task, answer, run);
  else if (holds_sums<int32_t>(task.rows, largest))
    solved = solve_extended<int32_t>(*kept, task, answer, run);
  else
    solved = holds_sums<int64_t>(task.rows, largest) && solve_extended<int64_t>(*kept, task, answer, run);
  if (solved) run.count("extended_rows", kept->added_rows());
  return solved;
}

// No more rows than columns. The costs are checked by the first stage that reads all of them.
template <class S>
Outcome check_and_solve(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                        CostCheck& check, Run& run) {
  const auto write = [&](const auto& paths) { return write_answer(task, paths, answer, run); };
  if (solve_by_common_cost(task, write, check.largest, run)) return Outcome::optimal;
  CostReader<S> reader(task);
  const FirstRead<S> found = reader.read(check, run);
  if (check.is_bad()) return Outcome::infeasible;
  if (solve_if_extended(task, found, answer, run)) return Outcome::optimal;
  return solve_in_fitting_sums(task, answer, violator, found, run);
}

// The transposed problem of a task with more rows than columns. Where minima leave few of its rows free, rows
// are turned one by one (turned_rows.h). One takes eight times as long as one of all: it has an entry in
// every cache line of eight rows.
template <class S>
Outcome solve_turned(const DenseTask<S>& task, const DenseTask<S>& transposed, TurnedRows<S>& turned,
                     DenseAnswer<S>& answer, HallViolator& violator, CostCheck& check, Run& run) {
  constexpr int64_t kOneRowIn = 8;
  constexpr int64_t kFewRows = 64 / sizeof(S);  // whose minima are not found in vectors
  const bool may_be_common =
      task.plan.common_cost && CheaperEntries<S>::guess_common(task.costs(), task.rows, task.cols);
  if (!task.initial_col_dual && transposed.rows >= kFewRows && !may_be_common) {
    Kept<LineMinima<S>> kept;
    LineMinima<S>& minima = *kept;
    minima.find_of_columns(task.costs(), task.rows, task.cols, run);
    if (const auto largest = minima.largest()) {
      check.largest = *largest;
      FirstRead<S> found;
      found.largest = *largest;
      found.row_minima = &minima;
      if (kOneRowIn * minima.contested(task.rows) <= transposed.rows) {
        turned.begin(minima.place);
        found.turned = &turned;
      } else {
        turned.turn_all(task.threads, run);
      }
      return solve_in_fitting_sums(transposed, answer, violator, found, run);
    }
  }
  turned.turn_all(task.threads, run);
  return check_and_solve(transposed, answer, violator, check, run);
}

template <class S>
Outcome solve_transposed(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                         CostCheck& check, Run& run) {
  TurnedRows<S> turned(task.cost, task.cols, task.rows);
  const DenseTask<S> transposed{
      turned.costs(),        task.cols, task.rows,   task.maximize, task.initial_col_dual,
      task.initial_row_dual, task.plan, task.threads};
  std::swap(answer.row_dual, answer.col_dual);
  const Outcome outcome = solve_turned(task, transposed, turned, answer, violator, check, run);
  std::swap(answer.row_dual, answer.col_dual);
  if (check.is_bad())  // the first bad cost in the order of the caller
    check = check_costs(task.cost, task.rows * task.cols, task.maximize, task.threads, run);
  else if (outcome == Outcome::optimal)
    transpose_pairs(answer.row_ind, answer.col_ind, task.rows, task.cols);
  return outcome;
}

}  // namespace

template <class S>
Outcome solve_dense(DenseTask<S> task, DenseAnswer<S>& answer, HallViolator& violator, CostCheck& check,
                    Run& run) {
  run.report(0, std::min(task.rows, task.cols));
  if (task.rows > task.cols) return solve_transposed(task, answer, violator, check, run);
  return check_and_solve(task, answer, violator, check, run);
}

#define KONIG_INSTANTIATE(S) \
  template Outcome solve_dense(DenseTask<S>, DenseAnswer<S>&, HallViolator&, CostCheck&, Run&);
KONIG_FOR_EACH_COST(KONIG_INSTANTIATE)

}  // namespace konig
