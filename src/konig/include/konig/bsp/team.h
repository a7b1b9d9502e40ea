// A Team is the set of workers that run one bulk-synchronous program together: supersteps over items, each
// closed by an agreement. The program is written once against these verbs; the team is a template parameter.
//
// clang-format off
//   long long index(), count()     this worker, and how many there are
//   bool leads()                   true for exactly one worker, the one that writes what the team keeps
//   for_each(n, f)                 f(i) for this worker's share of 0 <= i < n; the shares cover all items once
//   for_each_ahead(n, g, f)        f(i, g(i)) for this worker's share; g only loads, and some items ahead of f
//   for_each_where(n, g, p, width, f)  f(i, lane, lanes) for the items with p(g(i)), few or many: they are gathered first,
//                                  and groups of up to `width` workers share them evenly
//   for_each_equal(words, n, x, uneven, size, f)  the same for the items with words[i] == x; where `uneven`, which is the same
//                                  for all, size(i) may exceed kShare: groups are then the larger, the larger it is, and
//                                  may be more than a warp: nothing in f may be for groups of a warp
//   attend(n, ticks, g, p, f)      f(i, g(i)) for the items of this worker with p(g(i)), again and again: on a GPU for so many
//                                  ticks, on a CPU until a pass over them finds none or some passes are over; no barrier
//   for_each_wide(n, width, f)     f(i, lane, lanes) for every item, by groups of up to `width` workers at once
//   unsigned any(unsigned bits)    a barrier; the union of what the workers passed
//   long long sum(long long x)     a barrier; the sum of what the workers passed
//   Agreed agree(bits, x)          a barrier; both at once: .bits is the union, .total the sum
//   Counted count_up(x, a, b)      a barrier; .total sums x, .first and .second are what the counters a and b hold
//   agree_least(bits, x, least)    the same, and .least is the least of what the workers passed; none below 0
//   Scanned scan(long long x)      a barrier; .before sums over the workers of smaller index, .total over all
//   barrier()                      a barrier
//   bool expired()                 whether the team agreed, at its last barrier, that this launch should end
//   spend(work)                    accounts for work inside an item, so that a CPU worker can look at the clock
//   long long reserve(used, n)     takes n places at the end of a shared queue; the first of them
//   post(queue, value), deliver(queue)  the same for many values: they arrive by the next deliver, which all call
//   expand(items, n, queue, width, rounds, f)  f(item, lane, lanes) for every item, and then, by the workers that are
//                                  close together (a thread block), for what these visits post, in up to `rounds` rounds
//                                  without waiting for the others; what is then left is delivered to the queue
//   append(queue, value)           puts a value into a shared queue, in no particular order
//   add(place, value)              adds to a shared counter at the end of a launch; no barrier
//   group_min(x, width)            inside for_each_wide: the least of what the workers of the group passed
//   long long group_first(x, width)  the same: what the first worker of the group passed
//   Scanned group_scan(x, width)   the same: .before sums over the workers before this one in its group, .total over all;
//                                  nothing below 0, and sums stop at kMostGrouped
//   int alone(n, item, queue, few, rounds, f, g)  the block of the leader calls f(item(i), round, lane, lanes) for every item, and
//                                  then, in step, for what these visits post, while that is at most `few`, in up to `rounds`
//                                  rounds; g(value) for each value that is then left. How many rounds, for the leader
//   halt()                         inside alone: no more rounds after this one
//   int group_slot(wanted, width, used)  inside for_each_wide: a place after the first `used` for each worker of the
//                                  group that wants one, else -1; `used` grows by as many
//   long long ticks()              this worker's fast clock, of which only differences mean something
//   long long nanoseconds()        the time of day of the machine
//   kWarp                          how many neighbouring workers run in step
//   kStrip, for_strip(n, f)        how many items a worker of a group holds at once; f(k) for k < n <= kStrip
//   kBytesAhead                    of each of these, what it asks memory for before it waits
// clang-format on
//
// Every worker calls the same verbs in the same order, for_each, spend, append and leads apart. Whatever
// decides which barrier comes next must be a value that the whole team agreed on: what `any`, `sum`, `agree`,
// `count_up`, `expired` and `scan().total` return is the same for all of them. What a worker stored
// before a barrier every worker loads after it.
//
// A launch is one run of the program by the team. It ends at an agreement once expired(), with everything
// that matters in the workspace, and the next launch goes on from there.
#pragma once

#include "konig/bsp/atomic.h"

namespace konig::bsp {

// A queue in the workspace; `used` is reset by the leader between supersteps, `items` holds all that may
// come.
template <class T>
struct Queue {
  T* items;
  long long* used;
};

// What one agreement gathers. Three of them take turns: while one is read the next is written and the
// third is cleared, so that an agreement costs one barrier.
struct Ballot {
  unsigned bits;
  unsigned stop;
  long long total;
  long long below;  // the least, counted from kNoLeast downwards, so that zero is none
};
constexpr long long kNoLeast = 0x7fffffffffffffffLL;
constexpr int kBallots = 3;
constexpr long long kMostGrouped = 3LL << 61;

// What an agreement and a prefix sum give back.
struct Agreed {
  unsigned bits;
  long long total;
};
struct AgreedLeast {
  unsigned bits;
  long long total;
  long long least;  // kNoLeast if nobody passed less
};
struct Scanned {
  long long before;
  long long total;
};
struct Counted {
  long long total;
  long long first;
  long long second;
};

}  // namespace konig::bsp

#if defined(__CUDACC__)
#include "konig/bsp/cuda_team.h"
#else
#include "konig/bsp/cpu_team.h"
#include "konig/bsp/shuffled_team.h"
#endif
