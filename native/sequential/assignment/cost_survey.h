// A first look at costs: how large they are, and where the first one is that no solver may see.
#pragma once

#include <cstdint>

namespace konig {

struct CostSurvey {
  double largest = 0;        // at least every finite |cost|, and exact where that is a float64
  int64_t first_nan = -1;    // positions, -1 where there is none
  int64_t first_wrong = -1;  // an infinity of the sign that forbids nothing, or an end of 64-bit integers
  bool forbids = false;      // some pair is forbidden
};

// S is int32_t, int64_t, float or double.
template <class S>
CostSurvey survey_costs(const S* cost, int64_t count, bool maximize);

}  // namespace konig
