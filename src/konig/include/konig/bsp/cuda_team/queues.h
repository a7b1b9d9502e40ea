// Values for shared queues, which wait in a box of the block until they are delivered: part of CudaTeam.
#pragma once

#include "konig/bsp/cuda_team/sweeps.h"

namespace konig::bsp {

class CudaQueues : public CudaSweeps {
 public:
  using CudaSweeps::CudaSweeps;

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

  // All threads of the block learn of it with the number of values in its box.
  KONIG_FN void halt() { atomicOr(box_used() + box_counter_, kHalt); }

 protected:
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

  static constexpr unsigned kHalt = 1U << 31;

  unsigned box_ = 0;          // which box is filled
  unsigned box_counter_ = 0;  // and what counts its values
  bool halted_ = false;
};

}  // namespace konig::bsp
