// The dense methods: the stages of a solve in their order.
//
// They minimise, with no more rows than columns and sums that cannot overflow. S is the type that costs are
// stored in, T that of sums. Integers are summed in the narrower of 32 and 64 bits that holds every sum;
// where duals might exceed 64 bits, but need not, 64 bits are tried first, and then lists of all entries in
// 128 bits. Reals are summed in float64; where the duals then prove too little, the answer is repaired
// without rounding among the entries that matter (exact/core.h).
//
// The whole matrix is solved as in R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense
// and sparse linear assignment problems, Computing 38 (1987): column reduction, reduction transfer,
// augmenting row reduction (reduce.h), then one shortest augmenting path from every row that is left
// (search.h); an auction (auction.h) saves much of that where most rows want the same columns. Two other
// methods avoid the whole matrix: a sparse core and prices (core.h, price.h), and lists of the entries below
// a common cost (common_cost.h).
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "assignment/answer.h"
#include "assignment/auction.h"
#include "assignment/common_cost.h"
#include "assignment/core.h"
#include "assignment/line_minima.h"
#include "assignment/price.h"
#include "assignment/reduce.h"
#include "assignment/search.h"
#include "assignment/sparse/task.h"
#include "assignment/state.h"
#include "assignment/sums.h"
#include "assignment/task.h"
#include "assignment/turned_rows.h"
#include "core/kept.h"
#include "core/large_array.h"
#include "core/shared_loop.h"

namespace konig {
namespace {

constexpr int64_t kMostKept = 1 << 13;      // with more columns a thread does not keep the memory of a solve
constexpr int64_t kMostKeptOfLists = 1024;  // the same where entries are listed
constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

// ---- the whole matrix

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

