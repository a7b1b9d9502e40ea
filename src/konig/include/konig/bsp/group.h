// A group: the few workers that solve one small problem together. Many groups work beside each other and
// never wait for one another; a team (team.h) is one crowd with a barrier for all.
//
// An algorithm is a template over a Group. Items, the columns of a cost matrix, are dealt to the workers in
// strips: item j belongs to worker j % kThreads, as its strip j / kThreads. What a worker knows of its items
// are arrays of kStrips entries, which stay in registers on a GPU. Every worker calls the verbs in the same
// order, with the same `count`; all of them but `rank`, `leads`, `for_each` and `each_row` are barriers: what
// a worker wrote to the group's memory before is seen by all of the group after.
//
//   kThreads, kStrips           constants; a group holds kThreads * kStrips items
//   rank(), leads()             this worker's number; whether it is worker 0
//   for_each(count, visit)      visit(strip, item) for this worker's items below count
//   each_row(count, visit)      visit(i) for all i below count, with the loads of several i in flight
//   barrier()
//   least(mine)                 the least of the workers' Least, the same for all
//   reduce(mine, combine)       all workers' values combined, the same for all
//   deal(counter)               fetch-and-add on a counter that groups share; the same for all of the group
//   time_over()                 whether the launch should end, the same for all
//   groups()                    how many there are in this launch
//   memory()                    of the group: Program::kItemBytes for each of the items that it holds
#pragma once

#include "konig/bsp/atomic.h"

namespace konig::bsp {

// A value and what decides between equal ones.
struct Least {
  long long value;
  unsigned tie;
};

constexpr Least kNoPick{0x7fffffffffffffffLL, 0xffffffffU};

KONIG_FN bool before(long long value, unsigned tie, const Least& other) {
  return value < other.value || (value == other.value && tie < other.tie);
}

}  // namespace konig::bsp
