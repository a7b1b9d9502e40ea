// The numbers that a CudaTeam was tuned with, on an H200.
#pragma once

namespace konig::bsp {

// Loads of a sweep that are in flight at once for each thread: enough to cover the latency of memory, few
// enough to stay in registers.
constexpr int kAhead = 4;

// The same, in loads of four words each, for sweeps that look for one value.
constexpr int kFours = 4;

// Of the items that would keep a warp busy for long a block visits so many as a whole.
constexpr unsigned kKept = 64;

// A block with fewer threads than this for each value is crowded: it leaves the rest to all.
constexpr unsigned kCrowd = 2;

// What a block may post before values go straight to their queue. There are two boxes; with
// them and what it gathers a block takes 41 KB of shared memory, so that three fit on every multiprocessor.
constexpr unsigned kBoxBytes = 3 << 12;

}  // namespace konig::bsp
