// From sorted arcs to the residual network of konig/flow/residual.h, for one worker.
//
// One pass over arcs that are sorted by tail and head gives each arc a slot in the lists of both ends. What
// stands in a list when its vertex's own arcs begin came from lower vertices, in increasing order, so that an
// arc back to one of them finds its opposite by walking along. Lists get room for all arcs, or for the
// leaving ones alone if every arc seems to have an opposite. `Given` knows the arcs: for_each(run, visit)
// calls visit(arc, tail, head) in order, inner(u, v) tells arcs between inner vertices, prefetch(place) asks
// for what is soon written; `start` is null where they come without lists.
#pragma once

#include "konig/flow/residual.h"

namespace konig::residual {

template <class Given, class Id, class Amount, class Run>
class Merge {
 public:
  // slot_of_arc gets the slot of each arc; -1 for those that no flow between inner vertices uses.
  Merge(const Given& arcs, unsigned long long bound, Id* start, Id* slot_of_arc, Id* end, Run& run)
      : arcs_(arcs),
        bound_(bound),
        n_(arcs.vertices),
        start_(start),
        slot_of_arc_(slot_of_arc),
        end_(end),
        run_(run) {}

  // Whether every arc of a sample has an opposite one.
  bool looks_symmetric() const {
    if (!arcs_.start) return false;
    constexpr Id kSample = 64;
    const Id total = arcs_.start[n_], step = total / kSample > 1 ? total / kSample : 1;
    Id u = 0;
    for (Id a = step / 2; a < total; a += step) {
      while (arcs_.start[u + 1] <= a) ++u;
      const Id v = arcs_.head[a];
      if (arcs_.inner(u, v) && !has(v, u)) return false;
    }
    return true;
  }

  // Says how many slots there must be room for.
  Id make_room(bool symmetric) {
    for (Id v = 0; v <= n_; ++v) start_[v] = 0;
    arcs_.for_each(run_, [&](Id a, Id u, Id v) {
      if (!arcs_.inner(u, v) || arcs_.capacity[a] == 0) return;
      ++start_[u + 1];
      if (!symmetric) ++start_[v + 1];
    });
    for (Id v = 0; v < n_; ++v) {
      end_[v] = start_[v];
      start_[v + 1] += start_[v];
    }
    run_.spend(n_);
    return start_[n_];
  }

  // Says false if a list got too little room, which happens only if `symmetric` was wrong.
  bool fill(Slot<Id, Amount>* slots) {
    const Id* const start = start_;
    Id* const end = end_;
    Id* const slot_of_arc = slot_of_arc_;
    const bool undirected = arcs_.undirected;
    bool fits = true;
    Id tail = -1, lower = 0, lower_end = 0;  // entries that lower vertices have put into tail's list
    Id last_head = -1, last_slot = -1;
    constexpr Id kAhead = 16;
    const Id count = arcs_.count();
    arcs_.for_each(run_, [&](Id a, Id u, Id v) {
      if (count - a > kAhead) arcs_.prefetch(slots + end[arcs_.head[a + kAhead]]);
      slot_of_arc[a] = -1;
      if (!arcs_.inner(u, v) || !fits) return;
      if (u != tail) {
        tail = u;
        lower = start[u];
        lower_end = end[u];
        last_head = -1;
      }
      const auto given = (unsigned long long)arcs_.capacity[a];
      const Amount capacity = Amount(given < bound_ ? given : bound_);
      if (v == last_head) {  // parallel to the one before
        slot_of_arc[a] = last_slot;
        add(slots, last_slot, capacity);
        return;
      }
      if (capacity == 0) return;
      last_head = v;
      if (v < u) {
        while (lower < lower_end && slots[lower].other < v) ++lower;
        if (lower < lower_end && slots[lower].other == v) {
          slot_of_arc[a] = last_slot = lower;
          add(slots, lower, capacity);
          return;
        }
      }
      const Id slot = end[u]++, mate = end[v]++;
      if (slot >= start[u + 1] || mate >= start[v + 1]) {
        fits = false;
        return;
      }
      const Amount back = undirected ? capacity : 0;
      slots[slot] = {v, mate, capacity, back};
      slots[mate] = {u, slot, back, capacity};
      slot_of_arc[a] = last_slot = slot;
    });
    return fits;
  }

  // Opposite arcs leave room that nobody needs: a little is filled with slots that lead nowhere, much is
  // given up. `shift` has room for one more than there are vertices.
  void close_gaps(Slot<Id, Amount>* slots, Id* shift) {
    constexpr Id kWorthwhile = 16;
    Id gaps = 0;
    for (Id v = 0; v < n_; ++v) gaps += start_[v + 1] - end_[v];
    run_.spend(n_);
    if (gaps == 0) return;
    if (gaps < start_[n_] / kWorthwhile) {
      for (Id v = 0; v < n_; ++v)
        for (Id s = end_[v]; s < start_[v + 1]; ++s) slots[s] = {v, s, 0, 0};
      return;
    }
    shift[0] = 0;
    for (Id v = 0; v < n_; ++v) shift[v + 1] = shift[v] + start_[v + 1] - end_[v];
    for (Id v = 0; v < n_; ++v) {
      for (Id s = start_[v]; s < end_[v]; ++s) {
        slots[s - shift[v]] = slots[s];
        slots[s - shift[v]].mate -= shift[slots[s].other];
      }
      run_.spend(end_[v] - start_[v] + 1);
    }
    arcs_.for_each(run_, [&](Id a, Id u, Id) {
      if (slot_of_arc_[a] >= 0) slot_of_arc_[a] -= shift[u];
    });
    for (Id v = 0; v <= n_; ++v) start_[v] -= shift[v];
  }

 private:
  // Whether v is in the list of u.
  bool has(Id u, Id v) const {
    Id first = arcs_.start[u], last = arcs_.start[u + 1];
    while (first < last) {
      const Id middle = first + (last - first) / 2;
      if (arcs_.head[middle] == v) return true;
      if (arcs_.head[middle] < v)
        first = middle + 1;
      else
        last = middle;
    }
    return false;
  }

  // More capacity along a slot; both ways if arcs are undirected.
  void add(Slot<Id, Amount>* slots, Id slot, Amount capacity) {
    auto& own = slots[slot];
    auto& mate = slots[own.mate];
    const unsigned long long sum = (unsigned long long)own.out + capacity;
    own.out = mate.in = Amount(sum < bound_ ? sum : bound_);
    if (arcs_.undirected) own.in = mate.out = own.out;
  }

  const Given& arcs_;
  const unsigned long long bound_;
  const Id n_;
  Id* const start_;
  Id* const slot_of_arc_;
  Id* const end_;  // of each list as far as it is filled
  Run& run_;
};

}  // namespace konig::residual
