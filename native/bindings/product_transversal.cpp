// Costs and scales of maximum product transversals.
#include "assignment/product_transversal.h"

#include "bindings/bindings.h"

namespace konig {

namespace {

Moduli matrix_of(const std::optional<In<int64_t>>& start, const std::optional<In<int32_t>>& col,
                 const In<double>& modulus, int64_t rows, int64_t cols) {
  Moduli matrix{rows, cols, modulus.data()};
  if (start) {
    matrix.start = start->data();
    matrix.col = col->data();
  }
  return matrix;
}

}  // namespace

void bind_product_transversal(nb::module_& m) {
  m.attr("NO_BOUND") = kNoBound;
  m.def(
      "log_costs",
      [](const std::optional<In<int64_t>>& start, const std::optional<In<int32_t>>& col, In<double> modulus,
         bool scale_rows, bool scale_cols, Out<int32_t> row_exponent, Out<int32_t> col_exponent,
         Out<double> cost) {
        const Moduli matrix =
            matrix_of(start, col, modulus, int64_t(row_exponent.size()), int64_t(col_exponent.size()));
        int64_t bad = -1;
        run_released(nb::none(), [&](Run& run) {
          bad = log_costs(matrix, scale_rows, scale_cols, row_exponent.data(), col_exponent.data(),
                          cost.data(), run);
        });
        return bad;
      },
      "start"_raw.none(), "col"_raw.none(), "modulus"_raw, "scale_rows"_a, "scale_cols"_a, "row_exponent"_raw,
      "col_exponent"_raw, "cost"_raw,
      "Costs row_exponent + col_exponent - log2(modulus), with exponents, zeros on entry, that keep them "
      "small "
      "on the sides asked for. The first entry that is not finite, or -1.");
  m.def(
      "scale_rows",
      [](const std::optional<In<int64_t>>& start, const std::optional<In<int32_t>>& col, In<double> modulus,
         In<double> col_mantissa, In<int32_t> col_exponent, Out<double> row_mantissa,
         Out<int32_t> row_exponent) {
        const Moduli matrix =
            matrix_of(start, col, modulus, int64_t(row_exponent.size()), int64_t(col_exponent.size()));
        const Scales of_cols{const_cast<double*>(col_mantissa.data()),
                             const_cast<int32_t*>(col_exponent.data())};
        run_released(nb::none(), [&](Run& run) {
          scale_rows(matrix, of_cols, {row_mantissa.data(), row_exponent.data()}, run);
        });
      },
      "start"_raw.none(), "col"_raw.none(), "modulus"_raw, "col_mantissa"_raw, "col_exponent"_raw,
      "row_mantissa"_raw, "row_exponent"_raw,
      "The largest row scales with which no scaled entry is above 1; exponent NO_BOUND for rows without "
      "entries.");
}

}  // namespace konig
