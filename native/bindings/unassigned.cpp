// Dense assignment in which rows and columns may be left alone at a cost, and heaviest matchings, in one
// call: trackers solve thousands of small ones a second.
#include "assignment/unassigned.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/new_result.h"
#include "bindings/small.h"
#include "bindings/solved_assignment.h"
#include "core/stopwatch.h"

namespace konig {
namespace {

// What leaving the rows, or the columns, alone costs: None for nothing, a number for each of them, or an
// array of them.
class Side {
 public:
  Side(nb::handle given, int64_t extent) : given_(given), array_(given), extent_(extent) {
    if (given.is_none() || PyLong_CheckExact(given.ptr())) {
      is_known_ = true;
    } else if (PyFloat_CheckExact(given.ptr())) {
      is_known_ = is_real_ = true;
    } else if (array_.lists_reals()) {
      is_known_ = array_.extent(0) == extent;
      is_real_ = true;
    } else {
      is_known_ = array_.lists_integers() && array_.item_bytes() == 8 && array_.extent(0) == extent;
    }
  }

  bool is_known() const { return is_known_; }
  bool is_real() const { return is_real_; }

  // Writes a number for each; false if one is not finite, or not one of this type.
  template <class Number>
  bool read(Number* numbers) const {
    if (array_.has_dimensions(1) && is_real_)
      return convert(reinterpret_cast<const double*>(array_.memory()), extent_, numbers);
    if (array_.has_dimensions(1))
      return convert(reinterpret_cast<const int64_t*>(array_.memory()), extent_, numbers);
    if (is_real_) {
      const double number = PyFloat_AsDouble(given_.ptr());
      return convert(&number, 1, numbers);
    }
    int overflow = 0;
    const int64_t number = given_.is_none() ? 0 : PyLong_AsLongLongAndOverflow(given_.ptr(), &overflow);
    return overflow == 0 && convert(&number, 1, numbers);
  }

 private:
  template <class Given, class Number>
  bool convert(const Given* given, int64_t count, Number* numbers) const {
    bool fits = true;
    for (int64_t k = 0; k < count; ++k) {
      if constexpr (std::is_same_v<Given, double>)
        fits &= std::is_same_v<Number, double> && std::isfinite(given[k]);
      else if constexpr (std::is_same_v<Number, double>)
        fits &= std::abs(double(given[k])) <= 0x1p53;
      numbers[k] = Number(given[k]);
    }
    if (count < extent_) std::fill(numbers + count, numbers + extent_, numbers[0]);
    return fits;
  }

