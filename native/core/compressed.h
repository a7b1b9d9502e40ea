// Compressed adjacency arrays: checks, compression of pairs and transposition.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/run.h"

namespace konig {

// The first position whose value is not in [0, bound), or -1.
template <class Id>
int64_t first_out_of_range(const Id* values, int64_t count, int64_t bound) {
  // Blocks without a branch inside let the compiler vectorise; one unsigned comparison covers both ends.
  using Unsigned = std::make_unsigned_t<Id>;
  constexpr int64_t kBlock = 4096;
  // With a bound beyond the type's maximum, negative values would pass as large unsigned ones.
  const uint64_t limit = std::min(uint64_t(bound), uint64_t(std::numeric_limits<Id>::max()) + 1);
  for (int64_t first = 0; first < count; first += kBlock) {
    const int64_t last = first + kBlock < count ? first + kBlock : count;
    bool bad = false;
    for (int64_t i = first; i < last; ++i) bad |= Unsigned(values[i]) >= limit;
    if (!bad) continue;
    for (int64_t i = first; i < last; ++i)
      if (Unsigned(values[i]) >= limit) return i;
  }
  return -1;
}

// The first position at which the offsets decrease, or -1.
template <class Offset>
int64_t first_decrease(const Offset* start, int64_t count) {
  for (int64_t i = 1; i < count; ++i)
    if (start[i] < start[i - 1]) return i;
  return -1;
}

// Turns counts in start[1 .. vertices] into offsets.
template <class Offset>
void accumulate(Offset* start, int64_t vertices) {
  for (int64_t v = 0; v < vertices; ++v) start[v + 1] += start[v];
}

// CSR from (major, minor) pairs; each list keeps the order of the pairs. start holds vertices + 1 zeros on
// entry.
template <class Id, class Offset>
void compress_pairs(const Id* major, const Id* minor, int64_t pairs, int64_t vertices, Offset* start,
                    Id* neighbour, Run& run) {
  for (int64_t k = 0; k < pairs; ++k) ++start[major[k] + 1];
  run.spend(pairs);
  accumulate(start, vertices);
  for (int64_t k = 0; k < pairs; ++k) {
    neighbour[start[major[k]]++] = minor[k];
    run.spend(1);
  }
  for (int64_t v = vertices; v > 0; --v) start[v] = start[v - 1];
  start[0] = 0;
}

// CSR of the transpose; lists are sorted. out_start holds others + 1 zeros on entry.
template <class Id, class Offset>
void transpose(const Offset* start, const Id* neighbour, int64_t vertices, int64_t others, Offset* out_start,
               Id* out_neighbour, Run& run) {
  const Offset entries = start[vertices];
  for (Offset k = 0; k < entries; ++k) ++out_start[neighbour[k] + 1];
  run.spend(entries);
  accumulate(out_start, others);
  for (int64_t v = 0; v < vertices; ++v) {
    for (Offset k = start[v]; k < start[v + 1]; ++k) out_neighbour[out_start[neighbour[k]]++] = Id(v);
    run.spend(start[v + 1] - start[v] + 1);
  }
  for (int64_t u = others; u > 0; --u) out_start[u] = out_start[u - 1];
  out_start[0] = 0;
}

}  // namespace konig
