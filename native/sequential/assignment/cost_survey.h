// A first look at costs: how large they are, and where the first one is that no solver may see.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace konig {

struct CostSurvey {
  double largest = 0;      // at least every finite |cost|, and exact where that is a float64
  int64_t first_nan = -1;  // positions, -1 where there is none
  int64_t first_wrong =
      -1;                // an infinity of the sign that forbids nothing, or an integer at an end of 64 bits
  bool forbids = false;  // some pair is forbidden
};

template <class S>
CostSurvey survey_costs(const S* cost, int64_t count, bool maximize) {
  CostSurvey seen;
  if constexpr (std::is_integral_v<S>) {
    S least = 0, most = 0;
    for (int64_t k = 0; k < count; ++k) {
      least = cost[k] < least ? cost[k] : least;
      most = cost[k] > most ? cost[k] : most;
    }
    const double below = -double(least), above = double(most);
    seen.largest = below > above ? below : above;
    using Limits = std::numeric_limits<S>;
    if (sizeof(S) == 8 && (least == Limits::min() || most == Limits::max()))
      for (int64_t k = 0; k < count && seen.first_wrong < 0; ++k)
        if (cost[k] == Limits::min() || cost[k] == Limits::max()) seen.first_wrong = k;
  } else {
    constexpr S infinity = std::numeric_limits<S>::infinity();
    constexpr int64_t kBlock = 4096;
    S largest = 0;
    for (int64_t first = 0; first < count; first += kBlock) {
      const int64_t last = first + kBlock < count ? first + kBlock : count;
      // A branch-free maximum; an infinity or a NaN shows in the sum of zeros, and the block is read again.
      S top = 0, zeros = 0;
      for (int64_t k = first; k < last; ++k) {
        const S size = std::abs(cost[k]);
        top = size > top ? size : top;
        zeros += cost[k] * 0;
      }
      if (zeros == 0) {
        largest = top > largest ? top : largest;
        continue;
      }
      for (int64_t k = first; k < last; ++k) {
        const S size = std::abs(cost[k]);
        if (std::isnan(size)) {
          if (seen.first_nan < 0) seen.first_nan = k;
        } else if (size == infinity) {
          seen.forbids = true;
          if ((cost[k] > 0) == maximize && seen.first_wrong < 0) seen.first_wrong = k;
        } else {
          largest = size > largest ? size : largest;
        }
      }
    }
    seen.largest = double(largest);
  }
  return seen;
}

}  // namespace konig
