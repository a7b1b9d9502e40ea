// The shared memory of a block of a CudaTeam, and what its threads do with it together.
#pragma once

#include "konig/bsp/cuda_team/tuning.h"
#include "konig/bsp/cuda_team/warp.h"
#include "konig/bsp/limits.h"

namespace konig::bsp {

class CudaBlock : public CudaWarp {
 protected:
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
  template <class T>
  static __device__ __forceinline__ T* box(unsigned which) {
    return (T*)(box_bytes() + which * kBoxBytes);
  }
  template <class T>
  static constexpr __device__ unsigned places() {
    return kBoxBytes / sizeof(T);
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
  // A place for each thread of a warp that comes here together, with one addition.
  static KONIG_FN unsigned gather_slot() {
    const unsigned together = __activemask();
    const int first = __ffs(together) - 1;
    unsigned slot = 0;
    if (lane() == (unsigned)first) slot = atomicAdd(&gathered_used(), (unsigned)__popc(together));
    return __shfl_sync(together, slot, first) + __popc(together & ((1U << lane()) - 1));
  }
  static __device__ __forceinline__ unsigned* box_used() {
    __shared__ unsigned used[kBoxCounters];
    return used;
  }
  static __device__ __forceinline__ long long& box_place() {
    __shared__ long long place;
    return place;
  }
  static __device__ __forceinline__ Counted& counted() {
    __shared__ Counted outcome;
    return outcome;
  }
  // What only the thread that speaks for the block needs: in shared memory it costs the others no registers.
  struct Clock {
    long long rounds;  // agreements so far in this solve
    long long stops;   // launches of this solve that ended early, before this one
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
