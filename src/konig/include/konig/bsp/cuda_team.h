// A team that is a cooperative CUDA grid: one thread is one worker.
//
// A cooperative launch guarantees that all blocks are resident, so they may wait for each other. The grid
// barrier counts arrivals, and the count only grows: at the end of the k-th agreement it is k times the
// number of blocks. Blocks are one-dimensional and a multiple of 32 threads. No CUDA header is needed.
#pragma once

#include "konig/bsp/cuda_block.h"

#ifndef KONIG_CROWD
#define KONIG_CROWD 2
#endif

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

class CudaTeam : public CudaBlock {
 public:
  __device__ CudaTeam(Control* control, long long budget_ns) : control_(control) {
    const long long rounds = load(&control->rounds);
    round_ = (unsigned)(rounds % kBallots);
    if (threadIdx.x == 0) {
      clock() = Clock{rounds, load(&control->stops), now() + budget_ns};
      for (int k = 0; k < kBallots; ++k) block_ballots()[k] = Ballot{};
      for (int k = 0; k < kBoxCounters; ++k) box_used()[k] = 0;
      gathered_used() = 0;
    }
    __syncthreads();
  }

  // Called by every worker at the end of a launch. A program that agrees on nothing has nothing to store, and
  // in any other all workers have read the rounds before the leader gets here.
  KONIG_FN void leave() {
    if (!leads()) return;
    store(&control_->rounds, clock().rounds);
    store(&control_->stops, clock().stops + expired_);
  }

  KONIG_FN long long index() const { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }
  KONIG_FN long long count() const { return (long long)gridDim.x * blockDim.x; }
  KONIG_FN bool leads() const { return blockIdx.x == 0 && threadIdx.x == 0; }

  // Strided, so that neighbouring threads read neighbouring words.
  template <class Visit>
  KONIG_FN void for_each(long long items, Visit visit) {
    const long long stride = count();
    for (long long i = index(); i < items; i += stride) visit(i);
    __syncwarp();
  }

  // The loads of a batch travel together: a thread that waited for each in turn would spend a sweep over all
  // vertices waiting.
  template <class Load, class Use>
  KONIG_FN void for_each_ahead(long long items, Load load, Use use) {
    const long long stride = count();
    long long i = index();
    for (; i + (kAhead - 1) * stride < items; i += kAhead * stride) {
      decltype(load(i)) values[kAhead];
#pragma unroll
      for (int j = 0; j < kAhead; ++j) values[j] = load(i + j * stride);
#pragma unroll
      for (int j = 0; j < kAhead; ++j) use(i + j * stride, values[j]);
    }
    for (; i < items; i += stride) use(i, load(i));
    __syncwarp();
  }

  // A block gathers what it wants in shared memory before it visits any: otherwise a warp would wait for one
  // of its threads again and again.
  template <class Load, class Wanted, class Visit>
  KONIG_FN void for_each_where(long long items, Load load, Wanted wanted, int width, Visit visit) {
    const long long stride = count(), batch = kAhead * stride;
    for (long long base = 0; base < items; base += batch) {
      const long long i = base + index();
      decltype(load(i)) values[kAhead];
#pragma unroll
      for (int j = 0; j < kAhead; ++j)
        if (i + j * stride < items) values[j] = load(i + j * stride);
#pragma unroll
      for (int j = 0; j < kAhead; ++j)
        if (i + j * stride < items && wanted(values[j])) gathered()[gather_slot()] = i + j * stride;
      if (have_gathered() + kAhead * blockDim.x <= kGathered && base + batch < items)
        __syncthreads();  // all have read it before any gathers more
      else
        visit_gathered(gathered(), width, visit);
    }
  }

