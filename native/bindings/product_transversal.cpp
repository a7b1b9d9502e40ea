// Costs and scales of maximum product transversals.
#include "assignment/product/transversal.h"

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
      "first_not_finite",
      [](In<double> numbers) {
        nb::gil_scoped_release released;
        return first_not_finite(numbers.data(), int64_t(numbers.size()));
      },
      "numbers"_raw, "The first of these that is NaN or infinite, or -1.");
  m.def(
      "log_costs",
      [](const std::optional<In<int64_t>>& start, const std::optional<In<int32_t>>& col, In<double> modulus,
         bool split_rows, bool split_cols, Out<int32_t> row_exponent, Out<int32_t> col_exponent,
         Out<double> cost) {
        const Moduli matrix =
            matrix_of(start, col, modulus, int64_t(row_exponent.size()), int64_t(col_exponent.size()));
        run_released(nb::none(), [&](Run& run) {
          const auto largest = split_cols ? largest_of_cols(matrix, run) : std::vector<double>();
          log_costs(matrix, split_rows, split_cols ? largest.data() : nullptr, row_exponent.data(),
                    col_exponent.data(), cost.data(), run);
        });
      },
      "start"_raw.none(), "col"_raw.none(), "modulus"_raw, "split_rows"_a, "split_cols"_a, "row_exponent"_raw,
      "col_exponent"_raw, "cost"_raw,
      "Costs row_exponent + col_exponent - log2(modulus), with exponents, zeros on entry, that keep them "
      "small "
      "on the sides asked for.");
  m.def(
      "scale_product",
      [](const std::optional<In<int64_t>>& start, const std::optional<In<int32_t>>& col, In<double> modulus,
         In<int64_t> col_of_row, In<double> col_dual, In<int32_t> exponent, Out<double> row_mantissa,
         Out<int32_t> row_exponent, Out<double> col_mantissa, Out<int32_t> col_exponent) {
        const Moduli matrix =
            matrix_of(start, col, modulus, int64_t(row_exponent.size()), int64_t(col_exponent.size()));
        const Scales of_rows{row_mantissa.data(), row_exponent.data()},
            of_cols{col_mantissa.data(), col_exponent.data()};
        ChosenProduct chosen;
        run_released(nb::none(), [&](Run& run) {
          scale_cols(matrix.cols, col_dual.data(), exponent.data(), of_cols);
          chosen = scale_rows(matrix, col_of_row.data(), of_cols, of_rows, run);
        });
        return nb::make_tuple(chosen.log_product, chosen.gap);
      },
      "start"_raw.none(), "col"_raw.none(), "modulus"_raw, "col_of_row"_raw, "col_dual"_raw, "exponent"_raw,
      "row_mantissa"_raw, "row_exponent"_raw, "col_mantissa"_raw, "col_exponent"_raw,
      "Column scales from the duals of log_costs and its exponents, and the largest row scales with which no "
      "scaled entry is above 1 (exponent NO_BOUND for rows without entries). The logarithm of the product of "
      "the chosen entries, and a bound on how much larger another one is.");
  m.def(
      "balance_exponents",
      [](Out<int32_t> of_rows, Out<int32_t> of_cols, int32_t most) {
        balance_exponents(of_rows.data(), int64_t(of_rows.size()), of_cols.data(), int64_t(of_cols.size()),
                          most);
      },
      "of_rows"_raw, "of_cols"_raw, "most"_a,
      "Move a power of two from rows to columns if scales would leave float64 and others would not.");
  m.def(
      "product_of_lists",
      [](In<int64_t> start, In<int32_t> col, In<double> modulus, Out<int64_t> col_of_row,
         Out<double> row_mantissa, Out<int32_t> row_exponent, Out<double> col_mantissa,
         Out<int32_t> col_exponent, nb::object progress) {
        const int64_t rows = int64_t(row_exponent.size()), cols = int64_t(col_exponent.size());
        const Moduli matrix{rows, cols, modulus.data(), start.data(), col.data()};
        const Scales of_rows{row_mantissa.data(), row_exponent.data()},
            of_cols{col_mantissa.data(), col_exponent.data()};
        ProductOfLists found;
        const nb::dict stats = run_released(progress, [&](Run& run) {
          found = product_of_lists(matrix, col_of_row.data(), of_rows, of_cols, run);
        });
        return nb::make_tuple(found.outcome == Outcome::optimal, found.chosen.log_product, found.chosen.gap,
                              stats);
      },
      "start"_raw, "col"_raw, "modulus"_raw, "col_of_row"_raw, "row_mantissa"_raw, "row_exponent"_raw,
      "col_mantissa"_raw, "col_exponent"_raw, "progress"_a.none(),
      "A maximum product transversal of lists with no more rows than columns, and its scales: "
      "(whether all rows have an entry in it, the logarithm of the product, the gap, counts).");
}

}  // namespace konig
