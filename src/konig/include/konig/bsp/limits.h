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

// From the lengths of lists to where they begin: visit(i, begin, count) for each, by neighbouring items to a
// worker, so that one prefix sum over the workers does. count_of(i) is asked twice, the second time before
// that visit. Returns the sum of all.
template <class Team, class CountOf, class Visit>
KONIG_FN long long counts_to_offsets(Team& team, long long items, CountOf count_of, Visit visit) {
  const long long each = (items + team.count() - 1) / team.count(), first = team.index() * each;
  const long long last = first + each < items ? first + each : items;
  long long own = 0;
  for (long long i = first; i < last; ++i) own += count_of(i);
  const auto sums = team.scan(own);
  long long begin = sums.before;
  for (long long i = first; i < last; ++i) {
    const long long count = count_of(i);
    visit(i, begin, count);
    begin += count;
  }
  if (first < last) team.spend(last - first);
  return sums.total;
}

// So many steps, rounded up, from the product of a knob and a count: at least one.
KONIG_FN long long whole_interval(double wanted) {
  if (!(wanted > 1)) return 1;
  const double bounded = wanted < 1e15 ? wanted : 1e15;
  const long long whole = (long long)bounded;
  return whole + ((double)whole < bounded);
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
