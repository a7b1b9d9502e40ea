// Merges the slots of parallel and opposite arcs, at any time of a solve. Scans are then shorter, by half on
// images and roads. That pays only where a solve takes several scans of the network: merging takes as long as
// building it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/large_array.h"
#include "core/run.h"

namespace konig {

template <class Network>
class Merge {
 public:
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;

  Merge(Network& network, Run& run) : network_(network), n_(network.vertices), run_(run) {}

  void if_many_share_ends() {
    if (many_share_ends()) merge();
  }

 private:
  // Whether so many slots of a sample lead where another one of the same list leads that merging pays. Not
  // for undirected arcs: whoever knows that they are undirected stores each edge once.
  bool many_share_ends() {
    if (network_.undirected || network_.merged) return false;
    constexpr Index kSample = 64, kLongest = 64, kOneOf = 4;
    Index seen = 0, again = 0;
    for (Index k = 0; k < kSample; ++k) {
      const Index v = Index(int64_t(n_) * k / kSample), first = network_.first(v);
      const Index last = first + std::min(network_.last(v) - first, kLongest);
      for (Index a = first; a < last; ++a)
        for (Index b = first; b < a; ++b)
          if (network_.head(a) == network_.head(b)) {
            ++again;
            break;
          }
      seen += last - first;
    }
    return again * kOneOf >= seen && seen > 0;
  }

  // Gives all arcs between two vertices one slot in the list of each end, unless residual capacities add up
  // to more than fits. An empty slot has no head; its `mate` tells which slot took over.
  void merge() {
    network_.merged = true;
    Slot* const slots = network_.slots.data();
    const Index* const start = network_.start.data();
    LargeArray<Index> slot_to(size_t(n_), -1);  // the slot from v to each other vertex, if from start[v] on
    for (Index v = 0; v < n_; ++v) {
      for (Index a = start[v]; a < start[v + 1]; ++a) {
        const Index u = slots[a].other;
        if (u <= v) continue;  // merged there, or emptied from there
        Index& kept = slot_to[u];
        if (kept < start[v] || !take_over(kept, a)) kept = a;
      }
      run_.spend(start[v + 1] - start[v] + 1);
    }
    close_gaps();
  }

  bool take_over(Index kept, Index slot) {
    Slot* const slots = network_.slots.data();
    const Capacity out = slots[kept].out + slots[slot].out, in = slots[kept].in + slots[slot].in;
    // Then the net flow of a slot fits the signed type.
    constexpr Capacity kMost = std::numeric_limits<Capacity>::max() / 8;
    if (std::max({slots[kept].out, slots[slot].out, slots[kept].in, slots[slot].in}) > kMost) return false;
    const Index reverse = slots[kept].mate, other = slots[slot].mate;
    slots[kept].out = slots[reverse].in = out;
    slots[kept].in = slots[reverse].out = in;
    slots[slot] = {kEmpty, kept, 0, 0};
    slots[other] = {kEmpty, reverse, 0, 0};
    return true;
  }

  void close_gaps() {
    Slot* const slots = network_.slots.data();
    Index* const start = network_.start.data();
    LargeArray<Index> place(network_.slots.size());  // of each slot that is left, once gaps are closed
    Index filled = 0;
    for (Index v = 0, a = 0; v < n_; ++v) {
      const Index end = start[v + 1];
      start[v] = filled;
      for (; a < end; ++a) {
        place[a] = filled;
        filled += slots[a].other != kEmpty;
      }
    }
    const Index slot_count = start[n_];
    start[n_] = filled;
    for (Index a = 0; a < Index(network_.slot_of_arc.size()); ++a) {
      Index& slot = network_.slot_of_arc[a];
      if (slot >= 0) slot = place[slots[slot].other == kEmpty ? slots[slot].mate : slot];
    }
    run_.spend(Index(network_.slot_of_arc.size()));
    for (Index a = 0; a < slot_count; ++a) {
      if (slots[a].other == kEmpty) continue;
      slots[place[a]] = slots[a];
      slots[place[a]].mate = place[slots[a].mate];
    }
    run_.spend(slot_count);
  }

  using Slot = typename Network::Slot;
  static constexpr Index kEmpty = -1;

  Network& network_;
  const Index n_;
  Run& run_;
};

}  // namespace konig
