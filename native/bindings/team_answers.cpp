// Answers that programs on a team have found, in whole numbers, as callers get them: pairs of the caller's
// rows and columns, rows ascending, duals in the caller's numbers, and the cost.
#include <limits>

#include "assignment/answer.h"
#include "bindings/bindings.h"

namespace konig {
namespace {

// Where the answer goes. `of_rows` and `of_cols` are the duals of the solver's sides: it has the shorter one
// as rows, and if these are the caller's columns it is `transposed`.
struct Written {
  Out<int64_t> row_ind, col_ind;
  bool transposed;

  void pairs(const In<int32_t>& col_of_row, int64_t cols) const {
    const int64_t rows = int64_t(col_of_row.shape(0));
    if (int64_t(row_ind.shape(0)) != rows || int64_t(col_ind.shape(0)) != rows)
      throw nb::value_error("there is a pair for each row");
    for (int64_t i = 0; i < rows; ++i) {
      if (col_of_row(i) < 0 || col_of_row(i) >= cols) throw nb::value_error("a row has no column");
      row_ind(i) = i;
      col_ind(i) = col_of_row(i);
    }
    if (transposed) transpose_pairs(row_ind.data(), col_ind.data(), cols, rows);
  }
};

template <class First, class... Others>
void require_one_side(const First& first, const Others&... others) {
  if (((others.shape(0) != first.shape(0)) || ...))
    throw nb::value_error("arrays of one side differ in length");
}

// value = cost - base, or base - cost when maximising. Returns the cost, and whether the duals fit: if not,
// other ones have to be found and written.
template <class S>
nb::tuple write_whole(In<int32_t> col_of_row, In<S> paid, In<int64_t> row_dual, In<int64_t> col_dual,
                      int64_t base, bool maximize, bool transposed, Out<int64_t> row_ind,
                      Out<int64_t> col_ind, Out<int64_t> of_rows, Out<int64_t> of_cols) {
  require_one_side(col_of_row, paid, row_dual, of_rows);
  require_one_side(col_dual, of_cols);
  const int64_t rows = int64_t(row_dual.shape(0)), cols = int64_t(col_dual.shape(0));
  Written{row_ind, col_ind, transposed}.pairs(col_of_row, cols);
  const int64_t sign = maximize ? -1 : 1;
  for (int64_t j = 0; j < cols; ++j) of_cols(j) = sign * col_dual(j);
  bool fits = true;
  for (int64_t i = 0; i < rows; ++i) {
    const int128 dual = int128(base) + sign * row_dual(i);
    fits =
        fits && dual <= std::numeric_limits<int64_t>::max() && dual >= -std::numeric_limits<int64_t>::max();
    of_rows(i) = int64_t(dual);
  }
  const auto total = total_of<S>(rows, [&](int64_t i) { return paid(i); });
  return nb::make_tuple(as_number(total), fits);
}

// The duals are to be minimised. Returns the cost, which is infinite where the sum is.
template <class S>
nb::object write_real(In<int32_t> col_of_row, In<S> paid, In<double> row_dual, In<double> col_dual,
                      bool maximize, bool transposed, Out<int64_t> row_ind, Out<int64_t> col_ind,
                      Out<double> of_rows, Out<double> of_cols) {
  require_one_side(col_of_row, paid, row_dual, of_rows);
  require_one_side(col_dual, of_cols);
  const int64_t rows = int64_t(row_dual.shape(0)), cols = int64_t(col_dual.shape(0));
  Written{row_ind, col_ind, transposed}.pairs(col_of_row, cols);
  const double sign = maximize ? -1 : 1;  // and no negative zero
  for (int64_t i = 0; i < rows; ++i) of_rows(i) = sign * row_dual(i) + 0.0;
  for (int64_t j = 0; j < cols; ++j) of_cols(j) = sign * col_dual(j) + 0.0;
  return as_number(total_of<S>(rows, [&](int64_t i) { return paid(i); }));
}

bool has_leftover_duals(In<int32_t> row_of_col, In<int64_t> col_dual) {
  require_one_side(row_of_col, col_dual);
  bool some = false;
  for (size_t j = 0; j < row_of_col.shape(0); ++j) some |= row_of_col(j) < 0 && col_dual(j) != 0;
  return some;
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
  m.def("has_leftover_duals", &has_leftover_duals, "row_of_col"_raw, "col_dual"_raw,
        "Whether a column that no row has has a dual.");
}

}  // namespace konig
