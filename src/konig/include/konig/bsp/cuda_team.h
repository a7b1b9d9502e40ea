// A team that is a cooperative CUDA grid: one thread is one worker.
//
// Its parts are in cuda_team/, each built on the one before: what a warp and a block do together, the grid
// barrier, agreements, sweeps over items, queues. They are base classes without virtual functions, so a team
// is a handful of registers. Blocks are one-dimensional and a multiple of 32 threads. No CUDA header is
// needed.
#pragma once

#include "konig/bsp/cuda_team/queues.h"

namespace konig::bsp {

class CudaTeam : public CudaQueues {
 public:
  using CudaQueues::CudaQueues;

  // The next round of a block visits its box while the other one is filled. A block with more than its
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

  // The rounds of a block are a block barrier apart.
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
};

}  // namespace konig::bsp
