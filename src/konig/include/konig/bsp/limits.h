// How much one superstep may do inside one item, and how long the buffers are that the host empties. The
// macros are for stress builds, which make these tiny so that every cut is made on small inputs.
#pragma once

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

// How often a CPU worker passes over the items that it attends to before all meet.
constexpr int kPasses = 64;

}  // namespace konig::bsp
