// The maximum product transversal as an assignment problem, and back: costs from the moduli of a matrix, and
// the scales of its rows from those of its columns.
//
// A scale is a mantissa in [1/2, 1) times a power of two, whose exponent has 32 bits: scales of matrices with
// entries of 1e-300 and 1e300 are often beyond float64.
#pragma once

#include <cstdint>

#include "core/run.h"

namespace konig {

// Moduli, row after row, of all entries or of lists; zeros are no entries.
struct Moduli {
  int64_t rows = 0, cols = 0;
  const double* modulus = nullptr;
  const int64_t* start = nullptr;  // rows + 1; null if there is a modulus for every column
  const int32_t* col = nullptr;
};

struct Scales {
  double* mantissa = nullptr;
  int32_t* exponent = nullptr;
};

// cost = row_exponent + col_exponent - log2(modulus), infinite for zeros. The exponents, zeros on entry, are
// chosen on the sides asked for so that no cost of those is negative and each row or column has one of at
// most 1: what is common to a line takes no digits from its costs. Returns the first entry that is not
// finite, or -1.
int64_t log_costs(const Moduli& matrix, bool scale_rows, bool scale_cols, int32_t* row_exponent,
                  int32_t* col_exponent, double* cost, Run& run);

// The largest row scales with which no scaled entry is above 1, in exact arithmetic. A row without entries
// gets the exponent kNoBound.
constexpr int32_t kNoBound = INT32_MAX;
void scale_rows(const Moduli& matrix, const Scales& of_cols, const Scales& of_rows, Run& run);

}  // namespace konig