  // Four words at a time, and several of these in flight: a sweep takes the time of a load or two. Items that
  // lie close together go to different blocks, warp by warp: what is wanted often does.
  template <class T, class Visit>
  KONIG_FN void for_each_equal(const T* words, long long items, T value, int width, Visit visit) {
    if constexpr (sizeof(T) == 4) {
      unsigned* list = (unsigned*)gathered();  // twice as many places as for wide items
      long long head = -(long long)((unsigned long long)words / 4) & 3;  // words before the first whole four
      if (head > items) head = items;
      const Four<T>* fours = (const Four<T>*)(words + head);
      const long long whole = (items - head) / 4, stride = count(), batch = kFours * stride;
      const long long mine = ((threadIdx.x / 32) * (long long)gridDim.x + blockIdx.x) * 32 + lane();
      for (long long base = 0; base == 0 || base < whole; base += batch) {
        const long long i = base + mine;
        Four<T> seen[kFours];
#pragma unroll
        for (int j = 0; j < kFours; ++j)
          if (i + j * stride < whole) seen[j] = load_four(fours + i + j * stride);
        if (base == 0 && i < 8) {  // what is left at the two ends
          const long long end = i < 4 ? i : head + 4 * whole + i - 4;
          if (end < (i < 4 ? head : items) && load(words + end) == value) list[gather_slot()] = (unsigned)end;
        }
#pragma unroll
        for (int j = 0; j < kFours; ++j)
#pragma unroll
          for (int k = 0; k < 4; ++k)
            if (i + j * stride < whole && seen[j].word[k] == value)
              list[gather_slot()] = (unsigned)(head + 4 * (i + j * stride) + k);
        if (have_gathered() + 4 * kFours * blockDim.x <= 2 * kGathered && base + batch < whole)
          __syncthreads();  // all have read it before any gathers more
        else
          visit_gathered(list, width, visit);
      }
    } else {
      for_each_where(
          items, [&](long long i) { return load(words + i); }, [&](T seen) { return seen == value; }, width,
          visit);
    }
  }

  // Neighbours wait for each other after every item: on their own, those without work would go on looking for
  // some in place of the one that has it. The next item is looked at before this one is visited.
  template <class Load, class Wanted, class Visit>
  KONIG_FN void attend(long long items, long long span, Load load, Wanted wanted, Visit visit) {
    const long long began = ticks(), stride = count(), first = index();
    if (first - lane() >= items) return;
    while (!__any_sync(~0u, ticks() - began >= span)) {
      long long i = first;
      auto next = load(i < items ? i : items - 1);
      for (; i - lane() < items; i += stride) {
        const auto seen = next;
        if (i + stride < items) next = load(i + stride);
        const bool due = i < items && wanted(seen);
        if (!__any_sync(~0u, due)) continue;
        if (due) visit(i, seen);
        __syncwarp();
      }
    }
  }

  // `width` neighbouring threads of a warp are a group; it is a power of two up to 32.
  template <class Visit>
  KONIG_FN void for_each_wide(long long items, int width, Visit visit) {
    const int lane = int(threadIdx.x) & (width - 1);
    const int shift = log_of(width);
    const long long stride = count() >> shift;
    for (long long i = index() >> shift; i < items; i += stride) visit(i, lane, width);
    __syncwarp();
  }

  KONIG_FN Agreed agree(unsigned bits, long long value) {
    const unsigned warp_bits = warp_or(bits);
    const long long warp_total = warp_sum(value);
    if (lane() == 0 && warp_bits) atomicOr(&block_ballots()[round_].bits, warp_bits);
    if (lane() == 0 && warp_total) fetch_add(&block_ballots()[round_].total, warp_total);
    const Ballot outcome = meet();
    return {outcome.bits, outcome.total};
  }

  KONIG_FN AgreedLeast agree_least(unsigned bits, long long value, long long least) {
    const unsigned warp_bits = warp_or(bits);
    const long long warp_total = warp_sum(value);
    const long long warp_least = group_min(least, 32);
    if (lane() == 0 && warp_bits) atomicOr(&block_ballots()[round_].bits, warp_bits);
    if (lane() == 0 && warp_total) fetch_add(&block_ballots()[round_].total, warp_total);
    if (lane() == 0 && warp_least != kNoLeast)
      fetch_min(&block_ballots()[round_].below, warp_least - kNoLeast);
    const Ballot outcome = meet<true>();
    return {outcome.bits, outcome.total, outcome.below + kNoLeast};
  }

  KONIG_FN unsigned any(unsigned bits) {
    const unsigned warp_bits = warp_or(bits);
    if (lane() == 0 && warp_bits) atomicOr(&block_ballots()[round_].bits, warp_bits);
    return meet().bits;
  }

  KONIG_FN long long sum(long long value) {
    const long long warp_total = warp_sum(value);
    if (lane() == 0 && warp_total) fetch_add(&block_ballots()[round_].total, warp_total);
    return meet().total;
  }

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

