#include "assignment/product_transversal.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace konig {
namespace {

using uint128 = unsigned __int128;

constexpr int kDigits = 53;

// number = mantissa * 2**exponent with 1/2 <= mantissa < 1, for positive finite numbers.
struct Parts {
  double mantissa;
  int exponent;
};

Parts parts_of(double number) {
  int exponent;
  const double mantissa = std::frexp(number, &exponent);
  return {mantissa, exponent};
}

// visit(position, column) of each entry of a row.
template <class Visit>
void for_entries(const Moduli& matrix, int64_t row, const Visit& visit) {
  if (matrix.start) {
    for (int64_t e = matrix.start[row]; e < matrix.start[row + 1]; ++e) visit(e, int64_t(matrix.col[e]));
  } else {
    for (int64_t j = 0; j < matrix.cols; ++j) visit(row * matrix.cols + j, j);
  }
}

// visit(row, position, column) of every entry.
template <class Visit>
void for_all_entries(const Moduli& matrix, Run& run, const Visit& visit) {
  for (int64_t i = 0; i < matrix.rows; ++i) {
    for_entries(matrix, i, [&](int64_t e, int64_t j) { visit(i, e, j); });
    run.spend((matrix.start ? matrix.start[i + 1] - matrix.start[i] : matrix.cols) + 1);
  }
}

constexpr int32_t kNone = std::numeric_limits<int32_t>::min();

// Of lines that nothing was found for.
void clear_none(int32_t* exponent, int64_t lines) {
  std::replace(exponent, exponent + lines, kNone, int32_t(0));
}

}  // namespace

int64_t log_costs(const Moduli& matrix, bool scale_rows, bool scale_cols, int32_t* row_exponent,
                  int32_t* col_exponent, double* cost, Run& run) {
  int64_t bad = -1;
  if (scale_rows) std::fill(row_exponent, row_exponent + matrix.rows, kNone);
  if (scale_cols) std::fill(col_exponent, col_exponent + matrix.cols, kNone);
  for_all_entries(matrix, run, [&](int64_t, int64_t e, int64_t j) {
    const double modulus = matrix.modulus[e];
    if (!(modulus <= std::numeric_limits<double>::max())) {
      if (bad < 0) bad = e;
    } else if (scale_cols && modulus > 0) {
      col_exponent[j] = std::max(col_exponent[j], int32_t(parts_of(modulus).exponent));
    }
  });
  if (bad >= 0) return bad;
  if (scale_cols) clear_none(col_exponent, matrix.cols);
  // Half of it is left to the rows, so that neither side's scales leave float64 before they must.
  if (scale_cols && scale_rows)
    for (int64_t j = 0; j < matrix.cols; ++j) col_exponent[j] /= 2;
  for (int64_t i = 0; i < matrix.rows; ++i) {
    for_entries(matrix, i, [&](int64_t e, int64_t j) {
      if (matrix.modulus[e] == 0) {
        cost[e] = std::numeric_limits<double>::infinity();
        return;
      }
      const Parts parts = parts_of(matrix.modulus[e]);
      const int exponent = parts.exponent - col_exponent[j];
      cost[e] = -std::log2(parts.mantissa) - exponent;
      if (scale_rows) row_exponent[i] = std::max(row_exponent[i], int32_t(exponent));
    });
    if (scale_rows && row_exponent[i] == kNone) row_exponent[i] = 0;
    // -log2(mantissa) is at most 1: where the exponents cancel, adding keeps all digits that are left.
    if (const int32_t common = row_exponent[i])
      for_entries(matrix, i, [&](int64_t e, int64_t) { cost[e] += common; });
    run.spend((matrix.start ? matrix.start[i + 1] - matrix.start[i] : matrix.cols) + 1);
  }
  return -1;
}

namespace {

// A product of two mantissas in exact arithmetic, as an integer in [2**105, 2**106) times 2**(exponent -
// 106).
struct Product {
  int64_t exponent = std::numeric_limits<int64_t>::min();
  uint128 digits = 0;

  bool operator<(const Product& other) const {
    return exponent != other.exponent ? exponent < other.exponent : digits < other.digits;
  }
};

uint64_t digits_of(double mantissa) { return uint64_t(std::ldexp(mantissa, kDigits)); }

Product product_of(double modulus, double mantissa, int32_t exponent) {
  const Parts parts = parts_of(modulus);
  const uint128 digits = uint128(digits_of(parts.mantissa)) * digits_of(mantissa);
  const int64_t sum = int64_t(parts.exponent) + exponent;
  return digits >> (2 * kDigits - 1) ? Product{sum, digits} : Product{sum - 1, digits << 1};
}

// Whether factor * digits <= 2**158, for a factor of up to 53 digits.
bool is_within(uint64_t factor, uint128 digits) {
  constexpr uint128 kLow = (uint128(1) << kDigits) - 1;
  const uint128 low = uint128(factor) * uint64_t(digits & kLow);
  const uint128 high = uint128(factor) * uint64_t(digits >> kDigits) + (low >> kDigits);
  const uint128 bound = uint128(1) << (158 - kDigits);
  return high < bound || (high == bound && (low & kLow) == 0);
}

// The largest factor below 2**53 with factor * digits <= 2**158: it is at least 2**52, unless digits are
// 2**105, when 2**53 itself fits and is returned.
uint64_t largest_factor(uint128 digits) {
  if (digits == uint128(1) << 105) return uint64_t(1) << kDigits;
  const double guess = 0x1p158 / (double(uint64_t(digits >> kDigits)) * 0x1p53);
  uint64_t factor = std::min(uint64_t(guess), (uint64_t(1) << kDigits) - 1);
  while (!is_within(factor, digits)) --factor;
  while (factor + 1 < uint64_t(1) << kDigits && is_within(factor + 1, digits)) ++factor;
  return factor;
}

}  // namespace

void scale_rows(const Moduli& matrix, const Scales& of_cols, const Scales& of_rows, Run& run) {
  for (int64_t i = 0; i < matrix.rows; ++i) {
    Product largest;
    for_entries(matrix, i, [&](int64_t e, int64_t j) {
      if (matrix.modulus[e] > 0)
        largest = std::max(largest, product_of(matrix.modulus[e], of_cols.mantissa[j], of_cols.exponent[j]));
    });
    run.spend((matrix.start ? matrix.start[i + 1] - matrix.start[i] : matrix.cols) + 1);
    if (largest.digits == 0) {
      of_rows.mantissa[i] = 0.5;
      of_rows.exponent[i] = kNoBound;
      continue;
    }
    // scale * digits * 2**(exponent - 106) <= 1 with scale = factor * 2**(-52 - exponent).
    const Parts parts = parts_of(double(largest_factor(largest.digits)));
    of_rows.mantissa[i] = parts.mantissa;
    of_rows.exponent[i] = int32_t(parts.exponent - 52 - largest.exponent);
  }
}

}  // namespace konig
