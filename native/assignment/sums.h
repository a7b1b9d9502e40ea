// The outcome of a solve, the types of its duals and cost, and the sum of costs.
#pragma once

#include <cmath>
#include <cstdint>
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

// The sum of cost(k) for 0 <= k < count: exact for integers, with twice the digits of a float64 for reals.
// Reals near the largest float64 are scaled down, so that no sum overflows unless the whole does.
template <class S, class Cost>
TotalOf<S> total_of(int64_t count, const Cost& cost) {
  if constexpr (std::is_integral_v<S>) {
    int128 total = 0;
    for (int64_t k = 0; k < count; ++k) total += cost(k);
    return total;
  } else {
    const auto scaled_total = [&](double scale) {
      LongSum total;
      for (int64_t k = 0; k < count; ++k) total.add(scale * double(cost(k)));
      return total;
    };
    const LongSum total = scaled_total(1.0);
    return total.is_long() ? total.value() : scaled_total(0x1p-64).value() / 0x1p-64;
  }
}

}  // namespace konig
