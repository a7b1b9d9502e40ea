// What a solve ends in: its outcome, the sum of the costs, and whether integer duals fit their type.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "core/exact.h"

namespace konig {

enum class Outcome { optimal, infeasible, duals_too_large };

// A set of rows (a mask) whose allowed columns, all in `cols`, are fewer: no assignment covers the rows.
struct HallViolator {
  std::vector<uint8_t> rows, cols;
};

// Duals of integers are integers. The sum of integer costs may need 128 bits.
template <class S>
using DualOf = std::conditional_t<std::is_integral_v<S>, int64_t, double>;
template <class S>
using TotalOf = std::conditional_t<std::is_integral_v<S>, int128, double>;

// The sum of costs: exact for integers, with twice the digits of a float64 for reals.
template <class S>
struct Total {
  void add(S cost) {
    if constexpr (std::is_integral_v<S>)
      sum += cost;
    else
      sum.add(double(cost));
  }
  TotalOf<S> value() const {
    if constexpr (std::is_integral_v<S>)
      return sum;
    else
      return sum.value();
  }
  std::conditional_t<std::is_integral_v<S>, int128, LongSum> sum{};
};

// The sum of cost(k) for 0 <= k < count. Reals near the largest float64 are added up in an order in which no
// sum overflows unless the whole does.
template <class S, class Cost>
TotalOf<S> total_of(int64_t count, const Cost& cost) {
  Total<S> total;
  for (int64_t k = 0; k < count; ++k) total.add(cost(k));
  if constexpr (std::is_floating_point_v<S>) {
    if (!std::isfinite(total.value())) {
      total = {};
      for (int64_t up = 0, down = 0; up < count || down < count;) {
        while (up < count && !(cost(up) > 0)) ++up;
        while (down < count && cost(down) > 0) ++down;
        if (down < count && (up == count || total.value() > 0))
          total.add(cost(down++));
        else if (up < count)
          total.add(cost(up++));
      }
    }
  }
  return total.value();
}

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

}  // namespace konig
