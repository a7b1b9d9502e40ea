#include "assignment/product/transversal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/product/nearly_dominant.h"
#include "assignment/product/parts.h"
#include "assignment/sparse/task.h"
#include "core/exact.h"
#include "core/large_array.h"

namespace konig {
namespace {

using uint128 = unsigned __int128;

constexpr int kDigits = 53;
// Logarithms of float64 numbers, and the exponents added to them, are far below.
constexpr double kLargestCost = 0x1p13;
// What rounding of logarithms explains, for each row: they are far below 1000, and have 16 digits.
constexpr double kGapOfRow = 1e-13;

// visit(position, column) of each entry of a row.
template <class Visit>
void for_entries(const Moduli& matrix, int64_t row, const Visit& visit) {
  if (matrix.start) {
    for (int64_t e = matrix.start[row]; e < matrix.start[row + 1]; ++e) visit(e, int64_t(matrix.col[e]));
  } else {
    for (int64_t j = 0; j < matrix.cols; ++j) visit(row * matrix.cols + j, j);
  }
}

void spend_row(const Moduli& matrix, int64_t row, Run& run) {
  run.spend((matrix.start ? matrix.start[row + 1] - matrix.start[row] : matrix.cols) + 1);
}

constexpr int32_t kNone = std::numeric_limits<int32_t>::min();  // the exponent of a line of zeros, so far

// The largest exponent of each column.
void exponents_of_cols(const Moduli& matrix, int32_t* exponent, Run& run) {
  std::fill(exponent, exponent + matrix.cols, kNone);
  for (int64_t i = 0; i < matrix.rows; ++i) {
    for_entries(matrix, i, [&](int64_t e, int64_t j) {
      if (matrix.modulus[e] > 0)
        exponent[j] = std::max(exponent[j], int32_t(parts_of(matrix.modulus[e]).exponent));
    });
    spend_row(matrix, i, run);
  }
  std::replace(exponent, exponent + matrix.cols, kNone, int32_t(0));
}

}  // namespace

int64_t first_not_finite(const double* numbers, int64_t count) {
  constexpr int64_t kBlock = 1024;  // without a branch inside
  for (int64_t first = 0; first < count; first += kBlock) {
    const int64_t last = std::min(count, first + kBlock);
    double sum = 0;  // of zeros, and of NaN for what is not finite
    for (int64_t k = first; k < last; ++k) sum += 0 * numbers[k];
    if (sum == 0) continue;
    for (int64_t k = first; k < last; ++k)
      if (!std::isfinite(numbers[k])) return k;
  }
  return -1;
}

void log_costs(const Moduli& matrix, bool split_rows, bool split_cols, int32_t* row_exponent,
               int32_t* col_exponent, double* cost, Run& run) {
  if (split_cols) exponents_of_cols(matrix, col_exponent, run);
  // Half of it is left to the rows, so that neither side's scales leave float64 before they must.
  if (split_cols && split_rows)
    for (int64_t j = 0; j < matrix.cols; ++j) col_exponent[j] /= 2;
  if (split_rows) std::fill(row_exponent, row_exponent + matrix.rows, kNone);
  for (int64_t i = 0; i < matrix.rows; ++i) {
    for_entries(matrix, i, [&](int64_t e, int64_t j) {
      if (matrix.modulus[e] == 0) {
        cost[e] = std::numeric_limits<double>::infinity();
        return;
      }
      const Parts parts = parts_of(matrix.modulus[e]);
      const int exponent = parts.exponent - col_exponent[j];
      cost[e] = -std::log2(parts.mantissa) - exponent;
      if (split_rows) row_exponent[i] = std::max(row_exponent[i], int32_t(exponent));
    });
    if (split_rows && row_exponent[i] == kNone) row_exponent[i] = 0;
    // -log2(mantissa) is at most 1: where the exponents cancel, adding keeps all digits that are left.
    if (const int32_t common = row_exponent[i])
      for_entries(matrix, i, [&](int64_t e, int64_t) { cost[e] += common; });
    spend_row(matrix, i, run);
  }
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

// The 53 digits of a mantissa.
uint64_t digits_of(double mantissa) {
  constexpr uint64_t kImplied = uint64_t(1) << (kDigits - 1);
  return (std::bit_cast<uint64_t>(mantissa) & (kImplied - 1)) | kImplied;
}

Product product_of(double modulus, double mantissa, int32_t exponent) {
  const Parts parts = parts_of(modulus);
  const uint128 digits = uint128(digits_of(parts.mantissa)) * digits_of(mantissa);
  const bool is_short = !(digits >> (2 * kDigits - 1));
  return {int64_t(parts.exponent) + exponent - is_short, digits << is_short};
}

// factor * digits = high * 2**53 + low, low < 2**53, for a factor of up to 53 digits.
struct Multiple {
  Multiple(uint64_t factor, uint128 digits) {
    constexpr uint128 kLow = (uint128(1) << kDigits) - 1;
    const uint128 lower = uint128(factor) * uint64_t(digits & kLow);
    high = uint128(factor) * uint64_t(digits >> kDigits) + (lower >> kDigits);
    low = uint64_t(lower & kLow);
  }
  static constexpr uint128 kOne = uint128(1) << (158 - kDigits);  // high, if it is 2**158
  bool is_within() const { return high < kOne || (high == kOne && low == 0); }
  // 1 - factor * digits / 2**(158 + shift), correct to a unit in its last place, for a shift of up to 20.
  double missing(int shift) const {
    const uint128 rest = (kOne << shift) - high;
    const double upper = rest >> 64 ? double(rest) : double(uint64_t(rest));  // the former is a long call
    return (upper * 0x1p53 - double(low)) * (0x1p-158 / double(1 << shift));
  }

  uint128 high;
  uint64_t low;
};

// The largest factor below 2**53 with factor * digits <= 2**158: it is at least 2**52, unless digits are
// 2**105, when 2**53 itself fits and is returned.
uint64_t largest_factor(uint128 digits) {
  if (digits == uint128(1) << 105) return uint64_t(1) << kDigits;
  const double guess = 0x1p158 / (double(uint64_t(digits >> kDigits)) * 0x1p53);
  uint64_t factor = std::min(uint64_t(guess), (uint64_t(1) << kDigits) - 1);
  while (!Multiple(factor, digits).is_within()) --factor;
  while (factor + 1 < uint64_t(1) << kDigits && Multiple(factor + 1, digits).is_within()) ++factor;
  return factor;
}

}  // namespace

void scale_cols(int64_t cols, const double* col_dual, const int32_t* col_exponent, const Scales& of_cols) {
  for (int64_t j = 0; j < cols; ++j) {
    // Exponents have 32 bits. Only chains of millions of rows whose entries differ by 1e300 lead beyond.
    const double whole = std::clamp(std::floor(col_dual[j]), -0x1p29, 0x1p29);
    const Parts parts = parts_of(std::exp2(col_dual[j] - whole));
    of_cols.mantissa[j] = parts.mantissa;
    of_cols.exponent[j] = int32_t(whole) + parts.exponent - col_exponent[j];
  }
}

namespace {

// The scaled entries of a row: the largest, and the chosen one.
struct RowProducts {
  Product largest, chosen;
  double chosen_modulus = 0;
};

// In exact arithmetic, for entries that `may_be_largest` does not leave out.
template <class MayBeLargest>
RowProducts products_of_row(const Moduli& matrix, int64_t row, int64_t chosen_col, const Scales& of_cols,
                            const MayBeLargest& may_be_largest) {
  RowProducts found;
  for_entries(matrix, row, [&](int64_t e, int64_t j) {
    const double modulus = matrix.modulus[e];
    const bool is_chosen = j == chosen_col;
    if ((!is_chosen && !may_be_largest(e, j)) || modulus == 0) return;
    const Product here = product_of(modulus, of_cols.mantissa[j], of_cols.exponent[j]);
    found.largest = std::max(found.largest, here);
    if (!is_chosen) return;
    found.chosen = here;
    found.chosen_modulus = modulus;
  });
  return found;
}

// The scales of columns as float64 numbers, empty unless all are far from its ends.
std::vector<double> plain_scales(const Scales& of_cols, int64_t cols) {
  constexpr int32_t kFar = 500;
  std::vector<double> scale(size_t(cols), 0.0);
  for (int64_t j = 0; j < cols; ++j) {
    const int32_t exponent = of_cols.exponent[j];
    if (exponent > kFar || exponent < -kFar) return {};
    scale[j] = of_cols.mantissa[j] * std::bit_cast<double>(uint64_t(exponent + 1023) << 52);
  }
  return scale;
}

// Finds the products of rows. Rounded ones tell which may be largest, where none leaves float64; else
// exponents do: a product of mantissas is in [1/4, 1).
class LargestProducts {
 public:
  LargestProducts(const Moduli& matrix, const Scales& of_cols)
      : matrix_(matrix), of_cols_(of_cols), scale_(plain_scales(of_cols, matrix.cols)) {}

