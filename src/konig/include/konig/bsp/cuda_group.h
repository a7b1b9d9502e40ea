// A group on a GPU: a warp, or a block of several warps.
//
// All lanes of a warp take part in every shuffle and reduction. A block's group meets at a block barrier once
// for each `least`, `reduce` or `deal`: the warps' parts go to one of two slots in turn. A slot is written
// again only after the next barrier, when all have read it.
#pragma once

#include "konig/bsp/group.h"

namespace konig::bsp {

template <int Threads, int Strips>
class CudaGroup {
 public:
  static constexpr int kThreads = Threads;
  static constexpr int kStrips = Strips;
  static constexpr int kWarps = Threads / 32;
  static_assert(Threads % 32 == 0 && kWarps <= 32, "a group is made of whole warps of one block");

  // Of shared memory, for a group of more than one warp.
  struct Slots {
    long long value[2][kWarps];
    unsigned tie[2][kWarps];
  };

  __device__ __forceinline__ CudaGroup(void* memory, Slots* slots, long long budget_ns)
      : memory_(memory), slots_(slots), ends_(now() + budget_ns) {}

  KONIG_FN int rank() const { return int(threadIdx.x) % Threads; }
  KONIG_FN bool leads() const { return rank() == 0; }
  KONIG_FN long long groups() const { return (long long)gridDim.x * (blockDim.x / Threads); }
  KONIG_FN void* memory() const { return memory_; }

  template <class Visit>
  KONIG_FN void for_each(int count, Visit visit) const {
#pragma unroll
    for (int strip = 0; strip < Strips; ++strip) {
      const int item = strip * Threads + rank();
      if (item < count) visit(strip, item);
    }
  }

  template <class Visit>
  KONIG_FN void each_row(int count, Visit visit) const {
#pragma unroll 4
    for (int i = 0; i < count; ++i) visit(i);
  }

  KONIG_FN void barrier() const {
    if constexpr (kWarps == 1)
      __syncwarp();
    else
      __syncthreads();
  }

  KONIG_FN Least least(Least mine) {
    mine = warp_least(mine);
    if constexpr (kWarps == 1) {
      __syncwarp();
      return mine;
    } else {
      turn_ ^= 1;
      if (lane() == 0) {
        slots_->value[turn_][warp()] = mine.value;
        slots_->tie[turn_][warp()] = mine.tie;
      }
      __syncthreads();
      if constexpr (kWarps <= 4) {
        Least all = kNoPick;
#pragma unroll
        for (int w = 0; w < kWarps; ++w) {
          const Least theirs{slots_->value[turn_][w], slots_->tie[turn_][w]};
          if (before(theirs.value, theirs.tie, all)) all = theirs;
        }
        return all;
      } else {
        const int w = lane() < kWarps ? lane() : 0;
        return warp_least({slots_->value[turn_][w], slots_->tie[turn_][w]});
      }
    }
  }

  template <class T, class Combine>
  KONIG_FN T reduce(T mine, Combine combine) {
    static_assert(sizeof(T) <= sizeof(long long), "a slot holds 64 bits");
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
      mine = combine(mine, __shfl_xor_sync(kAllLanes, mine, offset));
    if constexpr (kWarps == 1) {
      __syncwarp();
      return mine;
    } else {
      turn_ ^= 1;
      if (lane() == 0) *(T*)&slots_->value[turn_][warp()] = mine;
      __syncthreads();
      T all = *(const T*)&slots_->value[turn_][0];
#pragma unroll
      for (int w = 1; w < kWarps; ++w) all = combine(all, *(const T*)&slots_->value[turn_][w]);
      return all;
    }
  }

  KONIG_FN long long deal(long long* counter) { return from_leader(leads() ? fetch_add(counter, 1LL) : 0); }

  KONIG_FN bool time_over() { return from_leader(leads() ? (long long)(now() >= ends_) : 0) != 0; }

 private:
  static constexpr unsigned kAllLanes = 0xffffffffU;

  static KONIG_FN int lane() { return int(threadIdx.x) % 32; }
  KONIG_FN int warp() const { return rank() / 32; }

  KONIG_FN long long from_leader(long long value) {
    if constexpr (kWarps == 1) {
      value = __shfl_sync(kAllLanes, value, 0);
      __syncwarp();
      return value;
    } else {
      turn_ ^= 1;
      if (leads()) slots_->value[turn_][0] = value;
      __syncthreads();
      return slots_->value[turn_][0];
    }
  }

  // The halves of the value one after the other, then the tie: the hardware reduces words of 32 bits.
  static KONIG_FN Least warp_least(Least mine) {
    const unsigned high = unsigned((unsigned long long)mine.value >> 32) ^ 0x80000000U;
    const unsigned low = unsigned(mine.value);
    const unsigned least_high = warp_min(high);
    const unsigned least_low = warp_min(high == least_high ? low : kAllLanes);
    const bool ties = high == least_high && low == least_low;
    const unsigned tie = warp_min(ties ? mine.tie : kAllLanes);
    return {(long long)(((unsigned long long)(least_high ^ 0x80000000U) << 32) | least_low), tie};
  }

  static KONIG_FN unsigned warp_min(unsigned value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(kAllLanes, value);
#else
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
      const unsigned other = __shfl_xor_sync(kAllLanes, value, offset);
      value = other < value ? other : value;
    }
    return value;
#endif
  }

  static KONIG_FN long long now() {
    long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
  }

  void* memory_;
  Slots* slots_;
  long long ends_;
  int turn_ = 0;
};

}  // namespace konig::bsp
