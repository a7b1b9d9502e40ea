// The grid barrier of a CudaTeam, and what travels with it: part of CudaTeam.
//
// A cooperative launch guarantees that all blocks are resident, so they may wait for each other. The barrier
// counts arrivals, and the count only grows: at the end of the k-th agreement it is k times the number of
// blocks.
#pragma once

#include "konig/bsp/cuda_team/block.h"

namespace konig::bsp {

// The part of the workspace that belongs to the team; zeros before the first launch. The grid must be the
// same for all launches of a solve. Words that many blocks hit lie in cache lines of their own. Behind it lie
// two words for each block, which `scan` uses.
struct Control {
  long long rounds;  // agreements so far; the ballots go on taking turns across launches
  long long stops;   // launches that the clock has ended
  long long padding[14];
  long long arrived;  // blocks, over all rounds; and in the bits from kStopBit up, stops
  long long padding_too[15];
  long long released;  // twice the rounds that all have reached, and one more if the last ends the launch
  long long padding_as_well[15];
  Ballot ballots[kBallots];
};

class CudaBarrier : public CudaBlock {
 public:
  __device__ CudaBarrier(Control* control, long long budget_ns) : control_(control) {
    const long long rounds = load(&control->rounds);
    round_ = (unsigned)(rounds % kBallots);
    if (threadIdx.x == 0) {
      clock() = Clock{rounds, load(&control->stops), now() + budget_ns};
      for (int k = 0; k < kBallots; ++k) block_ballots()[k] = Ballot{};
      for (int k = 0; k < kBoxCounters; ++k) box_used()[k] = 0;
      gathered_used() = kept_counted() = 0;
    }
    __syncthreads();
  }

  // Called by every worker at the end of a launch. A program that agrees on nothing has nothing to store, and
  // in any other all workers have read the rounds before the leader gets here.
  KONIG_FN void leave() {
    if (!leads()) return;
    store(&control_->rounds, clock().rounds);
    store(&control_->stops,
          load(&control_->arrived) >> kStopBit);  // a step may have had several late barriers
  }

  KONIG_FN long long index() const { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }
  KONIG_FN long long count() const { return (long long)gridDim.x * blockDim.x; }
  KONIG_FN bool leads() const { return blockIdx.x == 0 && threadIdx.x == 0; }

  KONIG_FN void barrier() {
    __syncthreads();
    if (threadIdx.x == 0) {
      block_ballots()[next_round()] = Ballot{};
      if (blockIdx.x == 0) clear_next_ballot();
      agreed().stop = wait_for_all();
    }
    __syncthreads();
    close_round(agreed().stop);
  }

  KONIG_FN bool expired() const { return expired_; }
  KONIG_FN void spend(long long) {}

  KONIG_FN long long nanoseconds() const { return now(); }
  KONIG_FN long long ticks() const { return clock64(); }

 protected:
  template <bool kWithLeast = false>
  KONIG_FN Ballot meet() {
    __syncthreads();
    if (threadIdx.x == 0) {
      Ballot* current = control_->ballots + round_;
      const unsigned stop = pass_on<kWithLeast>();
      const long long below = kWithLeast ? load(&current->below) : 0;
      agreed() = Ballot{load(&current->bits), stop, load(&current->total), below};
    }
    __syncthreads();
    const Ballot outcome = agreed();
    close_round(outcome.stop);
    return outcome;
  }

  // One thread of each block: what the block gathered goes to the grid's ballot, and all wait.
  template <bool kWithLeast = false>
  KONIG_FN unsigned pass_on() {
    const Ballot& mine = block_ballots()[round_];
    Ballot* current = control_->ballots + round_;
    block_ballots()[next_round()] = Ballot{};
    if (blockIdx.x == 0) clear_next_ballot();
    if (mine.bits) atomicOr(&current->bits, mine.bits);
    if (mine.total) fetch_add(&current->total, mine.total);
    if (kWithLeast && mine.below) fetch_min(&current->below, mine.below);
    return wait_for_all();
  }

  KONIG_FN unsigned next_round() const { return round_ + 1 == kBallots ? 0 : round_ + 1; }

  // It was last read before the previous barrier, and is not written before this one.
  KONIG_FN void clear_next_ballot() {
    Ballot* next = control_->ballots + next_round();
    store(&next->bits, 0U);
    store(&next->total, 0LL);
    store(&next->below, 0LL);
  }

  KONIG_FN void close_round(unsigned stop) {
    expired_ = stop != 0;
    round_ = next_round();
  }

  // One thread of each block. All arrive at one word; the last one tells the others through a second, so that
  // their polling does not slow the arrivals down. Whether the launch ends travels with both.
  KONIG_FN unsigned wait_for_all() {
    Clock& block = clock();
    const long long round = ++block.rounds;
    const bool late = blockIdx.x == 0 && now() >= block.ends;
    const long long mine = 1 + (late ? 1LL << kStopBit : 0);
    __threadfence();
    const long long arrived = fetch_add(&control_->arrived, mine) + mine;
    unsigned stop;
    if ((arrived & ((1LL << kStopBit) - 1)) == round * gridDim.x) {
      stop = (arrived >> kStopBit) != block.stops;
      store(&control_->released, 2 * round + stop);
    } else {
      long long released;
      do {
        released = load(&control_->released);
      } while (released < 2 * round);
      stop = (unsigned)(released & 1);
    }
    __threadfence();
    return stop;
  }

  static KONIG_FN long long now() {
    long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
  }

  Control* control_;
  static constexpr int kStopBit = 48;

  unsigned round_;  // which ballot is open: agreements so far % kBallots
  bool expired_ = false;
};

}  // namespace konig::bsp
