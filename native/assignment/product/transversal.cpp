#include "assignment/product/transversal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "assignment/product/logarithms.h"
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
constexpr double kRounding = 1e-13;  // of a unit of logarithms

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

int64_t entries_of(const Moduli& matrix) {
  return matrix.start ? matrix.start[matrix.rows] : matrix.rows * matrix.cols;
}

constexpr int32_t kNone = std::numeric_limits<int32_t>::min();  // the exponent of a line of zeros, so far

}  // namespace

int64_t first_not_finite(const double* numbers, int64_t count) {
  constexpr int64_t kBlock = 1024;  // without a branch inside
  constexpr uint64_t kExponent = uint64_t(0x7FF) << 52, kLowest = uint64_t(1) << 52;
  for (int64_t first = 0; first < count; first += kBlock) {
    const int64_t last = std::min(count, first + kBlock);
    uint64_t carries = 0;  // past the sign, from an exponent of ones alone
    for (int64_t k = first; k < last; ++k)
      carries |= (std::bit_cast<uint64_t>(numbers[k]) & kExponent) + kLowest;
    if (!(carries >> 63)) continue;
    for (int64_t k = first; k < last; ++k)
      if (!std::isfinite(numbers[k])) return k;
  }
  return -1;
}

std::vector<double> largest_of_cols(const Moduli& matrix, Run& run) {
  std::vector<double> largest(size_t(matrix.cols), 0.0);
  for (int64_t i = 0; i < matrix.rows; ++i) {
    for_entries(matrix, i,
                [&](int64_t e, int64_t j) { largest[j] = std::max(largest[j], matrix.modulus[e]); });
    spend_row(matrix, i, run);
  }
  return largest;
}

void log_costs(const Moduli& matrix, bool split_rows, const double* largest_of_cols, int32_t* row_exponent,
               int32_t* col_exponent, double* cost, Run& run) {
  // Half of it is left to the rows, so that neither side's scales leave float64 before they must.
  if (largest_of_cols)
    for (int64_t j = 0; j < matrix.cols; ++j)
      if (largest_of_cols[j] > 0) col_exponent[j] = exponent_of(largest_of_cols[j]) / (split_rows ? 2 : 1);
  negative_logs_of_mantissas(matrix.modulus, entries_of(matrix), cost);
  for (int64_t i = 0; i < matrix.rows; ++i) {
    int32_t largest = kNone;
    if (split_rows)
      for_entries(matrix, i, [&](int64_t e, int64_t j) {
        if (matrix.modulus[e] > 0) [[likely]]
          largest = std::max(largest, exponent_of(matrix.modulus[e]) - col_exponent[j]);
      });
    if (largest != kNone) row_exponent[i] = largest;
    // -log2(mantissa) is at most 1: where the exponents cancel, adding keeps all digits that are left.
    for_entries(matrix, i, [&](int64_t e, int64_t j) {
      const double modulus = matrix.modulus[e];
      if (!(modulus >= std::numeric_limits<double>::min())) [[unlikely]] {
        cost[e] = -std::log2(parts_of(modulus).mantissa);  // infinite, or that of a subnormal number
        if (modulus == 0) return;
      }
      cost[e] += row_exponent[i] + col_exponent[j] - exponent_of(modulus);
    });
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
    return (exponent < other.exponent) | ((exponent == other.exponent) & (digits < other.digits));
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
  // 1 - factor * digits / 2**(158 + shift), correct to a unit in its last place, for a shift of up to 20.
  double missing(int shift) const {
    constexpr uint128 kOne = uint128(1) << (158 - kDigits);
    const uint128 rest = (kOne << shift) - high;
    const double upper = rest >> 64 ? double(rest) : double(uint64_t(rest));  // the former is a long call
    return (upper * 0x1p53 - double(low)) * std::bit_cast<double>(uint64_t(1023 - 158 - shift) << 52);
  }

  uint128 high;
  uint64_t low;
};

// The largest factor below 2**53 with factor * digits <= 2**158: it is at least 2**52, unless digits are
// 2**105, when 2**53 itself fits and is returned.
uint64_t largest_factor(uint128 digits) {
  // Less than 3 off, with the rounding of the quotient; its rest, below 2**109, is known modulo 2**128.
  const double quotient = 0x1p158 / (double(uint64_t(digits >> kDigits)) * 0x1p53);
  const uint64_t factor = uint64_t(quotient) - 3;
  const auto rest = __int128(-(uint128(factor) * digits)), unit = __int128(digits);
  return factor + (rest >= unit) + (rest >= 2 * unit) + (rest >= 3 * unit) + (rest >= 4 * unit) +
         (rest >= 5 * unit);
}

// A product of many numbers with 62 digits, of any size.
class LongProduct {
 public:
  void multiply(double number) {
    const Parts parts = parts_of(number);
    const uint128 product = uint128(digits_) * (digits_of(parts.mantissa) << (64 - kDigits));
    const int is_short = !(product >> 127);
    digits_ = uint64_t((product << is_short) >> 64);
    exponent_ += parts.exponent - is_short;
  }
  double log() const {
    if (exponent_ > -1000 && exponent_ < 1000)
      return std::log(std::ldexp(double(digits_), int(exponent_) - 64));
    constexpr double kLn2 = std::numbers::ln2, kRestOfLn2 = 0x1.abc9e3b39803fp-56;
    const double power = double(exponent_), rounded = power * kLn2;
    return rounded +
           (std::log(double(digits_) * 0x1p-64) + std::fma(power, kLn2, -rounded) + power * kRestOfLn2);
  }

 private:
  uint64_t digits_ = uint64_t(1) << 63;  // times 2**(exponent - 64)
  int64_t exponent_ = 1;
};

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

// Finds the products of rows in exact arithmetic. Rounded ones tell where the largest is the chosen one, if
// none leaves float64. No branch depends on which entry is the largest.
class LargestProducts {
 public:
  LargestProducts(const Moduli& matrix, const Scales& of_cols)
      : matrix_(matrix), of_cols_(of_cols), scale_(plain_scales(of_cols, matrix.cols)) {}

  RowProducts of_row(int64_t row, int64_t chosen_col) const {
    if (!scale_.empty()) {
      double most = 0, second = 0;
      int64_t largest = -1, col = -1;
      for_entries(matrix_, row, [&](int64_t e, int64_t j) {
        const double here = matrix_.modulus[e] * scale_[j];
        largest = here > most ? e : largest;
        col = here > most ? j : col;
        second = std::max(second, std::min(most, here));
        most = std::max(most, here);
      });
      if (col == chosen_col && most > 0x1p-900 && most < 0x1p900 && second < most * (1 - 0x1p-50)) {
        const Product product = product_at(largest, col);
        return {product, product, matrix_.modulus[largest]};
      }
    }
    return by_digits(row, chosen_col);
  }

 private:
  RowProducts by_digits(int64_t row, int64_t chosen_col) const {
    RowProducts found;
    int64_t chosen = -1;
    for_entries(matrix_, row, [&](int64_t e, int64_t j) {
      if (matrix_.modulus[e] == 0) return;
      chosen = j == chosen_col ? e : chosen;
      const Product here = product_at(e, j);
      const bool is_more = found.largest < here;
      found.largest.exponent = is_more ? here.exponent : found.largest.exponent;
      found.largest.digits = is_more ? here.digits : found.largest.digits;
    });
    if (chosen < 0) return found;
    found.chosen = product_at(chosen, chosen_col);
    found.chosen_modulus = matrix_.modulus[chosen];
    return found;
  }

  Product product_at(int64_t e, int64_t j) const {
    return product_of(matrix_.modulus[e], of_cols_.mantissa[j], of_cols_.exponent[j]);
  }

  const Moduli& matrix_;
  const Scales& of_cols_;
  const std::vector<double> scale_;
};

// At least -log(1 - lacks), which is at most lacks / (1 - lacks), and but for a part of 2**-26 no more than
// that.
double gap_of(double lacks) { return lacks < 0x1p-26 ? lacks * (1 + 2 * lacks) : lacks / (1 - lacks); }

}  // namespace