  // One thread of a block reads for all: thousands of warps asking for one word queue up for it.
  KONIG_FN Counted count_up(long long value, const long long* first, const long long* second) {
    const long long warp_total = warp_sum(value);
    if (lane() == 0 && warp_total) fetch_add(&block_ballots()[round_].total, warp_total);
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

  KONIG_FN Tallied tally(long long value, const long long* counters) {
    const long long warp_total = warp_sum(value);
    if (lane() == 0 && warp_total) fetch_add(&block_ballots()[round_].total, warp_total);
    __syncthreads();
    if (threadIdx.x == 0) {
      Ballot* current = control_->ballots + round_;
      agreed().stop = pass_on();
      tallied() = Tallied{load(&current->total),
                          {load(counters), load(counters + 1), load(counters + 2), load(counters + 3)}};
    }
    __syncthreads();
    const Tallied outcome = tallied();
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

  KONIG_FN bool expired() const { return expired_; }
  KONIG_FN void spend(long long) {}

  template <class T>
  KONIG_FN void append(Queue<T> queue, T value) {
    store(queue.items + reserve_one(queue.used), value);
  }

  // Values wait in the block's box, and one addition makes room for all of them: with many blocks,
  // additions to one word are what limits a queue. What does not fit goes straight out.
  template <class T>
  KONIG_FN void post(Queue<T> queue, T value) {
    const unsigned together = __activemask();
    const int first = __ffs(together) - 1;
    unsigned slot = 0;
    if (lane() == (unsigned)first) slot = atomicAdd(box_used() + box_counter_, (unsigned)__popc(together));
    slot = __shfl_sync(together, slot, first) + __popc(together & ((1U << lane()) - 1));
    slot %= kHalt;
    if (slot < places<T>())
      box<T>(box_)[slot] = value;
    else
      queue.items[reserve_one(queue.used)] = value;
  }

  template <class T>
  KONIG_FN void deliver(Queue<T> queue) {
    send(queue, turn_box(places<T>()));
  }

  // Threads of a warp that come here together may be on their way to different queues.
  template <class T>
  KONIG_FN void post_two(Queue<T> first, Queue<T> second, T value, bool to_second) {
    const unsigned together = __activemask();
    const int leader = __ffs(together) - 1;
    unsigned slot = 0;
    if (lane() == (unsigned)leader) slot = atomicAdd(box_used() + box_counter_, (unsigned)__popc(together));
    slot = __shfl_sync(together, slot, leader) + __popc(together & ((1U << lane()) - 1));
    if (slot < places<T>())
      box<T>(box_)[slot] = value;
    else if (to_second)
      second.items[fetch_add(second.used, 1LL)] = value;
    else
      first.items[fetch_add(first.used, 1LL)] = value;
  }

  template <class T, class IsSecond>
  KONIG_FN void deliver_two(Queue<T> first, Queue<T> second, IsSecond is_second) {
    const unsigned values = turn_box(places<T>());
    if (values == 0) return;
    const T* box_values = box<T>(box_ ^ 1);
    unsigned seconds = 0;
    for (unsigned base = 0; base < values; base += blockDim.x) {
      const unsigned i = base + threadIdx.x;
      seconds += __syncthreads_count(i < values && is_second(box_values[i]));
    }
    if (threadIdx.x < 2) {
      const unsigned mine = threadIdx.x == 0 ? values - seconds : seconds;
      two_places()[threadIdx.x] =
          mine == 0 ? 0 : fetch_add(threadIdx.x == 0 ? first.used : second.used, (long long)mine);
      two_used()[threadIdx.x] = 0;
    }
    __syncthreads();
    for (unsigned base = 0; base < values; base += blockDim.x) {
      const unsigned i = base + threadIdx.x;
      const bool here = i < values;
      const T value = box_values[here ? i : 0];
      const bool late = here && is_second(value);
      const long long place = place_of_two(here, late);
      if (late)
        second.items[place] = value;
      else if (here)
        first.items[place] = value;
    }
  }

  // A block is a crew: the next round visits its box while the other one is filled. A crew with more than its
  // threads can visit at once stops early, so that others take their share.
  template <class T, class Visit>
  KONIG_FN void expand(const T* items, long long n, Queue<T> queue, int width, int rounds, Visit visit) {
    for_each_wide(n, width, [&](long long i, int lane, int lanes) { visit(items[i], lane, lanes); });
    unsigned posted = turn_box(places<T>());
    for (int round = 1; round < rounds && posted > 0 && posted <= blockDim.x / kCrowd; ++round) {
      const int shift = fitting_shift(posted, 1, 5), lanes = 1 << shift;
      const T* values = box<T>(box_ ^ 1);
      for (unsigned i = threadIdx.x >> shift; i < posted; i += blockDim.x >> shift)
        visit(values[i], int(threadIdx.x) & (lanes - 1), lanes);
      posted = turn_box(places<T>());
    }
    send(queue, posted);
  }

  // A block is a crew, and its rounds are a block barrier apart.
  template <class Item, class T, class Visit, class Leave>
  KONIG_FN int alone(long long n, Item item, Queue<T> queue, int few, int rounds, Visit visit, Leave leave) {
    if (blockIdx.x != 0) return 0;
    unsigned posted = (unsigned)n;
    int round = 0;
    do {  // one loop for all rounds, so that the visit is in the code once
      const int shift = fitting_shift(posted, 1, 5), lanes = 1 << shift;
      const T* box_values = box<T>(box_ ^ 1);
      for (unsigned i = threadIdx.x >> shift; i < posted; i += blockDim.x >> shift)
        visit(round == 0 ? item(i) : box_values[i], round, int(threadIdx.x) & (lanes - 1), lanes);
      posted = turn_box(places<T>());
      ++round;
    } while (round < rounds && posted > 0 && posted <= (unsigned)few && posted < places<T>() && !halted_);
    const T* values = box<T>(box_ ^ 1);
    for (unsigned i = threadIdx.x; i < posted; i += blockDim.x) leave(values[i]);
    __syncwarp();
    deliver(queue);
    return round;
  }

  // All threads of the block learn of it with the number of values in its box.
  KONIG_FN void halt() { atomicOr(box_used() + box_counter_, kHalt); }

  KONIG_FN void add(long long* place, long long value) {
    const long long warp_total = warp_sum(value);
    if (lane() == 0 && warp_total) fetch_add(place, warp_total);
  }

  KONIG_FN long long nanoseconds() const { return now(); }
  KONIG_FN long long ticks() const { return clock64(); }

 private:
  KONIG_FN unsigned have_gathered() {
    __syncthreads();
    return gathered_used();
  }

  // By groups of up to `width` threads, as many as there are for each.
  template <class Item, class Visit>
  KONIG_FN void visit_gathered(const Item* list, int width, Visit visit) {
    const unsigned have = gathered_used();
    const int shift = fitting_shift(have, 0, log_of(width)), lanes = 1 << shift;
    for (unsigned k = threadIdx.x >> shift; k < have; k += blockDim.x >> shift)
      visit((long long)list[k], int(threadIdx.x) & (lanes - 1), lanes);
    __syncthreads();
    if (threadIdx.x == 0) gathered_used() = 0;
    __syncthreads();
  }

  // Closes the box that was filled, opens the other one, and says how many values it holds. Three counters
  // take turns: one is read, the next is counted into, and the third, which all have read, is cleared.
  KONIG_FN unsigned turn_box(unsigned places) {
    __syncthreads();
    const unsigned counted = box_used()[box_counter_], used = counted % kHalt;
    halted_ = counted >= kHalt;
    if (threadIdx.x == 0) box_used()[(box_counter_ + 2) % kBoxCounters] = 0;
    box_counter_ = (box_counter_ + 1) % kBoxCounters;
    box_ ^= 1;
    return used < places ? used : places;
  }

  // Puts the first values of the closed box into the queue.
  template <class T>
  KONIG_FN void send(Queue<T> queue, unsigned values) {
    if (values == 0) return;
    if (threadIdx.x == 0) box_place() = fetch_add(queue.used, (long long)values);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < values; i += blockDim.x)
      queue.items[box_place() + i] = box<T>(box_ ^ 1)[i];
  }

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
  static constexpr unsigned kHalt = 1U << 31;
  static constexpr unsigned kCrowd = KONIG_CROWD;  // threads for each value, or a crew is crowded

  unsigned round_;            // which ballot is open: agreements so far % kBallots
  unsigned scans_ = 0;        // in this launch
  unsigned box_ = 0;          // which box is filled
  unsigned box_counter_ = 0;  // and what counts its values
  bool expired_ = false;
  bool halted_ = false;
};

}  // namespace konig::bsp
