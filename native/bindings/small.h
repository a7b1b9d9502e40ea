// Small problems in NumPy arrays with default options, solved as auto does, in one call.
//
// With ten rows checks and conversions in Python take longer than the solve. The functions of the files
// small_*.cpp check types, layout, size and the range of ids. They return None for what they do not accept;
// the caller then goes through Python, which raises the errors. The caller says how large is small (auto.py
// of each problem).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "core/run.h"

namespace konig {

// A result, or nothing for what is not accepted.
using FoundResult = std::optional<nb::object>;

// From so many costs, entries or arcs on the GIL is worth releasing.
inline constexpr int64_t kGilCosts = 4097, kGilEntries = 500, kGilArcs = 200;

// Runs `work(run)`: without the GIL, and interruptible, if `release` says so.
template <class Work>
void run_small(Run& run, bool release, const Work& work) {
  if (!release) return work(run);
  const nb::object silent = nb::none();
  run = interruptible(silent);
  nb::gil_scoped_release released;
  work(run);
}

// A Python int, clamped to 64 bits.
inline int64_t within_64_bits(nb::handle number) {
  int overflow;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow == 0) return value;
  return overflow > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

// solve(S()) for the type S that numbers of the array's type are solved in; nothing if there is none.
template <class Solve>
FoundResult in_cost_type(const View& costs, const Solve& solve) {
  switch (costs.type()) {
    case 'd':
      return solve(double());
    case 'f':
      return solve(float());
    case 'l':
    case 'q':
      if (costs.item_bytes() == 8) return solve(int64_t());
      [[fallthrough]];
    case '?':
    case 'b':
    case 'B':
    case 'h':
    case 'H':
    case 'i':
      return solve(int32_t());
    default:
      return std::nullopt;
  }
}

}  // namespace konig