ChosenProduct scale_rows(const Moduli& matrix, const int64_t* col_of_row, const Scales& of_cols,
                         const Scales& of_rows, Run& run) {
  LongProduct product;
  LongSum gap;
  const LargestProducts products(matrix, of_cols);
  for (int64_t i = 0; i < matrix.rows; ++i) {
    const auto [largest, chosen, chosen_modulus] = products.of_row(i, col_of_row[i]);
    if (chosen_modulus > 0) product.multiply(chosen_modulus);
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
    gap.add(gap_of(lacks));
  }
  return {product.log(), gap.value() * (1 + 0x1p-30)};
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

namespace {

// What rounding of logarithms explains of a gap: they have 16 digits, and so have differences of the scales'.
double explained_gap(const Moduli& matrix, const Scales& of_rows, const Scales& of_cols) {
  int64_t sizes = matrix.rows;
  for (int64_t i = 0; i < matrix.rows; ++i) sizes += std::abs(of_rows.exponent[i]);
  for (int64_t j = 0; j < matrix.cols; ++j) sizes += std::abs(of_cols.exponent[j]);
  return kRounding * double(sizes);
}

}  // namespace

ProductOfLists product_of_lists(const Moduli& matrix, int64_t* col_of_row, const Scales& of_rows,
                                const Scales& of_cols, Run& run) {
  const size_t rows = size_t(matrix.rows), cols = size_t(matrix.cols);
  ProductOfLists found{Outcome::optimal, {}};
  const auto scales_prove_it = [&] {
    found.chosen = scale_rows(matrix, col_of_row, of_cols, of_rows, run);
    return found.chosen.gap <= explained_gap(matrix, of_rows, of_cols);
  };
  // Exponents can be split off lines that are all assigned. Those of the longer side compete.
  const std::vector<double> largest = rows == cols ? largest_of_cols(matrix, run) : std::vector<double>();
  if (match_nearly_dominant(matrix, largest.data(), col_of_row, of_cols, run) && scales_prove_it())
    return found;
  LargeArray<double> cost(size_t(matrix.start[rows]));
  std::vector<int32_t> row_exponent(rows, 0), col_exponent(cols, 0);
  std::vector<double> row_dual(rows), col_dual(cols);
  log_costs(matrix, true, rows == cols ? largest.data() : nullptr, row_exponent.data(), col_exponent.data(),
            cost.data(), run);
  SparseTask<double> task{{matrix.rows, matrix.cols, matrix.start, matrix.col, cost.data()}, kLargestCost};
  SparseAnswer<double> answer{col_of_row, row_dual.data(), col_dual.data()};
  HallViolator violator;
  for (const bool is_proved : {false, true}) {
    task.is_proved = is_proved;
    found.outcome = sparse_jv(task, answer, violator, run);
    if (found.outcome != Outcome::optimal) break;
    scale_cols(matrix.cols, col_dual.data(), col_exponent.data(), of_cols);
    if (scales_prove_it()) break;
  }
  return found;
}

}  // namespace konig
