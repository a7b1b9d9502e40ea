// What the threads of a warp and of a block do together: the part of a CudaTeam that knows no grid.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/team.h"

namespace konig::bsp {

// ---- the numbers that a CudaTeam was tuned with, on an H200

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

class CudaBlock {
 public:
  static constexpr int kWarp = 32;

  // One addition for all threads of a warp that take places together.
  KONIG_FN long long reserve(long long* used, long long places) {
    const unsigned together = __activemask();
    const int first = __ffs(together) - 1;
    long long before = 0, total = 0, slot = 0;
    for (unsigned rest = together; rest; rest &= rest - 1) {
      const int other = __ffs(rest) - 1;
      const long long theirs = __shfl_sync(together, places, other);
      if (other < (int)lane()) before += theirs;
      total += theirs;
    }
    if (lane() == (unsigned)first) slot = fetch_add(used, total);
    return __shfl_sync(together, slot, first) + before;
  }

  // The groups of a warp may come here at different times: each waits for its own lanes only.
  template <class T>
  KONIG_FN T group_min(T value, int width) {
    const unsigned group = group_mask(width);
    for (int offset = width / 2; offset > 0; offset /= 2) {
      const T other = __shfl_xor_sync(group, value, offset);
      if (other < value) value = other;
    }
    return value;
  }

  template <class T>
  KONIG_FN T group_at(T value, int of_lane, int width) {
    return width == 1 ? value : __shfl_sync(group_mask(width), value, group_start(width) + of_lane);
  }

  KONIG_FN unsigned group_ballot(bool sign, int width) {
    const unsigned group = group_mask(width);
    return (__ballot_sync(group, sign) & group) >> group_start(width);
  }

  KONIG_FN long long ticks() const { return clock64(); }

 protected:
  // ---- a warp

  static KONIG_FN unsigned lane() { return threadIdx.x & 31U; }

  // The first lane of this thread's group, and all of its lanes.
  static KONIG_FN unsigned group_start(int width) { return lane() & ~unsigned(width - 1); }
  static KONIG_FN unsigned group_mask(int width) {
    const unsigned all = width == 32 ? 0xffffffffU : (1U << width) - 1;
    return all << group_start(width);
  }

  // A place for each thread of a warp that comes here together, with one addition.
  template <class Count>
  static KONIG_FN Count reserve_one(Count* used) {
    const unsigned together = __activemask();
    const int first = __ffs(together) - 1;
    Count slot = 0;
    if (lane() == (unsigned)first) slot = fetch_add(used, (Count)__popc(together));
    return __shfl_sync(together, slot, first) + __popc(together & ((1U << lane()) - 1));
  }

  static KONIG_FN unsigned warp_or(unsigned bits) { return __reduce_or_sync(0xffffffffU, bits); }

  // Most often there is nothing to add.
  static KONIG_FN long long warp_sum(long long value) {
    if (!__any_sync(0xffffffffU, value != 0)) return 0;
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffU, value, offset);
    return value;
  }

  // ---- a block and its shared memory

  static constexpr unsigned kGathered = 2 * kAhead * 256 + 4;  // two batches, for blocks of 256
  static_assert(4 * kFours * 256 + 8 <= 2 * kGathered);
  static constexpr unsigned kBoxCounters = 3;

  // What the block gathers before one of its threads speaks for it, with the same turns as the grid's
  // ballots.
  static __device__ __forceinline__ Ballot* block_ballots() {
    __shared__ Ballot ballots[kBallots];
    return ballots;
  }
  // Values of one type from one delivery to the next.
  static __device__ __forceinline__ unsigned char* box_bytes() {
    __shared__ alignas(16) unsigned char bytes[2 * kBoxBytes];
    return bytes;
  }
  static __device__ __forceinline__ unsigned* box_used() {
    __shared__ unsigned used[kBoxCounters];
    return used;
  }
  static __device__ __forceinline__ long long& box_place() {
    __shared__ long long place;
    return place;
  }
  static __device__ __forceinline__ long long* gathered() {
    __shared__ long long items[kGathered];
    return items;
  }
  static __device__ __forceinline__ unsigned& gathered_used() {
    __shared__ unsigned used;
    return used;
  }
  // Of these, what the whole block is to visit together; more may be counted than there is room for.
  static __device__ __forceinline__ long long* kept_items() {
    __shared__ long long items[kKept];
    return items;
  }
  static __device__ __forceinline__ unsigned& kept_counted() {
    __shared__ unsigned counted;
    return counted;
  }
  static __device__ __forceinline__ Counted& counted() {
    __shared__ Counted outcome;
    return outcome;
  }
  // What only the thread that speaks for the block needs: in shared memory it costs the others no registers.
  struct Clock {
    long long rounds;  // agreements so far in this solve
    long long late;    // Control::late before this launch
    long long ends;    // when this launch should
  };
  static __device__ __forceinline__ Clock& clock() {
    __shared__ Clock block;
    return block;
  }
  static __device__ __forceinline__ Ballot& agreed() {
    __shared__ Ballot ballot;
    return ballot;
  }

  template <class T>
  static __device__ __forceinline__ T* box(unsigned which) {
    return (T*)(box_bytes() + which * kBoxBytes);
  }
  template <class T>
  static constexpr __device__ unsigned places() {
    return kBoxBytes / sizeof(T);
  }

  // The logarithm of how many neighbouring threads of a block share each of some items so that all are
  // visited at once, within bounds. Groups are powers of two: dividing by a number the compiler does not
  // know takes longer than a load.
  static KONIG_FN int fitting_shift(unsigned items, int least, int most) {
    const int shift = log_of(blockDim.x) - (items > 1 ? log_of(items - 1) + 1 : 0);
    return shift < least ? least : shift < most ? shift : most;
  }
  static KONIG_FN int log_of(unsigned value) { return 31 - __clz((int)value); }

  // An exclusive prefix sum over the threads of this block.
  static KONIG_FN Scanned scan_block(long long value) {
    __shared__ long long warp_totals[32];
    long long upto = value;
    for (int offset = 1; offset < 32; offset *= 2) {
      const long long left = __shfl_up_sync(0xffffffffU, upto, offset);
      if (lane() >= (unsigned)offset) upto += left;
    }
    __syncthreads();  // the totals of an earlier call have been read
    if (lane() == 31) warp_totals[threadIdx.x / 32] = upto;
    __syncthreads();
    Scanned outcome{upto - value, 0};
    for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) {
      if (warp < threadIdx.x / 32) outcome.before += warp_totals[warp];
      outcome.total += warp_totals[warp];
    }
    return outcome;
  }
};

}  // namespace konig::bsp