  RowProducts of_row(int64_t row, int64_t chosen_col) const {
    if (!scale_.empty()) {
      double most = 0;
      for_entries(matrix_, row, [&](int64_t e, int64_t j) { most = std::max(most, rounded(e, j)); });
      if (most > 0x1p-900 && most < 0x1p900) {
        const double least = most * (1 - 0x1p-50);
        return products_of_row(matrix_, row, chosen_col, of_cols_,
                               [&](int64_t e, int64_t j) { return rounded(e, j) >= least; });
      }
    }
    int64_t top = std::numeric_limits<int64_t>::min();
    for_entries(matrix_, row, [&](int64_t e, int64_t j) {
      if (matrix_.modulus[e] > 0) top = std::max(top, exponent(e, j));
    });
    return products_of_row(matrix_, row, chosen_col, of_cols_,
                           [&](int64_t e, int64_t j) { return exponent(e, j) >= top - 1; });
  }

 private:
  double rounded(int64_t e, int64_t j) const { return matrix_.modulus[e] * scale_[j]; }
  int64_t exponent(int64_t e, int64_t j) const {
    return int64_t(parts_of(matrix_.modulus[e]).exponent) + of_cols_.exponent[j];
  }

  const Moduli& matrix_;
  const Scales& of_cols_;
  const std::vector<double> scale_;
};

}  // namespace

ChosenProduct scale_rows(const Moduli& matrix, const int64_t* col_of_row, const Scales& of_cols,
                         const Scales& of_rows, Run& run) {
  LongSum log_product, gap;
  const LargestProducts products(matrix, of_cols);
  for (int64_t i = 0; i < matrix.rows; ++i) {
    const auto [largest, chosen, chosen_modulus] = products.of_row(i, col_of_row[i]);
    if (chosen_modulus > 0) log_product.add(std::log(chosen_modulus));
    spend_row(matrix, i, run);
    if (largest.digits == 0) {
      of_rows.mantissa[i] = 0.5;
      of_rows.exponent[i] = kNoBound;
      continue;
    }
    // scale * digits * 2**(exponent - 106) <= 1 with scale = factor * 2**(-52 - exponent).
    const uint64_t factor = largest_factor(largest.digits);
    const Parts parts = parts_of(double(factor));
    of_rows.mantissa[i] = parts.mantissa;
    of_rows.exponent[i] = int32_t(parts.exponent - 52 - largest.exponent);
    if (chosen.digits == 0) continue;
    const int shift = int(std::min<int64_t>(20, largest.exponent - chosen.exponent));
    const double lacks = Multiple(factor, chosen.digits).missing(shift);
    gap.add(lacks / (1 - lacks));  // >= -log(1 - lacks)
  }
  return {log_product.value(), gap.value() * (1 + 0x1p-30)};
}

void balance_exponents(int32_t* of_rows, int64_t rows, int32_t* of_cols, int64_t cols, int32_t most) {
  if (rows == 0 || cols == 0) return;
  const auto [row_least, row_greatest] = std::minmax_element(of_rows, of_rows + rows);
  const auto [col_least, col_greatest] = std::minmax_element(of_cols, of_cols + cols);
  const int64_t ends[] = {*row_least, *row_greatest, *col_least, *col_greatest};
  if (std::all_of(ends, ends + 4, [&](int64_t end) { return -most <= end && end <= most; })) return;
  const auto move = int32_t((ends[0] + ends[1] - ends[2] - ends[3]) >> 2);
  for (int64_t i = 0; i < rows; ++i) of_rows[i] -= move;
  for (int64_t j = 0; j < cols; ++j) of_cols[j] += move;
}

ProductOfLists product_of_lists(const Moduli& matrix, int64_t* col_of_row, const Scales& of_rows,
                                const Scales& of_cols, Run& run) {
  const size_t rows = size_t(matrix.rows), cols = size_t(matrix.cols);
  ProductOfLists found;
  if (match_nearly_dominant(matrix, col_of_row, of_cols, run)) {
    found.outcome = Outcome::optimal;
    found.chosen = scale_rows(matrix, col_of_row, of_cols, of_rows, run);
    if (found.chosen.gap <= kGapOfRow * double(rows)) return found;
  }
  LargeArray<double> cost(size_t(matrix.start[rows]));
  std::vector<int32_t> row_exponent(rows, 0), col_exponent(cols, 0);
  std::vector<double> row_dual(rows), col_dual(cols);
  // Exponents can be split off lines that are all assigned. Those of the longer side compete.
  log_costs(matrix, true, rows == cols, row_exponent.data(), col_exponent.data(), cost.data(), run);
  const SparseTask<double> task{{matrix.rows, matrix.cols, matrix.start, matrix.col, cost.data()},
                                kLargestCost};
  SparseAnswer<double> answer{col_of_row, row_dual.data(), col_dual.data()};
  HallViolator violator;
  found.outcome = sparse_jv(task, answer, violator, run);
  if (found.outcome != Outcome::optimal) return found;
  scale_cols(matrix.cols, col_dual.data(), col_exponent.data(), of_cols);
  found.chosen = scale_rows(matrix, col_of_row, of_cols, of_rows, run);
  return found;
}

}  // namespace konig