  // A square begins anew as its transpose.
  void transpose(Run& run) {
    const auto counts = state.counts;
    transposed.emplace(state.costs.data, state.cols, state.rows);
    transposed->turn_all(1, run);
    state.prepare(state.cols, state.rows, {transposed->costs(), state.costs.negated});
    state.counts = counts;
    std::swap(col_minima, reductions.row_minima());
    reductions.reset(false);
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

// What was found while the costs were read for the first time.
template <class S>
struct FirstRead {
  double largest = 0;                         // at least every finite |cost|
  const LineMinima<S>* col_minima = nullptr;  // of squares
  const LineMinima<S>* row_minima = nullptr;  // of rectangles
  TurnedRows<S>* turned = nullptr;            // has the costs, where they are stored by columns
  FirstCore<S, NarrowSums<S>>* core = nullptr;
};

template <class S, class T, class Write>
Outcome write_whole(const WholeMatrix<S, T>& whole, const FirstRead<S>& found, const Write& write) {
  return found.row_minima ? write(ProvedByRowMinima<S, T>{whole, *found.row_minima}) : write(whole);
}

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
  if (const auto solved = whole.search.assign_free_rows(plan.path_scans * state.rows, kNoLimit, run))
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
std::optional<bool> solve_whole(WholeMatrix<S, T>& whole, const DensePlan& plan, Auction auction,
                                const FirstRead<S>& found, bool only_if_easy, Run& run) {
  DenseState<S, T>& state = whole.state;
  if (state.is_square()) {
    const auto feasible = reduce_square(whole, auction != Auction::always, found, only_if_easy, run);
    if (!feasible.value_or(false)) return feasible;
  } else {
    auction = Auction::never;
    if (found.row_minima) whole.reductions.assign_by_row_minima(*found.row_minima);
    whole.reductions.reduce_rows(run);
  }
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
  const auto assign_soon = [&] {
    return whole.search.assign_free_rows(plan.path_scans * state.rows, kNoLimit, run);
  };
  if (const auto solved = assign_soon()) return solved;
  // Another start takes a tenth of an auction, and may save it: few entries that are far below all others
  // leave most of the rest to long paths if columns have taken them.
  if (whole.reductions.restart_by_rows(run)) {
    if (whole.reductions.should_transpose() && !start_transposed(whole, run)) return false;
    if (const auto solved = assign_soon()) return solved;
  }
  return hold_auction(whole, found, run) ? solve_from_duals(whole, run) : whole.search.assign_free_rows(run);
}

// What the search says of rows and columns, in terms of the task.
template <class S, class T>
HallViolator violator_of(WholeMatrix<S, T>& whole) {
  if (whole.transposed) std::swap(whole.state.violator.rows, whole.state.violator.cols);
  return std::move(whole.state.violator);
}

// ---- one problem; `found` is about its costs

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

// The costs have been divided by `divisor`, and so are the duals of a warm start.
template <class T, class S, class Write>
Outcome solve_by_matrix(const DenseTask<S>& task, const FirstRead<S>& found, double divisor,
                        HallViolator& violator, const Write& write, Run& run) {
  Kept<WholeMatrix<S, T>> kept;
  if (task.cols > kMostKept) kept.drop();
  WholeMatrix<S, T>& whole = *kept;
  DenseState<S, T>& state = whole.state;
  whole.prepare(task, found.turned);
  for (int64_t j = 0; task.initial_col_dual && j < task.cols; ++j) {
    const auto given = task.initial_col_dual[j];
    T dual = T(given);
    if constexpr (!std::is_integral_v<S>) dual = dual_to_start_from(given, divisor, task.rows, found.largest);
    const T minimised = task.maximize ? -dual : dual;
    state.col_dual[j] = task.rows < task.cols ? std::min(minimised, T(0)) : minimised;
  }
  const bool feasible = task.initial_col_dual
                            ? solve_from_duals(whole, run)
                            : *solve_whole(whole, task.plan, task.plan.auction, found, false, run);
  run.count("bids", state.counts.bids);
  run.count("reduced_rows", state.counts.reduced_rows);
  run.count("row_reductions", state.counts.row_reductions);
  run.count("paths", state.counts.paths);
  run.count("row_scans", state.counts.row_scans);
  violator = violator_of(whole);
  const Outcome outcome = feasible ? write_whole(whole, found, write) : Outcome::infeasible;
  whole.transposed.reset();
  return outcome;
}

// ---- a common cost

template <class T, class S>
bool solve_cheaper_entries(const CheaperEntries<S>& entries, const DenseTask<S>& task, DenseAnswer<S>& answer,
                           Run& run) {
  Kept<CommonCostPaths<S, T>> kept;
  if (task.cols > kMostKeptOfLists) kept.drop();
  if (!kept->solve(entries, task.costs(), run)) return false;
  Outcome outcome;
  if constexpr (std::is_integral_v<S>)
    outcome = write_integers(task, *kept, answer);
  else
    outcome = write_reals(task, *kept, 1.0, answer, run);
  if (outcome != Outcome::optimal) return false;
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
template <class S>
bool solve_by_common_cost(const DenseTask<S>& task, DenseAnswer<S>& answer, double& largest, Run& run) {
  if (!task.plan.common_cost || task.initial_col_dual) return false;
  Kept<CheaperEntries<S>> kept;
  if (task.cols > kMostKeptOfLists) kept.drop();
  if (!kept->find(task.costs(), task.rows, task.cols, task.threads, run)) return false;
  largest = kept->largest();
  if constexpr (std::is_integral_v<S>) {
    if (sizeof(S) == 4 && holds_sums<int32_t>(task.rows, largest))
      return solve_cheaper_entries<S>(*kept, task, answer, run);
    return holds_sums<int64_t>(task.rows, largest) &&
           solve_cheaper_entries<int64_t>(*kept, task, answer, run);
  } else {
    return divisor_of_reals(largest) == 1.0 && solve_cheaper_entries<double>(*kept, task, answer, run);
  }
}

// ---- from a task to a problem and back

// The transpose as it was solved, in terms of the task.
template <class S, class T>
struct TransposedBack {
  T row_dual(int64_t row) const { return whole.col_dual(row); }
  T col_dual(int64_t col) const { return whole.row_dual(col); }
  int32_t col_of_row(int64_t row) const { return whole.state.row_of_col[row]; }

  const WholeMatrix<S, T>& whole;
};

// Reals are proved as the transpose, if that has the costs as they were given: duals of its columns are
// numbers of the solver, those of its rows are rounded.
template <class Given, class S, class T>
Outcome write_transposed(const DenseTask<Given>& task, const WholeMatrix<S, T>& whole, double divisor,
                         DenseAnswer<Given>& answer, Run& run) {
  const TransposedBack<S, T> back{whole};
  if constexpr (std::is_integral_v<Given>) {
    return write_integers(task, back, answer);
  } else {
    if (divisor != 1.0) return write_reals(task, back, divisor, answer, run);
    DenseTask<Given> transposed = task;
    transposed.cost = whole.transposed->costs();
    std::swap(answer.row_dual, answer.col_dual);
    const Outcome outcome = write_reals(transposed, whole, divisor, answer, run);
    std::swap(answer.row_dual, answer.col_dual);
    if (outcome == Outcome::optimal) transpose_pairs(answer.row_ind, answer.col_ind, task.rows, task.cols);
    return outcome;
  }
}

// Solves the costs given in another type, S, in sums of T; reals are divided by `divisor`, a power of two.
// What is proved are the costs as they were given.
template <class S, class T, class Given>
Outcome solve_in(const DenseTask<Given>& task, DenseAnswer<Given>& answer, HallViolator& violator,
                 const FirstRead<Given>& found, double divisor, Run& run) {
  DenseTask<S> problem{nullptr,   task.rows,   task.cols, task.maximize, nullptr, task.initial_col_dual,
                       task.plan, task.threads};
  FirstRead<S> of_problem{found.largest / divisor};
  if constexpr (std::is_same_v<S, Given>)
    if (divisor == 1.0) {
      problem.cost = task.cost;
      of_problem = found;
    }
  LargeArray<S> made;
  if (!problem.cost) {
    if (found.turned) found.turned->turn_all(task.threads, run);
    made = LargeArray<S>(size_t(task.rows * task.cols));
    problem.cost = made.data();
    for_rows(task.threads, task.rows, task.cols, run, [&](int, int64_t first, int64_t last) {
      for (int64_t k = first * task.cols; k < last * task.cols; ++k)
        made[k] = S(task.cost[k]) * S(1 / divisor);
    });
  }
  const auto write = [&]<class Paths>(const Paths& paths) {
    if constexpr (requires { paths.transposed; })
      if (paths.transposed) return write_transposed(task, paths, divisor, answer, run);
    if constexpr (std::is_integral_v<Given>)
      return write_integers(task, paths, answer);
    else
      return write_reals(task, paths, divisor, answer, run);
  };
  if (task.plan.core && !task.initial_col_dual)
    return solve_by_core<T>(problem, of_problem, violator, write, run);
  return solve_by_matrix<T>(problem, of_problem, divisor, violator, write, run);
}

// As lists of all entries, where 64 bits may not hold sums: slow, and with the smallest duals.
template <class S>
Outcome solve_as_lists(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                       double largest, Run& run) {
  const int64_t sign = task.maximize ? -1 : 1, entries = task.rows * task.cols;
  std::vector<int64_t> start, cost(entries), col_of_row(task.rows), initial;
  std::vector<int32_t> col(entries);
  for (int64_t i = 0; i <= task.rows; ++i) start.push_back(i * task.cols);
  for (int64_t e = 0; e < entries; ++e) {
    col[e] = int32_t(e % task.cols);
    cost[e] = sign * int64_t(task.cost[e]);
  }
  SparseTask<int64_t> lists{{task.rows, task.cols, start.data(), col.data(), cost.data()}, largest, nullptr};
  if (task.initial_col_dual) {
    for (int64_t j = 0; j < task.cols; ++j) initial.push_back(sign * task.initial_col_dual[j]);
    lists.initial_col_dual = initial.data();
  }
  SparseAnswer<int64_t> found{col_of_row.data(), answer.row_dual, answer.col_dual};
  const Outcome outcome = sparse_jv(lists, found, violator, run);
  if (outcome != Outcome::optimal) return outcome;
  for (int64_t i = 0; i < task.rows; ++i) answer.row_dual[i] *= sign;
  for (int64_t j = 0; j < task.cols; ++j) answer.col_dual[j] *= sign;
  write_pairs(task, std::vector<int32_t>(col_of_row.begin(), col_of_row.end()), answer);
  return outcome;
}

// The largest of so large costs and of the duals of a warm start.
template <class S>
double with_duals_to_start_from(const DenseTask<S>& task, double largest) {
  if (!task.initial_col_dual) return largest;
  for (int64_t i = 0; i < task.rows; ++i)
    largest = std::max(largest, std::abs(double(task.initial_row_dual[i])));
  for (int64_t j = 0; j < task.cols; ++j)
    largest = std::max(largest, std::abs(double(task.initial_col_dual[j])));
  return largest;
}

// Integers far from 0 but close to each other, as points in time are: less the least of them they fit, and
// that takes the same from every assignment and from the duals of all rows. Nothing if they do not fit.
template <class S>
std::optional<Outcome> solve_less_the_least(const DenseTask<S>& task, DenseAnswer<S>& answer,
                                            HallViolator& violator, Run& run) {
  const int64_t size = task.rows * task.cols;
  if (size == 0 || task.initial_col_dual) return {};
  const auto [least, greatest] = std::minmax_element(task.cost, task.cost + size);
  const S shift = *least;
  const double range = double(*greatest) - double(shift);
  if (!holds_sums<int64_t>(task.rows, range)) return {};
  LargeArray<int64_t> made{size_t(size)};
  for_rows(task.threads, task.rows, task.cols, run, [&](int, int64_t first, int64_t last) {
    for (int64_t k = first * task.cols; k < last * task.cols; ++k) made[k] = int64_t(task.cost[k]) - shift;
  });
  const DenseTask<int64_t> rest{made.data(), task.rows, task.cols, task.maximize,
                                nullptr,     nullptr,   task.plan, task.threads};
  DenseAnswer<int64_t> of_rest{answer.row_ind, answer.col_ind, answer.row_dual, answer.col_dual};
  Outcome outcome;
  try {
    outcome = solve_in<int64_t, int64_t>(rest, of_rest, violator, FirstRead<int64_t>{range}, 1, run);
  } catch (const DualsTooLarge&) {
    return {};
  }
  if (outcome != Outcome::optimal) return outcome;
  for (int64_t i = 0; i < task.rows; ++i)
    if (__builtin_add_overflow(answer.row_dual[i], int64_t(shift), &answer.row_dual[i])) return {};
  answer.total = of_rest.total + int128(shift) * task.rows;
  return outcome;
}

template <class S>
Outcome solve_checked(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                      const FirstRead<S>& found, Run& run) {
  if constexpr (std::is_floating_point_v<S>) {
    return solve_in<S, double>(task, answer, violator, found, divisor_of_reals(found.largest), run);
  } else {
    const double largest = with_duals_to_start_from(task, found.largest);
    const bool fits = holds_sums<int64_t>(task.rows, largest);
    if (sizeof(S) == 4 && fits && found.largest < 2147483648.0) {  // so that each has its negative
      if (holds_sums<int32_t>(task.rows, largest))
        return solve_in<S, S>(task, answer, violator, found, 1, run);
      return solve_in<S, int64_t>(task, answer, violator, found, 1, run);
    }
    if (fits || (!task.initial_col_dual && found.largest < double(kLargestDual / 4))) {
      // Duals are as a rule far below their bound.
      try {
        return solve_in<int64_t, int64_t>(task, answer, violator, found, 1, run);
      } catch (const DualsTooLarge&) {
      }
    }
    if (found.turned) found.turned->turn_all(task.threads, run);
    if (const auto outcome = solve_less_the_least(task, answer, violator, run)) return *outcome;
    return solve_as_lists(task, answer, violator, found.largest, run);
  }
}

// No more rows than columns. The costs are checked by the first stage that reads all of them.
template <class S>
Outcome check_and_solve(const DenseTask<S>& task, DenseAnswer<S>& answer, HallViolator& violator,
                        CostCheck& check, Run& run) {
  const DensePlan& plan = task.plan;
  if (solve_by_common_cost(task, answer, check.largest, run)) return Outcome::optimal;
  FirstCore<S, NarrowSums<S>> core(task.rows, task.cols, task.costs());
  std::optional<Kept<LineMinima<S>>> kept;
  const auto kept_minima = [&]() -> LineMinima<S>& {
    kept.emplace();
    if (task.cols > kMostKept) kept->drop();
    return **kept;
  };
  FirstRead<S> found;
  std::optional<double> largest;
  const bool starts_with_core = !task.initial_col_dual && plan.core && !plan.reduce_before_core;
  if (starts_with_core) {
    core.choose(task.threads, &check, task.maximize, run);
  } else if (!task.initial_col_dual && task.rows == task.cols) {
    LineMinima<S>& minima = kept_minima();
    minima.find_of_columns(task.costs(), task.rows, task.cols, run);
    found.col_minima = &minima;
    largest = minima.largest();
  } else if (!task.initial_col_dual) {
    LineMinima<S>& minima = kept_minima();
    minima.find_of_rows(task.costs(), task.rows, task.cols, task.threads, run);
    found.row_minima = &minima;
    largest = minima.largest();
  }
  if (largest)
    check.largest = *largest;
  else if (!starts_with_core)
    check = check_costs(task.cost, task.rows * task.cols, task.maximize, task.threads, run);
  if (check.is_bad()) return Outcome::infeasible;
  found.largest = check.largest;
  if (starts_with_core && (!std::is_integral_v<S> || check.largest < double(Bounds<NarrowSums<S>>::infinity)))
    found.core = &core;
  return solve_checked(task, answer, violator, found, run);
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
      return solve_checked(transposed, answer, violator, found, run);
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
