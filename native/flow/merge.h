// From sorted arcs to their residual network.
//
// One pass over arcs that are sorted by tail and head gives each arc a slot in the lists of both ends. What
// stands in a list when its vertex's own arcs begin came from lower vertices, in increasing order, so that an
// arc back to one of them finds its opposite by walking along. Lists get room for all arcs, or for the
// leaving ones alone if every arc seems to have an opposite.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/large_array.h"
#include "core/prefetch.h"
#include "core/run.h"
#include "flow/arcs.h"
#include "flow/residual.h"

namespace konig {

template <class Network>
class Merge {
 public:
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;

  // Fills `start`, `slots` and `slot_of_arc` of a network that has its vertices and its bound.
  Merge(const Arcs<Index>& arcs, Network& network, Run& run)
      : arcs_(arcs),
        network_(network),
        n_(arcs.vertices),
        bound_(uint64_t(network.bound)),
        start_(size_t(n_) + 1),
        end_(size_t(n_)),
        slot_of_arc_(size_t(arcs.count())),
        run_(run) {}

  void run() {
    if (!looks_symmetric() || !fill(true)) fill(false);
    close_gaps();
    network_.start = std::move(start_);
    network_.slots = std::move(slots_);
    network_.slot_of_arc = std::move(slot_of_arc_);
  }

 private:
  // Whether every arc of a sample has an opposite one.
  bool looks_symmetric() const {
    if (!arcs_.start) return false;
    constexpr Index kSample = 64;
    const Index total = arcs_.start[n_], step = std::max<Index>(total / kSample, 1);
    Index u = 0;
    for (Index a = step / 2; a < total; a += step) {
      while (arcs_.start[u + 1] <= a) ++u;
      const Index v = arcs_.head[a];
      if (arcs_.inner(u, v) &&
          !std::binary_search(arcs_.head + arcs_.start[v], arcs_.head + arcs_.start[v + 1], u))
        return false;
    }
    return true;
  }

  void make_room(bool symmetric) {
    std::fill(start_.begin(), start_.end(), Index(0));
    arcs_.for_each(run_, [&](Index a, Index u, Index v) {
      if (!arcs_.inner(u, v) || arcs_.capacity[a] == 0) return;
      ++start_[u + 1];
      if (!symmetric) ++start_[v + 1];
    });
    for (Index v = 0; v < n_; ++v) {
      end_[v] = start_[v];
      start_[v + 1] += start_[v];
    }
    run_.spend(n_);
    slots_ = LargeArray<Slot>(size_t(start_[n_]));
  }

  // Says false if a list got too little room, which happens only if `symmetric` was wrong.
  bool fill(bool symmetric) {
    make_room(symmetric);
    const Index* const start = start_.data();
    Index* const end = end_.data();
    Index* const slot_of_arc = slot_of_arc_.data();
    Slot* const slots = slots_.data();
    const bool undirected = arcs_.undirected;
    bool fits = true;
    Index tail = -1, lower = 0, lower_end = 0;  // entries that lower vertices have put into tail's list
    Index last_head = -1, last_slot = -1;
    constexpr Index kAhead = 16;
    const Index count = arcs_.count();
    arcs_.for_each(run_, [&](Index a, Index u, Index v) {
      if (count - a > kAhead) prefetch_to_write(slots + end[arcs_.head[a + kAhead]]);
      slot_of_arc[a] = -1;
      if (!arcs_.inner(u, v) || !fits) return;
      if (u != tail) {
        tail = u;
        lower = start[u];
        lower_end = end[u];
        last_head = -1;
      }
      const auto capacity = Capacity(std::min(uint64_t(arcs_.capacity[a]), bound_));
      if (v == last_head) {  // parallel to the one before
        slot_of_arc[a] = last_slot;
        add(last_slot, capacity);
        return;
      }
      if (capacity == 0) return;
      last_head = v;
      if (v < u) {
        while (lower < lower_end && slots[lower].other < v) ++lower;
        if (lower < lower_end && slots[lower].other == v) {
          slot_of_arc[a] = last_slot = lower;
          add(lower, capacity);
          return;
        }
      }
      const Index slot = end[u]++, reverse = end[v]++;
      if (slot >= start[u + 1] || reverse >= start[v + 1]) {
        fits = false;
        return;
      }
      const Capacity back = undirected ? capacity : 0;
      slots[slot] = {v, reverse, capacity, back};
      slots[reverse] = {u, slot, back, capacity};
      slot_of_arc[a] = last_slot = slot;
    });
    return fits;
  }

  // More capacity along a slot; both ways if arcs are undirected.
  void add(Index slot, Capacity capacity) {
    Slot& forward = slots_[slot];
    Slot& backward = slots_[forward.mate];
    forward.out = backward.in = Capacity(std::min(uint64_t(forward.out) + capacity, bound_));
    if (arcs_.undirected) forward.in = backward.out = forward.out;
  }

  // Opposite arcs share two slots, which leaves room unused: a little of it is filled with slots that lead
  // nowhere, much is closed up.
  void close_gaps() {
    constexpr Index kWorthwhile = 16;
    Index gaps = 0;
    for (Index v = 0; v < n_; ++v) gaps += start_[v + 1] - end_[v];
    run_.spend(n_);
    if (gaps == 0) return;
    if (gaps < start_[n_] / kWorthwhile) {
      for (Index v = 0; v < n_; ++v)
        for (Index s = end_[v]; s < start_[v + 1]; ++s) slots_[s] = {v, s, 0, 0};
      return;
    }
    LargeArray<Index> shift(size_t(n_) + 1);
    shift[0] = 0;
    for (Index v = 0; v < n_; ++v) shift[v + 1] = shift[v] + start_[v + 1] - end_[v];
    for (Index v = 0; v < n_; ++v) {
      for (Index s = start_[v]; s < end_[v]; ++s) {
        slots_[s - shift[v]] = slots_[s];
        slots_[s - shift[v]].mate -= shift[slots_[s].other];
      }
      run_.spend(end_[v] - start_[v] + 1);
    }
    arcs_.for_each(run_, [&](Index a, Index u, Index) {
      if (slot_of_arc_[a] >= 0) slot_of_arc_[a] -= shift[u];
    });
    for (Index v = 0; v <= n_; ++v) start_[v] -= shift[v];
  }

  using Slot = residual::Slot<Index, Capacity>;

  const Arcs<Index>& arcs_;
  Network& network_;
  const Index n_;
  const uint64_t bound_;
  LargeArray<Index> start_;
  LargeArray<Index> end_;  // of each list as far as it is filled
  LargeArray<Index> slot_of_arc_;
  LargeArray<Slot> slots_;
  Run& run_;
};

// The arcs between inner vertices are sorted by tail and head; see inner_arcs_sorted().
template <class Network>
Network make_residual_network(const Arcs<typename Network::Index>& arcs, TerminalLinks links, Run& run) {
  Network network;
  const auto n = size_t(arcs.vertices);
  network.vertices = arcs.vertices;
  network.direct = links.direct;
  network.bound = links.bound;
  network.from_source = std::move(links.from_source);
  network.to_sink = std::move(links.to_sink);
  network.source_flow = LargeArray<int64_t>(n, 0);
  network.sink_flow = LargeArray<int64_t>(n, 0);
  network.reaches_sink = LargeArray<uint8_t>(n, 0);
  Merge<Network>(arcs, network, run).run();
  return network;
}

}  // namespace konig
