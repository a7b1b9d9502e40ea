// Answers that programs on a team have found, written for callers (team_answer.h).
#include "assignment/team_answer.h"

#include "bindings/bindings.h"

namespace konig {
namespace {

template <class First, class... Others>
void require_one_side(const First& first, const Others&... others) {
  if (((others.shape(0) != first.shape(0)) || ...))
    throw nb::value_error("arrays of one side differ in length");
}

// Returns the cost, and whether the duals fit.
template <class S>
nb::tuple write_whole(In<int32_t> col_of_row, In<S> paid, In<int64_t> row_dual, In<int64_t> col_dual,
                      int64_t base, bool maximize, bool transposed, Out<int64_t> row_ind,
                      Out<int64_t> col_ind, Out<int64_t> of_rows, Out<int64_t> of_cols) {
  require_one_side(col_of_row, paid, row_dual, of_rows, row_ind, col_ind);
  require_one_side(col_dual, of_cols);
  const auto rows = int64_t(row_dual.shape(0)), cols = int64_t(col_dual.shape(0));
  const TeamAnswer<S, int64_t> found{
      rows, cols, col_of_row.data(), paid.data(), row_dual.data(), col_dual.data(), maximize, transposed};
  const bool fits =
      write_answer(found, base, {row_ind.data(), col_ind.data(), of_rows.data(), of_cols.data()});
  return nb::make_tuple(as_number(total_of<S>(rows, [&](int64_t i) { return paid(i); })), fits);
}

// Returns the cost, which is infinite where the sum is.
template <class S>
nb::object write_real(In<int32_t> col_of_row, In<S> paid, In<double> row_dual, In<double> col_dual,
                      bool maximize, bool transposed, Out<int64_t> row_ind, Out<int64_t> col_ind,
                      Out<double> of_rows, Out<double> of_cols) {
  require_one_side(col_of_row, paid, row_dual, of_rows, row_ind, col_ind);
  require_one_side(col_dual, of_cols);
  const auto rows = int64_t(row_dual.shape(0)), cols = int64_t(col_dual.shape(0));
  const TeamAnswer<S, double> found{
      rows, cols, col_of_row.data(), paid.data(), row_dual.data(), col_dual.data(), maximize, transposed};
  write_answer(found, {row_ind.data(), col_ind.data(), of_rows.data(), of_cols.data()});
  return as_number(total_of<S>(rows, [&](int64_t i) { return paid(i); }));
}

bool some_left_over(In<int32_t> row_of_col, In<int64_t> col_dual) {
  require_one_side(row_of_col, col_dual);
  return has_leftover_duals(int64_t(col_dual.shape(0)), row_of_col.data(), col_dual.data());
}

template <class S>
void bind_whole(nb::module_& m) {
  m.def("write_whole_answer", &write_whole<S>, "col_of_row"_raw, "paid"_raw, "row_dual"_raw, "col_dual"_raw,
        "base"_a, "maximize"_a, "transposed"_a, "row_ind"_raw, "col_ind"_raw, "of_rows"_raw, "of_cols"_raw,
        "Write pairs and duals of integers; returns the cost, and whether the duals of the rows fit.");
}

template <class S>
void bind_real(nb::module_& m) {
  m.def("write_real_answer", &write_real<S>, "col_of_row"_raw, "paid"_raw, "row_dual"_raw, "col_dual"_raw,
        "maximize"_a, "transposed"_a, "row_ind"_raw, "col_ind"_raw, "of_rows"_raw, "of_cols"_raw,
        "Write pairs and duals of reals, which are to be minimised; returns the cost.");
}

}  // namespace

void bind_team_answers(nb::module_& m) {
  bind_whole<int32_t>(m);
  bind_whole<int64_t>(m);
  bind_real<float>(m);
  bind_real<double>(m);
  m.def("has_leftover_duals", &some_left_over, "row_of_col"_raw, "col_dual"_raw,
        "Whether a column that no row has has a dual.");
}

}  // namespace konig
