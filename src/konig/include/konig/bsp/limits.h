// How much one superstep may do inside one item, and how long the buffers are that the host empties. A
// stress build makes these tiny.
#pragma once

#ifndef KONIG_SCAN_LIMIT
#define KONIG_SCAN_LIMIT (1 << 15)
#endif
#ifndef KONIG_WALK_LIMIT
#define KONIG_WALK_LIMIT (1 << 12)
#endif
#ifndef KONIG_BATCH
#define KONIG_BATCH 4
#endif
#ifndef KONIG_SERIES
#define KONIG_SERIES 1024
#endif

namespace konig::bsp {

constexpr int kScanLimit = KONIG_SCAN_LIMIT;  // entries of a list
constexpr int kWalkLimit = KONIG_WALK_LIMIT;  // steps of a path
constexpr int kBatch = KONIG_BATCH;           // entries that a worker asks for at once
constexpr int kPasses = 64;                   // of a CPU worker over the items that it attends to
constexpr int kSeries = KONIG_SERIES;         // entries of a series

}  // namespace konig::bsp
