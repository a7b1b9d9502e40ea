// The maximum product transversal as an assignment problem, and back: costs from the moduli of a matrix, and
// the scales of its rows from those of its columns.
//
// A scale is a mantissa in [1/2, 1) times a power of two, whose exponent has 32 bits: scales of matrices with
// entries of 1e-300 and 1e300 are often beyond float64.
#pragma once

#include <cstdint>
#include <vector>

#include "assignment/sums.h"
#include "core/run.h"

namespace konig {

// Finite moduli, row after row, of all entries or of lists; zeros are no entries.
struct Moduli {
  int64_t rows = 0, cols = 0;
  const double* modulus = nullptr;
  const int64_t* start = nullptr;  // rows + 1; null if there is a modulus for every column
  const int32_t* col = nullptr;
};

// The first of these that is NaN or infinite, or -1.
int64_t first_not_finite(const double* numbers, int64_t count);

struct Scales {
  double* mantissa = nullptr;
  int32_t* exponent = nullptr;
};

// The largest modulus of each column, or 0.
std::vector<double> largest_of_cols(const Moduli& matrix, Run& run);

// cost = row_exponent + col_exponent - log2(modulus), infinite for zeros. The exponents, zeros on entry, are
// chosen on the sides asked for (columns, if their largest moduli are given) so that no cost of those is
// negative and each row or column has one of at most 1: what is common to a line takes no digits from its
// costs.
void log_costs(const Moduli& matrix, bool split_rows, const double* largest_of_cols, int32_t* row_exponent,
               int32_t* col_exponent, double* cost, Run& run);

// Column scales from the duals of those costs and from their exponents.
void scale_cols(int64_t cols, const double* col_dual, const int32_t* col_exponent, const Scales& of_cols);

// The largest row scales with which no scaled entry is above 1, in exact arithmetic. A row without entries
// gets the exponent kNoBound.
constexpr int32_t kNoBound = INT32_MAX;

// What is known of chosen entries: the logarithm of their product, and a bound on how much larger another one
// can be, from what the scaled entries lack to 1 in exact arithmetic.
struct ChosenProduct {
  double log_product = 0, gap = 0;
};
// Chooses col_of_row[i] in each row, nothing where that is negative.
ChosenProduct scale_rows(const Moduli& matrix, const int64_t* col_of_row, const Scales& of_cols,
                         const Scales& of_rows, Run& run);

// Moves a power of two from rows to columns if an exponent is beyond `most`, so that the ends of both sides
// are alike: others may stay within it.
void balance_exponents(int32_t* of_rows, int64_t rows, int32_t* of_cols, int64_t cols, int32_t most);

// All of it for lists with no more rows than columns. Unless the outcome is optimal, nothing else is known.
struct ProductOfLists {
  Outcome outcome = Outcome::infeasible;
  ChosenProduct chosen;
};
ProductOfLists product_of_lists(const Moduli& matrix, int64_t* col_of_row, const Scales& of_rows,
                                const Scales& of_cols, Run& run);

}  // namespace konig
