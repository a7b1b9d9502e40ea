// Linear assignment. Arguments are checked in Python.
#include "bindings/bindings.h"

#include "sequential/assignment/cost_survey.h"
#include "sequential/assignment/dense_task.h"

namespace konig {
namespace {

template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// An exact sum as a Python number.
nb::object as_number(int128 total) {
  const nb::int_ high(int64_t(total >> 64)), low(uint64_t(total & ~uint64_t(0)));
  return (high << nb::int_(64)) + low;
}
nb::object as_number(double total) { return nb::float_(total); }

nb::bytes as_bytes(const std::vector<uint8_t>& mask) {
  return nb::bytes((const char*)mask.data(), mask.size());
}

template <class S>
nb::tuple assign_dense(Matrix<S> cost, bool maximize, double largest, Out<int64_t> row_ind,
                       Out<int64_t> col_ind, Out<DualOf<S>> row_dual, Out<DualOf<S>> col_dual,
                       const std::optional<In<DualOf<S>>>& initial_row_dual,
                       const std::optional<In<DualOf<S>>>& initial_col_dual, nb::object progress) {
  DenseTask<S> task{cost.data(), int64_t(cost.shape(0)), int64_t(cost.shape(1)), maximize, largest};
  if (initial_row_dual) {
    task.initial_row_dual = initial_row_dual->data();
    task.initial_col_dual = initial_col_dual->data();
  }
  DenseAnswer<S> answer{row_ind.data(), col_ind.data(), row_dual.data(), col_dual.data()};
  HallViolator violator;
  Outcome outcome;
  nb::dict stats = run_released(progress, [&](Run& run) { outcome = jv(task, answer, violator, run); });
  if (outcome == Outcome::infeasible)
    return nb::make_tuple("infeasible", nb::make_tuple(as_bytes(violator.rows), as_bytes(violator.cols)),
                          stats);
  if (outcome == Outcome::duals_too_large) return nb::make_tuple("duals too large", nb::none(), stats);
  return nb::make_tuple("optimal", as_number(answer.total), stats);
}

template <class S>
void bind_costs(nb::module_& m) {
  m.def(
      "survey_costs",
      [](nb::ndarray<const S, nb::c_contig, nb::device::cpu> cost, bool maximize) {
        CostSurvey seen;
        if (cost.size() < 4096) {
          seen = survey_costs(cost.data(), int64_t(cost.size()), maximize);
        } else {
          nb::gil_scoped_release released;
          seen = survey_costs(cost.data(), int64_t(cost.size()), maximize);
        }
        return nb::make_tuple(seen.largest, seen.first_nan, seen.first_wrong, seen.forbids);
      },
      "cost"_a.noconvert(), "maximize"_a,
      "The largest finite |cost|, the positions of the first NaN and of the first other bad cost (-1 for "
      "none), "
      "and whether some pair is forbidden.");
  m.def(
      "assign_dense", &assign_dense<S>, "cost"_a.noconvert(), "maximize"_a, "largest"_a,
      "row_ind"_a.noconvert(), "col_ind"_a.noconvert(), "row_dual"_a.noconvert(), "col_dual"_a.noconvert(),
      "initial_row_dual"_a.noconvert().none(), "initial_col_dual"_a.noconvert().none(), "progress"_a.none(),
      "Solve a dense assignment problem by shortest augmenting paths; the outcome, the cost or the violator, "
      "and what was counted.");
}

}  // namespace

void bind_assignment(nb::module_& m) {
  bind_costs<int32_t>(m);
  bind_costs<int64_t>(m);
  bind_costs<float>(m);
  bind_costs<double>(m);
}

}  // namespace konig
