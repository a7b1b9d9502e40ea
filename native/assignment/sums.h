// The outcome of a solve, the types of its duals and cost, and the sum of costs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "assignment/exact/grid.h"
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

// Whether T holds every sum of a solve, if no |cost| and no |dual to start from| is above `largest`: duals
// and path lengths are sums of at most 2 * rows costs, and a scan adds up three of them.
template <class T>
bool holds_sums(int64_t rows, double largest) {
  return 8.0 * double(rows + 1) * largest < double(Bounds<T>::largest);
}

// What reals are divided by, so that sums of those close to the largest float64 do not overflow: a power of
// two, which rounds nothing.
inline double divisor_of_reals(double largest) { return largest > 0x1p900 ? 0x1p200 : 1.0; }

// The dual of a warm start for real costs that are divided by `divisor`, the largest |cost| is `largest`
// then: divided, too, and no larger than duals have to be, since differences from larger ones might be beyond
// float64.
inline double dual_to_start_from(double given, double divisor, int64_t rows, double largest) {
  const double most = 4.0 * double(rows + 1) * largest;
  return std::clamp(given / divisor, -most, most);
}

// The sum of cost(k) for 0 <= k < count, without rounding but that of the result. Twice the digits of a
// float64 are enough for reals unless nearly all of them cancel.
template <class S, class Cost>
TotalOf<S> total_of(int64_t count, const Cost& cost) {
  if constexpr (std::is_integral_v<S>) {
    int128 total = 0;
    for (int64_t k = 0; k < count; ++k) total += cost(k);
    return total;
  } else {
    LongSum total;
    double size = 0;
    for (int64_t k = 0; k < count; ++k) {
      const auto here = double(cost(k));
      total.add(here);
      size += std::abs(here);
    }
    const double value = total.value();
    if (0x1p-50 * double(count) * size <= std::abs(value) && total.is_long()) [[likely]]
      return value;
    const Grid<Widest> grid(0.0);
    Widest exact(0);
    for (int64_t k = 0; k < count; ++k) exact += grid.at(double(cost(k)));
    return grid.nearest(exact);
  }
}

}  // namespace konig