  nb::handle given_;
  View array_;
  int64_t extent_;
  bool is_known_ = false, is_real_ = false;
};

// How to solve, and which result to make: an assignment, or a matching of which the cost is the weight.
struct Asked {
  nb::handle result;
  bool is_matching;
  bool maximize;
  const DensePlan& plan;
  int threads;
  const nb::object& progress;
};

// Drops the pairs that weigh nothing, which are as good as not made; returns how many are left.
template <class S>
int64_t drop_weightless(const DenseTask<S>& task, const DenseAnswer<S>& answer, int64_t size) {
  int64_t kept = 0;
  for (int64_t p = 0; p < size; ++p) {
    const int64_t i = answer.row_ind[p], j = answer.col_ind[p];
    if (task.cost[i * task.cols + j] == 0) continue;
    answer.row_ind[kept] = i;
    answer.col_ind[kept++] = j;
  }
  return kept;
}

nb::object first_of(const std::vector<int64_t>& numbers, int64_t count) {
  const NewArray<int64_t> some(count);
  std::copy_n(numbers.begin(), count, some.data);
  return some.object;
}

// Turns `size` pairs of a transposed problem into those of the problem itself, rows ascending.
void transpose_some_pairs(std::vector<int64_t>& row_ind, std::vector<int64_t>& col_ind, int64_t size) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (int64_t p = 0; p < size; ++p) pairs.emplace_back(col_ind[p], row_ind[p]);
  std::sort(pairs.begin(), pairs.end());
  for (int64_t p = 0; p < size; ++p) std::tie(row_ind[p], col_ind[p]) = pairs[p];
}

// An array stored by columns is solved as its transpose.
template <class S>
FoundResult assign(const Asked& asked, const View& view, const Side& given_rows, const Side& given_cols) {
  const AssignmentFields& names = AssignmentFields::here();
  static PyObject* const weight = interned("weight");
  static PyObject* const may_leave_alone = interned("may_leave_alone");
  Stopwatch watch;
  const bool transposed = view.lies_by_columns();
  const Side& rows_alone = transposed ? given_cols : given_rows;
  const Side& cols_alone = transposed ? given_rows : given_cols;
  const RowsOf<S> costs(view, transposed);
  const int64_t rows = view.extent(transposed ? 1 : 0), cols = view.extent(transposed ? 0 : 1);
  const std::unique_ptr<DualOf<S>[]> alone(new DualOf<S>[size_t(rows + cols)]);
  if (!rows_alone.read(alone.get()) || !cols_alone.read(alone.get() + rows)) return std::nullopt;
  const nb::object found = SolvedAssignment::of(view.extent(0), view.extent(1));
  auto* const solved = nb::inst_ptr<SolvedAssignment>(found);
  DualOf<S>*const first = solved->row_dual<DualOf<S>>(), *const second = solved->col_dual<DualOf<S>>();
  std::vector<int64_t> row_ind(size_t(std::min(rows, cols))), col_ind(row_ind.size());
  DenseTask<S> task{costs.data, rows, cols, asked.maximize};
  task.plan = asked.plan;
  task.threads = asked.threads;
  DenseAnswer<S> answer{row_ind.data(), col_ind.data(), transposed ? second : first,
                        transposed ? first : second};
  int64_t size = 0;
  Outcome outcome;
  CostCheck check;
  Run run;
  const auto solve = [&] {
    outcome = solve_dense_unassigned(task, {alone.get(), alone.get() + rows}, answer, size, check, run);
  };
  if (rows * cols < kGilCosts) {
    solve();
  } else {
    run = interruptible(asked.progress);
    nb::gil_scoped_release released;
    solve();
  }
  if (check.is_bad() || outcome != Outcome::optimal) return std::nullopt;
  if (asked.is_matching) size = drop_weightless(task, answer, size);
  if (transposed) transpose_some_pairs(row_ind, col_ind, size);
  NewResult made(asked.result);
  made.set(names.row_ind, first_of(row_ind, size));
  made.set(names.col_ind, first_of(col_ind, size));
  made.set(asked.is_matching ? weight : names.cost, as_number(answer.total));
  solved->finish<S>(answer.gap, run, watch.lap());
  made.set(names.found, found);
  if (asked.is_matching) return made.object();
  if (asked.maximize) made.set(names.maximize, nb::handle(Py_True));
  made.set(may_leave_alone, nb::handle(Py_True));
  return made.object();
}

FoundResult solve(const Asked& asked, nb::handle costs, nb::handle row_alone, nb::handle col_alone,
                  int64_t most) {
  const View view(costs);
  if (!view.has_dimensions(2)) return std::nullopt;
  const int64_t rows = view.extent(0), cols = view.extent(1);
  if (rows == 0 || cols == 0 || rows > most / cols) return std::nullopt;
  const Side of_rows(row_alone, rows), of_cols(col_alone, cols);
  if (!of_rows.is_known() || !of_cols.is_known()) return std::nullopt;
  const bool real = of_rows.is_real() || of_cols.is_real();
  return in_cost_type(view, [&]<class S>(S) -> FoundResult {
    if constexpr (std::is_integral_v<S>) {
      if (real && sizeof(S) == 8) return std::nullopt;  // not all of these are float64 numbers
      if (real) return assign<double>(asked, view, of_rows, of_cols);
    }
    return assign<S>(asked, view, of_rows, of_cols);
  });
}

FoundResult assign_unassigned(nb::handle result, nb::handle costs, nb::handle row_alone, nb::handle col_alone,
                              bool maximize, const DensePlan& plan, int threads, nb::object progress,
                              int64_t most) {
  return solve({result, false, maximize, plan, threads, progress}, costs, row_alone, col_alone, most);
}

FoundResult match_weights(nb::handle result, nb::handle weights, const DensePlan& plan, int64_t most) {
  const nb::object nothing = nb::none();
  return solve({result, true, true, plan, 1, nothing}, weights, nothing, nothing, most);
}

}  // namespace

void bind_unassigned(nb::module_& m) {
  if (_import_array() != 0) nb::raise_python_error();
  m.def("assign_unassigned", &assign_unassigned, "result"_a, "costs"_a.none(), "row_alone"_a.none(),
        "col_alone"_a.none(), "maximize"_a, "plan"_a, "threads"_a, "progress"_a.none(), "most"_a,
        "Solve at most `most` dense costs where leaving rows and columns alone costs what is given (None, a "
        "number or an array, finite): a new `result` with row_ind, col_ind, cost, found (a "
        "SolvedAssignment), may_leave_alone and, if it is True, maximize; or None for "
        "what this does not take or has no answer.");
  m.def("match_weights", &match_weights, "result"_a, "weights"_a.none(), "plan"_a, "most"_a,
        "The heaviest matching of at most `most` dense weights: a new `result` with row_ind, col_ind, weight "
        "and found (a SolvedAssignment); or None for what this does not take.");
}

}  // namespace konig
