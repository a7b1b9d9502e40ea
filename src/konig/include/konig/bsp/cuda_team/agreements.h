// What the workers of a CudaTeam find out together at a barrier: part of CudaTeam.
//
// A warp's part is made by shuffles, a block's in shared memory, and one thread passes it on to the grid's.
#pragma once

#include "konig/bsp/cuda_team/barrier.h"

namespace konig::bsp {

class CudaAgreements : public CudaBarrier {
 public:
  using CudaBarrier::CudaBarrier;

  KONIG_FN Agreed agree(unsigned bits, long long value) {
    const unsigned warp_bits = warp_or(bits);
    const long long warp_total = warp_sum(value);
    cast(warp_bits, warp_total);
    const Ballot outcome = meet();
    return {outcome.bits, outcome.total};
  }

  KONIG_FN AgreedLeast agree_least(unsigned bits, long long value, long long least) {
    const unsigned warp_bits = warp_or(bits);
    const long long warp_total = warp_sum(value);
    const long long warp_least = group_min(least, 32);
    cast(warp_bits, warp_total);
    if (lane() == 0 && warp_least != kNoLeast)
      fetch_min(&block_ballots()[round_].below, warp_least - kNoLeast);
    const Ballot outcome = meet<true>();
    return {outcome.bits, outcome.total, outcome.below + kNoLeast};
  }

  KONIG_FN unsigned any(unsigned bits) {
    cast(warp_or(bits), 0);
    return meet().bits;
  }

  KONIG_FN long long sum(long long value) {
    cast(0, warp_sum(value));
    return meet().total;
  }

  // One thread of a block reads for all: thousands of warps asking for one word queue up for it.
  KONIG_FN Counted count_up(long long value, const long long* first, const long long* second) {
    cast(0, warp_sum(value));
    __syncthreads();
    if (threadIdx.x == 0) {
      Ballot* current = control_->ballots + round_;
      agreed().stop = pass_on();
      counted() = Counted{load(&current->total), load(first), load(second)};
    }
    __syncthreads();
    const Counted outcome = counted();
    close_round(agreed().stop);
    return outcome;
  }

  // Sums of lanes by shuffles, of warps in shared memory, of blocks in the words behind Control. Those of
  // two scans take turns, so that nobody writes a word before all have read it.
  KONIG_FN Scanned scan(long long value) {
    long long* blocks = (long long*)(control_ + 1) + (scans_++ % 2) * gridDim.x;
    const Scanned in_block = scan_block(value);
    if (threadIdx.x == 0) store(blocks + blockIdx.x, in_block.total);
    meet();
    long long before = 0, total = 0;
    for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x) {
      const long long share = load(blocks + block);
      total += share;
      if (block < blockIdx.x) before += share;
    }
    // Every thread needs both sums: the total of a block's scan reaches all of its threads.
    before = scan_block(before).total;
    total = scan_block(total).total;
    return {before + in_block.before, total};
  }

  KONIG_FN void add(long long* place, long long value) {
    const long long warp_total = warp_sum(value);
    if (lane() == 0 && warp_total) fetch_add(place, warp_total);
  }

 private:
  // What a warp has to say, into the ballot of its block.
  KONIG_FN void cast(unsigned bits, long long total) {
    if (lane() == 0 && bits) atomicOr(&block_ballots()[round_].bits, bits);
    if (lane() == 0 && total) fetch_add(&block_ballots()[round_].total, total);
  }

  unsigned scans_ = 0;  // in this launch
};

}  // namespace konig::bsp
