// Small assignment problems between points, in one call (small.h).
#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>

#include "assignment/points/prepared.h"
#include "assignment/points/queries.h"
#include "assignment/points/solve.h"
#include "assignment/scans/cost_check.h"
#include "assignment/task.h"
#include "bindings/arrays.h"
#include "bindings/small.h"
#include "bindings/small_assignment.h"
#include "core/large_array.h"
#include "core/stopwatch.h"

namespace konig {
namespace {

// Points that are exact in float64, row after row, and divided by their norms where the metric wants that.
class SmallPoints {
 public:
  SmallPoints(const View& view, Metric metric)
      : count(view.extent(0)), dimension(view.extent(1)), given_(view, false), metric_(metric) {}

  static bool takes(const View& view) {
    return view.has_dimensions(2) && view.extent(0) > 0 && view.extent(1) > 0 &&
           std::strchr("df?bBhHi", view.type());
  }

  // False for points that Python must refuse, or allow.
  bool prepare() {
    data = given_.data;
    if (!are_near(data, count, dimension, metric_)) return false;
    if (metric_ != Metric::cosine) return true;
    divided_ = LargeArray<double>(size_t(count * dimension));
    data = divided_.data();
    return divide_by_norms(given_.data, count, dimension, divided_.data());
  }

  const int64_t count, dimension;
  const double* data = nullptr;

 private:
  const RowsOf<double> given_;
  const Metric metric_;
  LargeArray<double> divided_;
};

// All costs, computed once and solved as a matrix; on a line `sorted_from` points each are sorted instead.
FoundResult assign_points_small(nb::handle result, nb::handle x_given, nb::handle y_given,
                                const std::string& metric, const DensePlan& plan, int64_t most,
                                int64_t most_rows, int64_t most_terms, int64_t sorted_from) {
  Stopwatch watch;
  const View x_view(x_given), y_view(y_given);
  const auto named = metric_named(metric);
  if (!named || !SmallPoints::takes(x_view) || !SmallPoints::takes(y_view)) return std::nullopt;
  const int64_t rows = x_view.extent(0), cols = y_view.extent(0), dimension = x_view.extent(1);
  if (y_view.extent(1) != dimension || rows > most / cols || std::min(rows, cols) > most_rows ||
      dimension > most_terms / (rows * cols))
    return std::nullopt;
  SmallPoints x(x_view, *named), y(y_view, *named);
  const bool is_line = dimension == 1 && rows == cols && rows >= sorted_from;
  const SmallArrays<double> arrays(rows, cols);
  DenseAnswer<double> answer{arrays.row_ind.data, arrays.col_ind.data, arrays.row_dual(), arrays.col_dual()};
  Run run;
  bool is_solved = false;
  run_small(run, rows * cols >= kGilCosts, [&](Run& running) {
    if (!x.prepare() || !y.prepare()) return;
    if (is_line) {
      PointAnswer found{answer.col_ind, answer.row_dual, answer.col_dual};
      assign_points({x.data, y.data, rows, cols, dimension, *named, 1}, found, running);
      std::iota(answer.row_ind, answer.row_ind + rows, int64_t(0));
      answer.total = found.total;
      answer.gap = found.gap;
      is_solved = true;
      return;
    }
    Stopwatch of_costs;
    LargeArray<double> costs(size_t(rows * cols));
    all_costs({*named, 1, x.data, y.data, rows, cols, dimension}, costs.data(), running);
    running.count("costs_seconds", of_costs.lap());
    DenseTask<double> task{costs.data(), rows, cols, false};
    task.plan = plan;
    HallViolator violator;
    CostCheck check;
    is_solved = solve_dense(task, answer, violator, check, running) == Outcome::optimal;
  });
  if (!is_solved) return std::nullopt;
  return small_answer<double>(result, answer, arrays, false, run, watch);
}

}  // namespace

void bind_small_points(nb::module_& m) {
  if (_import_array() != 0) nb::raise_python_error();
  m.def(
      "assign_points_small", &assign_points_small, "result"_a, "x"_a.none(), "y"_a.none(), "metric"_a,
      "plan"_a, "most"_a, "most_rows"_a, "most_terms"_a, "sorted_from"_a,
      "Assign points to points, of at most `most` pairs, at most `most_rows` points in the smaller set and "
      "at most `most_terms` coordinates of all pairs together, by all costs, or on a line from "
      "`sorted_from` points each on by sorting: as small_assignments, or None for what this does not take.");
}

}  // namespace konig
