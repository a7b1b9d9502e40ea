// What the threads of a CUDA warp do together: part of CudaTeam.
#pragma once

#include "konig/bsp/team.h"

namespace konig::bsp {

class CudaWarp {
 public:
  static constexpr int kWarp = 32;

  // One addition for all threads of a warp that take places together.
  KONIG_FN long long reserve(long long* used, long long places) {
    const unsigned together = __activemask();
    const int first = __ffs(together) - 1;
    long long before = 0, total = 0, slot = 0;
    for (unsigned rest = together; rest; rest &= rest - 1) {
      const int other = __ffs(rest) - 1;
      const long long theirs = __shfl_sync(together, places, other);
      if (other < (int)lane()) before += theirs;
      total += theirs;
    }
    if (lane() == (unsigned)first) slot = fetch_add(used, total);
    return __shfl_sync(together, slot, first) + before;
  }

  // The groups of a warp may come here at different times: each waits for its own lanes only.
  template <class T>
  KONIG_FN T group_min(T value, int width) {
    const unsigned group = group_mask(width);
    for (int offset = width / 2; offset > 0; offset /= 2) {
      const T other = __shfl_xor_sync(group, value, offset);
      if (other < value) value = other;
    }
    return value;
  }

  KONIG_FN long long group_first(long long value, int width) {
    return width == 1 ? value : __shfl_sync(group_mask(width), value, lane() & ~unsigned(width - 1));
  }

  KONIG_FN Scanned group_scan(long long value, int width) {
    if (width == 1) return {0, value};
    const unsigned group = group_mask(width);
    const unsigned rank = lane() & unsigned(width - 1);
    unsigned long long upto = (unsigned long long)value;
    for (int offset = 1; offset < width; offset *= 2) {
      const unsigned long long left = __shfl_up_sync(group, upto, offset);
      if (rank >= (unsigned)offset) upto = upto + left < kMostGrouped ? upto + left : kMostGrouped;
    }
    const unsigned long long before = __shfl_up_sync(group, upto, 1);
    const unsigned long long total = __shfl_sync(group, upto, lane() | unsigned(width - 1));
    return {rank == 0 ? 0 : (long long)before, (long long)total};
  }

  // `used` counts for the whole group and is the same for all of its workers.
  KONIG_FN int group_slot(bool wanted, int width, int& used) {
    const unsigned group = group_mask(width);
    const unsigned takers = __ballot_sync(group, wanted) & group;
    const int slot = used + __popc(takers & ((1U << lane()) - 1));
    used += __popc(takers);
    return wanted ? slot : -1;
  }

  // What a thread holds lies in registers, so the loop has to be unrolled.
  static constexpr int kStrip = 4;
  static constexpr int kBytesAhead = 16;
  template <class Visit>
  static KONIG_FN void for_strip(int items, Visit visit) {
#pragma unroll
    for (int k = 0; k < kStrip; ++k)
      if (k < items) visit(k);
  }

 protected:
  // As `reserve`, a place for each.
  static KONIG_FN long long reserve_one(long long* used) {
    const unsigned together = __activemask();
    const int first = __ffs(together) - 1;
    long long slot = 0;
    if (lane() == (unsigned)first) slot = fetch_add(used, (long long)__popc(together));
    return __shfl_sync(together, slot, first) + __popc(together & ((1U << lane()) - 1));
  }

  // The lanes of this thread's group.
  static KONIG_FN unsigned group_mask(int width) {
    const unsigned all = width == 32 ? 0xffffffffU : (1U << width) - 1;
    return all << (lane() & ~unsigned(width - 1));
  }

  // The logarithm of how many neighbouring threads of a block look at each of some items so that all are
  // looked at at once, within bounds. Groups are powers of two: dividing by a number the compiler does not
  // know takes longer than a load.
  static KONIG_FN int fitting_shift(unsigned items, int least, int most) {
    const int shift = log_of(blockDim.x) - (items > 1 ? log_of(items - 1) + 1 : 0);
    return shift < least ? least : shift < most ? shift : most;
  }
  static KONIG_FN int log_of(unsigned value) { return 31 - __clz((int)value); }

  static KONIG_FN unsigned lane() { return threadIdx.x & 31U; }

  static KONIG_FN unsigned warp_or(unsigned bits) { return __reduce_or_sync(0xffffffffU, bits); }

  // Most often there is nothing to add.
  static KONIG_FN long long warp_sum(long long value) {
    if (!__any_sync(0xffffffffU, value != 0)) return 0;
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffU, value, offset);
    return value;
  }
};

}  // namespace konig::bsp
