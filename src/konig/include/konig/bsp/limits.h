// How much one superstep may do inside one item, and how long the buffers are that the host empties. The
// macros are for stress builds, which make these tiny so that every cut is made on small inputs.
#pragma once

#include "konig/bsp/atomic.h"

#ifndef KONIG_SCAN_LIMIT
#define KONIG_SCAN_LIMIT (1 << 15)
#endif
#ifndef KONIG_WALK_LIMIT
#define KONIG_WALK_LIMIT (1 << 12)
#endif
#ifndef KONIG_SERIES
#define KONIG_SERIES 1024
#endif

namespace konig::bsp {

constexpr int kScanLimit = KONIG_SCAN_LIMIT;  // entries of a list
constexpr int kWalkLimit = KONIG_WALK_LIMIT;  // steps of a path
constexpr int kSeries = KONIG_SERIES;         // entries of a series

// Entries that a worker asks for at once: their loads travel together, and stay in registers.
constexpr int kBatch = 4;

// What a superstep scans of a list, in the part-th superstep since it began: entries first to last - 1. There
// are none when the list ended before.
struct Part {
  long long first;
  long long last;
  bool goes_on;  // beyond it
  KONIG_FN long long size() const { return last - first; }
};

template <class Offset>
KONIG_FN Part part_of_list(const Offset* start, long long item, long long part) {
  const long long end = start[item + 1], from = (long long)start[item] + part * kScanLimit;
  const long long first = from < end ? from : end;
  const bool goes_on = end - first > kScanLimit;
  return {first, goes_on ? first + kScanLimit : end, goes_on};
}

// Where lists are shared by their lengths, how many entries a worker takes on alone: 16 batches. More are for
// a warp, and more than such a share for each of a warp's workers are for a block.
constexpr int kShare = 64;

template <class Offset>
KONIG_FN bool exceeds_share(const Offset* start, long long item) {
  return (long long)start[item + 1] - (long long)start[item] > kShare;
}

// How often a CPU worker passes over the items that it attends to before all meet.
constexpr int kPasses = 64;

}  // namespace konig::bsp
