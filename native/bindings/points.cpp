// Assignment between point sets.
#include "assignment/points/queries.h"
#include "assignment/points/solve.h"
#include "bindings/bindings.h"

namespace konig {
namespace {

using Coordinates = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

PointTask task_of(const Coordinates& x, const Coordinates& y, const std::string& metric, int threads) {
  return {x.data(),
          y.data(),
          int64_t(x.shape(0)),
          int64_t(y.shape(0)),
          int64_t(x.shape(1)),
          metric_named(metric).value(),
          threads};
}

template <void kSolve(const PointTask&, PointAnswer&, Run&)>
nb::tuple between_points(Coordinates x, Coordinates y, const std::string& metric, int threads,
                         Out<int64_t> col_of_row, Out<double> row_dual, Out<double> col_dual,
                         nb::object progress) {
  const PointTask task = task_of(x, y, metric, threads);
  PointAnswer answer{col_of_row.data(), row_dual.data(), col_dual.data()};
  nb::dict stats = run_released(progress, [&](Run& run) { kSolve(task, answer, run); });
  return nb::make_tuple(answer.total, answer.gap, stats);
}

}  // namespace

void bind_points(nb::module_& m) {
  const auto define = [&](const char* name, auto function, const char* doc) {
    m.def(name, function, "x"_raw, "y"_raw, "metric"_a, "threads"_a, "col_of_row"_raw, "row_dual"_raw,
          "col_dual"_raw, "progress"_a.none(), doc);
  };
  define(
      "assign_points", &between_points<assign_points>,
      "Solve the assignment between two point sets, the first of which is not larger; the cost, its gap and "
      "what was counted.");
  define("prove_points", &between_points<prove_points>,
         "The same from an assignment and column duals that prove it but for rounding.");
  m.def(
      "coarser_points",
      [](Coordinates points) {
        std::vector<double> means;
        run_released(nb::none(), [&](Run& run) {
          means = coarser_points(points.data(), int64_t(points.shape(0)), int64_t(points.shape(1)), run);
        });
        return as_array(std::move(means));
      },
      "points"_raw, "The means of four points each, neighbours in a tree, one after the other.");
  m.def("has_coarser_points", &has_coarser_points, "rows"_a, "dimension"_a,
        "Whether a coarser problem tells duals for points like these.");
  m.def(
      "point_costs",
      [](Coordinates x, Coordinates y, const std::string& metric, int threads, Out<double> cost,
         nb::object progress) {
        const PointTask task = task_of(x, y, metric, threads);
        run_released(progress, [&](Run& run) {
          all_costs({task.metric, threads, task.x, task.y, task.rows, task.cols, task.dimension}, cost.data(),
                    run);
        });
      },
      "x"_raw, "y"_raw, "metric"_a, "threads"_a, "cost"_raw, "progress"_a.none(),
      "What all pairs of points cost, into an array.");
  m.def(
      "start_from_coarser_points",
      [](Coordinates x, Coordinates y, const std::string& metric, int threads, In<double> coarse_row_dual,
         In<int64_t> coarse_col_of_row, Out<double> col_dual) {
        double dearest = 0;
        run_released(nb::none(), [&](Run& run) {
          dearest = start_from_coarser(task_of(x, y, metric, threads), coarse_row_dual.data(),
                                       coarse_col_of_row.data(), col_dual.data(), run);
        });
        return dearest;
      },
      "x"_raw, "y"_raw, "metric"_a, "threads"_a, "coarse_row_dual"_raw, "coarse_col_of_row"_raw,
      "col_dual"_raw,
      "Column duals from an answer for coarser points; the dearest cost of an assignment like it.");
}

}  // namespace konig
