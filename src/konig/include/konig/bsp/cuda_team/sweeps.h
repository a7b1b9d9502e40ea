// How the workers of a CudaTeam share a number of items: part of CudaTeam.
#pragma once

#include "konig/bsp/cuda_team/agreements.h"

namespace konig::bsp {

class CudaSweeps : public CudaAgreements {
 public:
  using CudaAgreements::CudaAgreements;

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

  template <class Load, class Wanted, class Visit>
  KONIG_FN void for_each_where(long long items, Load load, Wanted wanted, int width, Visit visit) {
    gather(items, load, wanted, [&] { visit_gathered(gathered(), width, visit); });
  }

  // Four words at a time, and several of these in flight: a sweep takes the time of a load or two. Items that
  // lie close together go to different blocks, warp by warp: what is wanted often does.
  template <class T, class Size, class Visit>
  KONIG_FN void for_each_equal(const T* words, long long items, T value, bool uneven, Size size,
                               Visit visit) {
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
          visit_sized(list, uneven, size, visit);
      }
    } else {
      gather(
          items, [&](long long i) { return load(words + i); }, [&](T seen) { return seen == value; },
          [&] { visit_sized(gathered(), uneven, size, visit); });
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

 private:
  // A block gathers what it wants in shared memory before it visits any: otherwise a warp would wait for one
  // of its threads again and again.
  template <class Load, class Wanted, class VisitAll>
  KONIG_FN void gather(long long items, Load load, Wanted wanted, VisitAll visit_all) {
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
        visit_all();
    }
  }

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
  KONIG_FN void visit_sized(const Item* list, bool uneven, Size size, Visit visit) {
    if (!uneven) return visit_gathered(list, 32, visit);
    const unsigned have = gathered_used(), thread = threadIdx.x;
    const int shift = fitting_shift(have, 0, 5), lanes = 1 << shift;
    const long long most = (long long)kShare << shift;
    bool passed_over = false;
    for (unsigned k = thread >> shift; k < have; k += blockDim.x >> shift) {
      const long long item = list[k];
      if (size(item) <= most)
        visit(item, int(thread) & (lanes - 1), lanes);
      else
        passed_over = true;
    }
    if (__syncthreads_or(passed_over)) {
      for (unsigned base = thread - lane(); base < have; base += blockDim.x) {
        const unsigned k = base + lane();
        const long long work = k < have ? size(list[k]) : 0;
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
};

}  // namespace konig::bsp
