// Duals on their way out: do they fit their type, and do they keep the promise made for real costs?
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "sequential/assignment/dense_scans.h"

namespace konig {

enum class Outcome { optimal, infeasible, duals_too_large };

// Duals of integers are integers. The sum of integer costs may need 128 bits.
template <class S>
using DualOf = std::conditional_t<std::is_integral_v<S>, int64_t, double>;
template <class S>
using TotalOf = std::conditional_t<std::is_integral_v<S>, int128, double>;

// The sum of costs: exact for integers, compensated for reals.
template <class S>
struct Total {
  void add(S cost) {
    if constexpr (std::is_integral_v<S>) {
      sum += cost;
    } else {
      // What a sum loses is found without asking which of the two is larger, and so without a jump (Knuth).
      const double x = double(cost), next = sum + x, of_x = next - sum;
      rest += (sum - (next - of_x)) + (x - of_x);
      sum = next;
    }
  }
  TotalOf<S> value() const {
    if constexpr (std::is_integral_v<S>)
      return sum;
    else
      return std::isfinite(rest) ? sum + rest : sum;
  }
  TotalOf<S> sum = 0;
  double rest = 0;
};

// ---- integers. P has row_dual(i) and col_dual(j).

template <class P>
bool fits(const P& paths, int64_t rows, int64_t cols, int128 shift) {
  const int128 most = std::numeric_limits<int64_t>::max();
  const auto beyond = [&](int128 dual) { return dual > most || dual < -most; };
  for (int64_t j = 0; j < cols; ++j)
    if (beyond(paths.col_dual(j) - shift)) return false;
  for (int64_t i = 0; i < rows; ++i)
    if (beyond(paths.row_dual(i) + shift)) return false;
  return true;
}

// What to take from the column duals of a square and add to its row duals so that the largest of all is as
// small as it can be.
template <class P>
int128 middle_of_duals(const P& paths, int64_t rows) {
  int128 least = Bounds<int128>::top, most = -Bounds<int128>::top;
  for (int64_t i = 0; i < rows; ++i) {
    const int128 row = -paths.row_dual(i), col = paths.col_dual(i);
    least = std::min({least, row, col});
    most = std::max({most, row, col});
  }
  return rows ? least + (most - least) / 2 : 0;
}

// How far to move the duals so that all of them fit into 64 bits; on a rectangle they cannot be moved.
template <class P>
bool fitting_shift(const P& paths, int64_t rows, int64_t cols, int128& shift) {
  shift = 0;
  if (fits(paths, rows, cols, shift)) return true;
  if (rows < cols) return false;
  shift = middle_of_duals(paths, rows);
  return fits(paths, rows, cols, shift);
}

// ---- reals

template <class S>
double unit_in_last_place(S x) {
  using Bits = std::conditional_t<sizeof(S) == 8, int64_t, int32_t>;
  const S size = std::abs(x);
  if (!std::isfinite(size)) return std::numeric_limits<double>::quiet_NaN();
  return double(std::bit_cast<S>(Bits(std::bit_cast<Bits>(size) + 1))) - double(size);
}

// Whether a row keeps the promise whose assigned slack, the row's dual, is `held` and whose smallest slack is
// `least`. A slack is rounded by half a unit in its last place, and the difference of two slacks once more.
inline bool within(double allowed, double held, double least) {
  const double excess = held - least;
  // Nearly always this is enough: a unit is at most 2^-52 of a number, or the least number there is.
  const double bound = std::max(excess, 0.0) + 0x1p-51 * (std::abs(held) + std::abs(least)) + 0x1p-1070;
  if (bound * (1 + 0x1p-50) <= allowed) return true;
  const double rounding = (excess > 0 ? unit_in_last_place(excess) : 0) + unit_in_last_place(least) / 2;
  return excess + rounding <= allowed && unit_in_last_place(held) / 2 <= allowed;
}

inline bool all_finite(const double* dual, int64_t count) {
  return std::all_of(dual, dual + count, [](double d) { return std::isfinite(d); });
}

// Real costs times 2^exponent as integers; the largest integer stands for a forbidden pair. With 61 minus the
// exponent of the largest cost they are within 2^62, multiples of a 512th of its last place.
template <class S>
std::vector<int64_t> in_grid(SignedCosts<S> cost, int64_t count, int exponent) {
  std::vector<int64_t> integers(count);
  for (int64_t k = 0; k < count; ++k)
    integers[k] = std::isinf(cost.data[k]) ? std::numeric_limits<int64_t>::max()
                                           : std::llround(std::ldexp(double(cost[k]), exponent));
  return integers;
}

}  // namespace konig
