// A team that is a cooperative CUDA grid: one thread is one worker. Blocks are one-dimensional and a multiple
// of 32 threads. No CUDA header is needed.
//
// A cooperative launch guarantees that all blocks are resident, so they may wait for each other. The barrier
// counts arrivals, and the count only grows: at the end of the k-th agreement it is k times the number of
// blocks. What a warp passes to an agreement is combined by shuffles, what a block passes in shared memory,
// and one thread passes that on to the grid.
#pragma once

#include "konig/bsp/cuda_block.h"

namespace konig::bsp {

// The part of the workspace that belongs to the team; zeros before the first launch. The grid must be the
// same for all launches of a solve. Words that many blocks hit lie in cache lines of their own. Behind it lie
// two words for each block, which `scan` uses.
struct Control {
  long long rounds;  // agreements so far; the ballots go on taking turns across launches
  long long late;    // barriers that block 0 reached after the time of its launch was up
  long long padding[14];
  long long arrived;  // blocks, over all rounds; and in the bits from kStopBit up, `late`
  long long padding_too[15];
  long long released;  // twice the rounds that all have reached, and one more if the last ends the launch
  long long padding_as_well[15];
  Ballot ballots[kBallots];
};
static_assert(sizeof(Control) <= 64 * sizeof(long long), "gpu/program.py leaves room for 64 words");

class CudaTeam : public CudaBlock {
 public:
  __device__ CudaTeam(Control* control, long long budget_ns) : control_(control) {
    const long long rounds = load(&control->rounds);
    round_ = (unsigned)(rounds % kBallots);
    if (threadIdx.x == 0) {
      clock() = Clock{rounds, load(&control->late), now() + budget_ns};
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
    store(&control_->late, load(&control_->arrived) >> kStopBit);
  }

  KONIG_FN long long index() const { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }
  KONIG_FN long long count() const { return (long long)gridDim.x * blockDim.x; }
  KONIG_FN bool leads() const { return blockIdx.x == 0 && threadIdx.x == 0; }
  KONIG_FN bool expired() const { return expired_; }
  KONIG_FN void spend(long long) {}
  KONIG_FN long long nanoseconds() const { return now(); }

  // ---- agreements

  KONIG_FN void barrier() {
    __syncthreads();
    if (threadIdx.x == 0) {
      agreed().stop = pass_on(control_, round_);
    }
    __syncthreads();
    close_round(agreed().stop);
  }

  KONIG_FN unsigned any(unsigned bits) {
    cast(warp_or(bits), 0);
    return meet().bits;
  }

  KONIG_FN long long sum(long long value) {
    cast(0, warp_sum(value));
    return meet().total;
  }

  KONIG_FN Agreed agree(unsigned bits, long long value) {
    const unsigned warp_bits = warp_or(bits);
    const long long warp_total = warp_sum(value);
    cast(warp_bits, warp_total);
    const Ballot outcome = meet();
    return {outcome.bits, outcome.total};
  }

  KONIG_FN AgreedLeast agree(unsigned bits, long long value, long long least) {
    const unsigned warp_bits = warp_or(bits);
    const long long warp_total = warp_sum(value);
    const long long warp_least = group_min(least, 32);
    cast(warp_bits, warp_total);
    if (lane() == 0 && warp_least != kNoLeast)
      fetch_min(&block_ballots()[round_].below, warp_least - kNoLeast);
    const Ballot outcome = meet<true>();
    return {outcome.bits, outcome.total, outcome.below + kNoLeast};
  }

  // One thread of a block reads for all: thousands of warps asking for one word queue up for it.
  KONIG_FN Counted count_up(long long value, const Tally* tally) {
    cast(0, warp_sum(value));
    __syncthreads();
    if (threadIdx.x == 0) {
      Ballot* current = control_->ballots + round_;
      agreed().stop = pass_on(control_, round_);
      counted() = Counted{load(&current->total), load(&tally->first), load(&tally->second)};
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

  // ---- visits

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

  // `width` neighbouring threads of a warp are a group; it is a power of two up to 32.
  template <class Visit>
  KONIG_FN void for_each_wide(long long items, int width, Visit visit) {
    const int lane = int(threadIdx.x) & (width - 1);
    const int shift = log_of(width);
    const long long stride = count() >> shift;
    for (long long i = index() >> shift; i < items; i += stride) visit(i, lane, width);
    __syncwarp();
  }

  // A block gathers what it wants in shared memory before it visits any: otherwise a warp would wait for one
  // of its threads again and again.
  template <class Load, class Wanted, class Share, class Visit>
  KONIG_FN void for_each_where(long long items, Load load, Wanted wanted, Share share, Visit visit) {
    const long long stride = count(), batch = kAhead * stride;
    for (long long base = 0; base < items; base += batch) {
      const long long i = base + index();
      decltype(load(i)) values[kAhead];
#pragma unroll
      for (int j = 0; j < kAhead; ++j)
        if (i + j * stride < items) values[j] = load(i + j * stride);
#pragma unroll
      for (int j = 0; j < kAhead; ++j)
        if (i + j * stride < items && wanted(values[j]))
          gathered()[reserve_one(&gathered_used())] = i + j * stride;
      if (have_gathered() + kAhead * blockDim.x <= kGathered && base + batch < items)
        __syncthreads();  // all have read it before any gathers more
      else
        visit_gathered(gathered(), share, visit);
    }
  }

  // Four words at a time, and several of these in flight: a sweep takes the time of a load or two. Wanted
  // items are often adjacent, so neighbouring warps' items go to different blocks.
  template <class Wanted, class Share, class Visit>
  KONIG_FN void for_each_where(long long items, Words<int> words, Wanted wanted, Share share, Visit visit) {
    unsigned* list = (unsigned*)gathered();  // twice as many places as for wide items
    long long head = -(long long)((unsigned long long)words.first / 4) & 3;  // before the first whole four
    if (head > items) head = items;
    const Four<int>* fours = (const Four<int>*)(words.first + head);
    const long long whole = (items - head) / 4, stride = count(), batch = kFours * stride;
    const long long mine = ((threadIdx.x / 32) * (long long)gridDim.x + blockIdx.x) * 32 + lane();
    for (long long base = 0; base == 0 || base < whole; base += batch) {
      const long long i = base + mine;
      Four<int> seen[kFours];
#pragma unroll
      for (int j = 0; j < kFours; ++j)
        if (i + j * stride < whole) seen[j] = load_four(fours + i + j * stride);
      if (base == 0 && i < 8) {  // what is left at the two ends
        const long long end = i < 4 ? i : head + 4 * whole + i - 4;
        if (end < (i < 4 ? head : items) && wanted(words(end)))
          list[reserve_one(&gathered_used())] = (unsigned)end;
      }
#pragma unroll
      for (int j = 0; j < kFours; ++j)
#pragma unroll
        for (int k = 0; k < 4; ++k)
          if (i + j * stride < whole && wanted(seen[j].word[k]))
            list[reserve_one(&gathered_used())] = (unsigned)(head + 4 * (i + j * stride) + k);
      if (have_gathered() + 4 * kFours * blockDim.x <= 2 * kGathered && base + batch < whole)
        __syncthreads();  // all have read it before any gathers more
      else
        visit_gathered(list, share, visit);
    }
  }

  // The lanes of a warp reconverge after every item; otherwise lanes without work keep polling and delay the
  // lane that has some. The next item is loaded before this one is visited.
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

  // ---- queues

  // Values wait in the block's box, and one addition makes room for all of them: with many blocks,
  // additions to one word are what limits a queue. What does not fit goes straight out.
  template <class T>
  KONIG_FN void post(Queue<T> queue, T value) {
    const unsigned slot = reserve_one(box_used() + box_counter_);
    if (slot < places<T>())
      box<T>(box_)[slot] = value;
    else
      queue.items[reserve_one(queue.used)] = value;
  }

  template <class T>
  KONIG_FN void deliver(Queue<T> queue) {
    __syncthreads();
    send(queue, turn_box(places<T>()));
  }

  // One loop for large items, small items and all further rounds, so that the visit is in the code once. The
  // next round of a block visits its box while the other one is filled. A block with more than its threads
  // can visit at once stops early, so that others take their share.
  template <class T, class Visit>
  KONIG_FN void expand(const T* items, long long few, long long many, long long room, Queue<T> queue,
                       int width, int rounds, Visit visit) {
    bool large = many > 0;
    unsigned posted = 0;
    int round = 0;
    KONIG_NO_UNROLL
    while (true) {
      const int shift = round > 0 ? fitting_shift(posted, 1, 5)
                        : large   ? 5
                                  : log_of(width),
                lanes = 1 << shift;
      const long long end = round > 0 ? posted : large ? many : few;
      const long long stride = (round > 0 ? blockDim.x : count()) >> shift;
      const T* values = box<T>(box_ ^ 1);
      KONIG_NO_UNROLL
      for (long long i = (round > 0 ? threadIdx.x : index()) >> shift; i < end; i += stride)
        visit(round > 0 ? values[i] : items[large ? room - 1 - i : i], int(threadIdx.x) & (lanes - 1), lanes);
      __syncwarp();
      if (large) {
        large = false;
        continue;
      }
      __syncthreads();
      posted = turn_box(places<T>());
      if (++round >= rounds || posted == 0 || posted > blockDim.x / kCrowd) break;
    }
    send(queue, posted);
  }

  // The same loop. Rounds of the leader's block are a block barrier apart.
  template <class T, class Visit>
  KONIG_FN int expand_alone(const T* items, long long few, long long many, long long room, Queue<T> queue,
                            int alone, int rounds, Visit visit) {
    const bool lone = many == 0 && few <= alone;
    if (lone && blockIdx.x != 0) return 0;
    // Many workers for an item shorten a superstep that is small; few use all of them when it is large.
    const int wide = 4 * few <= count() ? 2 : 2 * few <= count() ? 1 : 0;
    bool large = many > 0;
    unsigned posted = (unsigned)few;
    int round = 0;
    KONIG_NO_UNROLL
    while (true) {
      const int shift = lone ? fitting_shift(posted, 1, 5) : large ? 5 : wide, lanes = 1 << shift;
      const long long end = lone ? posted : large ? many : few;
      const long long stride = (lone ? blockDim.x : count()) >> shift;
      const T* values = box<T>(box_ ^ 1);
      bool ends = false;
      KONIG_NO_UNROLL
      for (long long i = (lone ? threadIdx.x : index()) >> shift; i < end; i += stride)
        ends |= visit(round > 0 ? values[i] : items[large ? room - 1 - i : i], round,
                      int(threadIdx.x) & (lanes - 1), lanes);
      __syncwarp();
      if (large) {
        large = false;
        continue;
      }
      const bool last = __syncthreads_or(ends);
      posted = turn_box(places<T>());
      ++round;
      if (!lone || last || round >= rounds || posted == 0 || posted > (unsigned)alone ||
          posted >= places<T>())
        break;
    }
    send(queue, posted);
    return round;
  }

 private:
  // ---- the barrier, and what travels with it

  // What a warp has to say, into the ballot of its block.
  KONIG_FN void cast(unsigned bits, long long total) {
    if (lane() == 0 && bits) atomicOr(&block_ballots()[round_].bits, bits);
    if (lane() == 0 && total) fetch_add(&block_ballots()[round_].total, total);
  }

  template <bool kWithLeast = false>
  KONIG_FN Ballot meet() {
    __syncthreads();
    if (threadIdx.x == 0) {
      Ballot* current = control_->ballots + round_;
      const unsigned stop = pass_on<kWithLeast>(control_, round_);
      const long long below = kWithLeast ? load(&current->below) : 0;
      agreed() = Ballot{load(&current->bits), stop, load(&current->total), below};
    }
    __syncthreads();
    const Ballot outcome = agreed();
    close_round(outcome.stop);
    return outcome;
  }

  // One thread of each block: what the block gathered goes to the grid's ballot, and all wait. Not inlined: a
  // program has twenty barriers, and compiling them is a sixth of its first call.
  template <bool kWithLeast = false>
  static __device__ __noinline__ unsigned pass_on(Control* control, unsigned round) {
    const Ballot mine = block_ballots()[round];
    Ballot* current = control->ballots + round;
    block_ballots()[after(round)] = Ballot{};
    if (blockIdx.x == 0) clear(control->ballots + after(round));
    if (mine.bits) atomicOr(&current->bits, mine.bits);
    if (mine.total) fetch_add(&current->total, mine.total);
    if (kWithLeast && mine.below) fetch_min(&current->below, mine.below);
    return wait_for_all(control);
  }

  static KONIG_FN unsigned after(unsigned round) { return round + 1 == kBallots ? 0 : round + 1; }

  // It was last read before the previous barrier, and is not written before this one.
  static KONIG_FN void clear(Ballot* next) {
    store(&next->bits, 0U);
    store(&next->total, 0LL);
    store(&next->below, 0LL);
  }

  KONIG_FN void close_round(unsigned stop) {
    expired_ = stop != 0;
    round_ = after(round_);
  }

  // One thread of each block. All arrive at one word; the last one tells the others through a second, so that
  // their polling does not slow the arrivals down. Whether the launch ends travels with both.
  static KONIG_FN unsigned wait_for_all(Control* control) {
    Clock& block = clock();
    const long long round = ++block.rounds;
    const bool late = blockIdx.x == 0 && now() >= block.ends;
    const long long mine = 1 + (late ? 1LL << kStopBit : 0);
    __threadfence();
    const long long arrived = fetch_add(&control->arrived, mine) + mine;
    unsigned stop;
    if ((arrived & ((1LL << kStopBit) - 1)) == round * gridDim.x) {
      stop = (arrived >> kStopBit) != block.late;
      store(&control->released, 2 * round + stop);
    } else {
      long long released;
      do {
        released = load(&control->released);
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

  // ---- what a block has gathered

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
    forget_gathered();
  }

  // By groups of up to a warp, as many as there are for each, but items that would keep such a group busy for
  // long by warps, and the longest, one after the other, by the whole block. One long list among short ones
  // would otherwise make the grid wait for one thread.
  template <class Item, class Size, class Visit>
  KONIG_FN void visit_gathered(const Item* list, const BySize<Size>& share, Visit visit) {
    if (!share.uneven) return visit_gathered(list, 32, visit);
    const unsigned have = gathered_used(), thread = threadIdx.x;
    const int shift = fitting_shift(have, 0, 5), lanes = 1 << shift;
    const long long most = (long long)kShare << shift;
    bool passed_over = false;
    for (unsigned k = thread >> shift; k < have; k += blockDim.x >> shift) {
      const long long item = list[k];
      if (share.size(item) <= most)
        visit(item, int(thread) & (lanes - 1), lanes);
      else
        passed_over = true;
    }
    if (__syncthreads_or(passed_over)) {
      for (unsigned base = thread - lane(); base < have; base += blockDim.x) {
        const unsigned k = base + lane();
        const long long work = k < have ? share.size(list[k]) : 0;
        const bool kept = work > kShare * 32 && keep_for_block(list[k]);
        for (unsigned rest = __ballot_sync(~0U, work > most && !kept); rest; rest &= rest - 1)
          visit((long long)list[base + __ffs(rest) - 1], int(lane()), 32);
      }
      __syncthreads();
      const unsigned kept = min(kept_counted(), kKept);
      for (unsigned k = 0; k < kept; ++k) visit(kept_items()[k], int(thread), int(blockDim.x));
    }
    forget_gathered();
  }

  // False if there is no place left.
  static KONIG_FN bool keep_for_block(long long item) {
    const unsigned place = atomicAdd(&kept_counted(), 1U);
    if (place < kKept) kept_items()[place] = item;
    return place < kKept;
  }

  KONIG_FN void forget_gathered() {
    __syncthreads();
    if (threadIdx.x == 0) gathered_used() = kept_counted() = 0;
    __syncthreads();
  }

  // ---- the boxes of a block

  // After a block barrier: closes the box that was filled, opens the other one, and says how many values it
  // holds. Three counters take turns: one is read, the next is counted into, and the third, which all have
  // read, is cleared.
  KONIG_FN unsigned turn_box(unsigned places) {
    const unsigned used = box_used()[box_counter_];
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

  static constexpr int kStopBit = 48;

  Control* control_;
  unsigned round_;            // which ballot is open: agreements so far % kBallots
  unsigned scans_ = 0;        // in this launch
  unsigned box_ = 0;          // which box is filled
  unsigned box_counter_ = 0;  // and what counts its values
  bool expired_ = false;
};

}  // namespace konig::bsp
