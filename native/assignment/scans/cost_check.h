// The check of costs before a solve: where the first one is that no solver accepts, and how large they are.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/run.h"

namespace konig {

// What a check found.
struct CostCheck {
  double largest = 0;        // at least every finite |cost|, and exact where that is a float64
  int64_t first_nan = -1;    // positions, -1 where there is none
  int64_t first_wrong = -1;  // an infinity of the sign that forbids nothing, or an end of 64-bit integers
  bool forbids = false;      // some pair is forbidden

  bool is_bad() const { return first_nan >= 0 || first_wrong >= 0; }

  // Adds what a check found of the part of the costs that begins at `position`. Parts come in any order.
  void add(const CostCheck& other, int64_t position) {
    const auto earlier = [&](int64_t mine, int64_t theirs) {
      if (theirs < 0) return mine;
      return mine < 0 ? position + theirs : std::min(mine, position + theirs);
    };
    largest = std::max(largest, other.largest);
    first_nan = earlier(first_nan, other.first_nan);
    first_wrong = earlier(first_wrong, other.first_wrong);
    forbids = forbids || other.forbids;
  }
};

// S is int32_t, int64_t, float or double.
template <class S>
CostCheck check_costs(const S* cost, int64_t count, bool maximize);
// The same by several threads.
template <class S>
CostCheck check_costs(const S* cost, int64_t count, bool maximize, int threads, Run& run);

}  // namespace konig
