// Sums of costs as Python numbers.
#pragma once

#include <nanobind/nanobind.h>

#include "assignment/duals.h"

namespace konig {

inline nanobind::object as_number(int128 total) {
  using nanobind::int_;
  if (total == int128(int64_t(total))) return int_(int64_t(total));
  const int_ high(int64_t(total >> 64)), low(uint64_t(total & ~uint64_t(0)));
  return (high << int_(64)) + low;
}
inline nanobind::object as_number(double total) { return nanobind::float_(total); }

}  // namespace konig
