// Makes residual networks from arcs whose inner part is sorted by tail and head.
//
// One pass in that order gives each arc a slot in the lists of both ends. What stands in a list when its
// vertex's own arcs begin came from lower vertices, in increasing order, so that an arc back to one of them
// finds its opposite by walking along: the two become one pair. Lists get room for all arcs, or for the
// leaving ones alone if every arc seems to have an opposite.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/large_array.h"
#include "core/prefetch.h"
#include "core/run.h"
#include "flow/residual_network.h"

namespace konig {
namespace detail {

// Whether every arc of a sample has an opposite one.
template <class Index>
bool looks_symmetric(const Arcs<Index>& arcs) {
  if (!arcs.start) return false;
  constexpr Index kSample = 64;
  const Index total = arcs.start[arcs.vertices], step = std::max<Index>(1, total / kSample);
  Index u = 0;
  for (Index a = step / 2; a < total; a += step) {
    while (arcs.start[u + 1] <= a) ++u;
    const Index v = arcs.head[a];
    if (!arcs.inner(u, v)) continue;
    if (!std::binary_search(arcs.head + arcs.start[v], arcs.head + arcs.start[v + 1], u)) return false;
  }
  return true;
}

template <class Network>
class SlotFiller {
 public:
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;

  SlotFiller(const Arcs<Index>& arcs, Network& network, Run& run)
      : arcs_(arcs), network_(network), run_(run), n_(arcs.vertices), end_(size_t(n_)) {}

  // Says false if a list got too little room, which happens only if `symmetric` was wrong.
  bool fill(bool symmetric) {
    make_room(symmetric);
    auto* const slots = network_.slots.data();
    const Index* const start = network_.start.data();
    Index* const slot_of_arc = network_.slot_of_arc.data();
    const bool undirected = arcs_.undirected;
    bool fits = true;
    Index tail = -1, lower = 0, lower_end = 0;  // entries that lower vertices have put into tail's list
    Index last_head = -1, last_slot = -1;
    constexpr Index kAhead = 16;
    const Index count = arcs_.count();
    arcs_.for_each(run_, [&](Index a, Index u, Index v) {
      if (count - a > kAhead) prefetch_to_write(slots + end_[arcs_.head[a + kAhead]]);
      slot_of_arc[a] = -1;
      if (!arcs_.inner(u, v) || !fits) return;
      if (u != tail) {
        tail = u;
        lower = start[u];
        lower_end = end_[u];
        last_head = -1;
      }
      const auto capacity = Capacity(std::min(arcs_.capacity[a], network_.bound));
      if (v == last_head) {  // parallel to the one before
        slot_of_arc[a] = last_slot;
        add(last_slot, capacity);
        return;
      }
      if (capacity == 0) return;
      last_head = v;
      if (v < u) {
        while (lower < lower_end && slots[lower].head < v) ++lower;
        if (lower < lower_end && slots[lower].head == v) {
          slot_of_arc[a] = last_slot = lower;
          add(lower, capacity);
          return;
        }
      }
      const Index slot = end_[u]++, mate = end_[v]++;
      if (slot >= start[u + 1] || mate >= start[v + 1]) {
        fits = false;
        return;
      }
      const Capacity back = undirected ? capacity : 0;
      slots[slot] = {v, mate, capacity, back};
      slots[mate] = {u, slot, back, capacity};
      slot_of_arc[a] = last_slot = slot;
    });
    if (fits) close_gaps();
    return fits;
  }

 private:
  bool used(Index a, Index u, Index v) const { return arcs_.inner(u, v) && arcs_.capacity[a] > 0; }

  // More capacity along a slot; both ways if arcs are undirected.
  void add(Index slot, Capacity capacity) {
    auto& own = network_.slots[slot];
    auto& mate = network_.slots[own.mate];
    own.residual = Capacity(std::min(uint64_t(network_.bound), uint64_t(own.residual) + uint64_t(capacity)));
    mate.opposite = own.residual;
    if (arcs_.undirected) own.opposite = mate.residual = own.residual;
  }

  void make_room(bool symmetric) {
    Index* const start = network_.start.data();
    std::fill(start, start + n_ + 1, Index(0));
    arcs_.for_each(run_, [&](Index a, Index u, Index v) {
      if (!used(a, u, v)) return;
      ++start[u + 1];
      if (!symmetric) ++start[v + 1];
    });
    for (Index v = 0; v < n_; ++v) {
      end_[v] = start[v];
      start[v + 1] += start[v];
    }
    run_.spend(n_);
    network_.slots = LargeArray<Slot<Index, Capacity>>(size_t(start[n_]));
  }

  // Pairs leave room that nobody needs: a little is filled with slots that lead nowhere, much is given up.
  void close_gaps() {
    constexpr Index kWorthwhile = 16;
    auto* const slots = network_.slots.data();
    Index* const start = network_.start.data();
    Index gaps = 0;
    for (Index v = 0; v < n_; ++v) gaps += start[v + 1] - end_[v];
    run_.spend(n_);
    if (gaps == 0) return;
    if (gaps < start[n_] / kWorthwhile) {
      for (Index v = 0; v < n_; ++v)
        for (Index s = end_[v]; s < start[v + 1]; ++s) slots[s] = {v, s, 0, 0};
      return;
    }
    LargeArray<Index> shift(size_t(n_) + 1);
    shift[0] = 0;
    for (Index v = 0; v < n_; ++v) shift[v + 1] = shift[v] + start[v + 1] - end_[v];
    for (Index v = 0; v < n_; ++v) {
      for (Index s = start[v]; s < end_[v]; ++s) {
        slots[s - shift[v]] = slots[s];
        slots[s - shift[v]].mate -= shift[slots[s].head];
      }
      run_.spend(end_[v] - start[v] + 1);
    }
    arcs_.for_each(run_, [&](Index a, Index u, Index) {
      if (network_.slot_of_arc[a] >= 0) network_.slot_of_arc[a] -= shift[u];
    });
    for (Index v = 0; v <= n_; ++v) start[v] -= shift[v];
  }

  const Arcs<Index>& arcs_;
  Network& network_;
  Run& run_;
  const Index n_;
  LargeArray<Index> end_;  // of each list as far as it is filled
};

}  // namespace detail

// The arcs between inner vertices are sorted by tail and head; see inner_arcs_sorted().
template <class Network>
Network make_residual_network(const Arcs<typename Network::Index>& arcs, TerminalLinks links, Run& run) {
  using Index = typename Network::Index;
  Network network;
  const auto n = size_t(arcs.vertices);
  network.vertices = arcs.vertices;
  network.direct = links.direct;
  network.bound = links.bound;
  network.source_left = std::move(links.from_source);
  network.sink_left = std::move(links.to_sink);
  network.source_used = LargeArray<int64_t>(n, 0);
  network.sink_used = LargeArray<int64_t>(n, 0);
  network.reaches_sink = LargeArray<uint8_t>(n, 0);
  network.start = LargeArray<Index>(n + 1);
  network.slot_of_arc = LargeArray<Index>(size_t(arcs.count()));
  detail::SlotFiller<Network> filler(arcs, network, run);
  if (!detail::looks_symmetric(arcs) || !filler.fill(true)) filler.fill(false);
  return network;
}

}  // namespace konig
