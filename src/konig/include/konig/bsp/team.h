// A Team is the set of workers that run one bulk-synchronous program together: supersteps over items, each
// closed by an agreement. The program is written once against these verbs; the team is a template parameter.
//
// clang-format off
//   -- workers
//   long long index(), count()     this worker, and how many there are
//   bool leads()                   true for exactly one worker, the one that writes what the team keeps
//   kWarp                          how many neighbouring workers run in step
//   -- visits; groups are of neighbouring workers, `lane` of `lanes`
//   for_each(n, f)                 f(i) for this worker's share of 0 <= i < n; the shares cover all items once
//   for_each_ahead(n, g, f)        f(i, g(i)) for this worker's share; g only loads, and some items ahead of f
//   for_each_wide(n, width, f)     f(i, lane, lanes) for every item, by groups of up to `width` workers at once
//   for_each_where(n, g, p, share, f)  f(i, lane, lanes) for the items with p(g(i)), few or many: they are gathered first,
//                                  and groups share them evenly. `share` is the width of a group at most, or BySize
//   attend(n, ticks, g, p, f)      f(i, g(i)) for the items of this worker with p(g(i)), again and again: on a GPU for so many
//                                  ticks, on a CPU until a pass over them finds none or some passes are over; no barrier
//   expand(items, few, many, room, queue, width, rounds, f)  f(item, lane, lanes) for `few` items at the front of an array of
//                                  `room`, by groups of up to `width`, and `many` large ones at its back, by warps; and then, by the workers that are
//                                  close together (a thread block), for what was posted since the last delivery, in up to `rounds` rounds
//                                  without waiting for the others; what is then left is delivered to the queue
//   int expand_alone(items, few, many, room, queue, alone, rounds, f)  the same in one round, unless none are large and no more
//                                  than `alone` in all: then by the block of the leader alone, in step. f(item, round, lane, lanes) says whether
//                                  this round is to be the last, as one is after which more than `alone` are posted. How many rounds there
//                                  were, for the leader
//   -- agreements
//   barrier()                      a barrier
//   unsigned any(unsigned bits)    a barrier; the union of what the workers passed
//   long long sum(long long x)     a barrier; the sum of what the workers passed
//   Agreed agree(bits, x)          a barrier; both at once: .bits is the union, .total the sum
//   agree(bits, x, least)          the same, and .least is the least of what the workers passed; none below 0
//   Counted count_up(x, tally)     a barrier; .total sums x, .first and .second are what the counters of a tally hold
//   Scanned scan(long long x)      a barrier; .before sums over the workers of smaller index, .total over all
//   bool expired()                 whether the team agreed, at its last barrier, that this launch should end
//   -- queues and counters
//   long long reserve(used, n)     takes n places at the end of a shared queue; the first of them
//   post(queue, value), deliver(queue)  puts values into a shared queue, in no particular order: they arrive by the next
//                                  deliver, which all call
//   add(place, value)              adds to a shared counter at the end of a launch; no barrier
//   -- inside a group, of a warp at most
//   T group_min(x, width)          the least of what the workers of the group passed
//   T group_at(x, lane, width)     what that worker of the group passed
//   unsigned group_ballot(sign, width)  a bit for each worker of the group, by its lane: what it passed
//   -- time
//   spend(work)                    accounts for work inside an item, so that a CPU worker can look at the clock
//   long long nanoseconds()        a wall clock, of which only differences mean something
//   long long ticks()              this worker's fast clock, of which only differences mean something
// clang-format on
//
// Visits, agreements, `deliver` and `add` are collective: all workers call them in the same order. Inside a
// visit only `post`, `reserve`, `spend`, the group_ verbs (by a whole group) and the queries may be called.
// Whatever decides which barrier comes next must be a value that the whole team agreed on: what `any`, `sum`,
// `agree`, `count_up`, `expired` and `scan().total` return is the same for all of them. What a worker stored
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

// Two counters of a superstep, which all know after the barrier that ends it. Three of them take turns: one
// is read, one is counted into, and the third is cleared, so that a superstep costs one barrier.
struct Tally {
  long long first;
  long long second;
};
constexpr int kTallies = 3;

// That of superstep `round`. The one of the next is cleared: it was last read before the previous barrier.
template <class Team>
KONIG_FN Tally* open_tally(Team& team, Tally* tallies, long long round) {
  if (team.leads()) {
    Tally* next = tallies + (round + 1) % kTallies;
    store(&next->first, 0LL);
    store(&next->second, 0LL);
  }
  return tallies + round % kTallies;
}

// Words of an array, to be loaded by for_each_where: several travel in one load.
template <class T>
struct Words {
  const T* first;
  KONIG_FN T operator()(long long i) const { return load(first + i); }
};

// How for_each_where shares items of different sizes. Where they are `uneven`, which is the same for all,
// size(i) may exceed kShare (limits.h): groups are then the larger, the larger it is, and may be more than a
// warp, so that the visit may not use what is for groups.
template <class Size>
struct BySize {
  bool uneven;
  Size size;
};
template <class Size>
BySize(bool, Size) -> BySize<Size>;

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
