// The residual network of the sequential methods, in the slots of konig/flow/residual.h.
//
// All sources are one virtual source, all sinks one virtual sink, and their arcs are links: a number at each
// vertex, so that no method walks along the long list of a terminal's arcs.
//
// What the links of a vertex have left is one signed number, its balance: a vertex that the source can still
// feed has a positive one, a vertex that the sink can still take from has a negative one. No vertex needs
// both, since what one link has left first goes over the other. Methods bring amounts from positive balances
// to negative ones along residual arcs. A preflow is the same: excess is a positive balance. That it cannot
// be more than what the links allow matters only when the flow of the arcs is written (arc_flows.h), where
// the rest goes back to where it came from. So any method goes on where another one stopped, and any numbers
// on arcs are a start.
//
// The words of all flow code, here and in Python:
//   reverse                  the residual arc in the other direction
//   from_source, to_sink     the capacity of a vertex's link from the source, and to the sink
//   source_flow, sink_flow   the flow on these links (device programs hold source_flow as `to_source`)
//   direct                   the capacity of arcs from a source to a sink, which are always saturated
//   source_side              1 for vertices on the source's side of the cut
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/large_array.h"
#include "core/run.h"
#include "flow/arcs.h"
#include "konig/flow/residual.h"

namespace konig {

// Sums that stay at "too large" instead of overflowing.
inline constexpr int64_t kTooLarge = kLargestFlow + 1;
inline int64_t bounded_sum(int64_t a, int64_t b) { return a > kTooLarge - b ? kTooLarge : a + b; }
inline constexpr int64_t kNarrow = int64_t(1) << 31;
inline int64_t bounded(int64_t a) { return std::min(a, kTooLarge); }

// The links of a vertex: their capacities; when solved, their flows.
struct Links {
  int64_t source, sink;
};

// What the arcs of the terminals amount to.
struct TerminalLinks {
  LargeArray<Links> at;
  int64_t direct = 0;
  int64_t supply = 0, demand = 0;  // of all links together, at most kTooLarge
  // More than any flow through inner vertices. Capacities above it may be lowered to it: the value of a
  // minimum cut is below, so no such arc crosses one.
  int64_t bound = 0;
  // Whether the capacity of every arc between inner vertices, or the bound, is below kNarrow: then twice what
  // an arc carries fits in 32 bits. Links may be larger; all that inner vertices can pass on then fits 2^62.
  bool narrow = false;
  // Vertices whose link from the source, or to the sink, was lowered to what they can pass on: they are on
  // that terminal's side of a minimum cut, whatever was found.
  std::vector<size_t> lowered_source, lowered_sink;

  // An arc with a terminal at an end or at both.
  template <class Index>
  void add(Role tail_role, Role head_role, Index tail, Index head, int64_t capacity) {
    if (tail_role == Role::kSource && head_role == Role::kInner)
      add(at[head].source, supply, capacity);
    else if (tail_role == Role::kInner && head_role == Role::kSink)
      add(at[tail].sink, demand, capacity);
    else if (tail_role == Role::kSource && head_role == Role::kSink)
      direct = bounded_sum(direct, capacity);
  }

  // When all are added or changed.
  void find_bound() {
    bound = std::min(kTooLarge, std::min(supply, demand) + 1);
    if (largest <= bound) return;
    largest = bound;
    for (auto& [source, sink] : at) {
      source = std::min(source, bound);
      sink = std::min(sink, bound);
    }
  }

 private:
  void add(int64_t& link, int64_t& total, int64_t capacity) {
    link = bounded_sum(link, capacity);
    total = bounded_sum(total, capacity);
    largest = std::max(largest, link);
  }

  int64_t largest = 0;  // no link is larger
};

template <class IndexType, class CapacityType>
struct ResidualNetwork {
  using Index = IndexType;
  using Capacity = CapacityType;  // unsigned, and twice the bound fits
  using Slot = residual::Slot<Index, Capacity>;

  Index vertices = 0;
  LargeArray<Index> start;
  LargeArray<Slot> slots;
  LargeArray<Index> slot_of_arc;  // of each arc of the input; -1 for those that are not between inner
                                  // vertices or have no capacity
  bool undirected = false;
  LargeArray<int64_t> balance;
  LargeArray<uint8_t> source_side;  // when solved: that of a minimum cut

  Index at(Index v) const { return v; }
  Index first(Index v) const { return start[v]; }
  Index last(Index v) const { return start[v + 1]; }
  Index head(Index slot) const { return slots[slot].other; }
  Index reverse(Index slot) const { return slots[slot].reverse; }
  Capacity residual(Index slot) const { return slots[slot].out; }
  Capacity opposite(Index slot) const { return slots[slot].in; }
  Index slot_count() const { return start[vertices]; }
  // Whether slots are so few that random access to them is cheap.
  bool in_cache() const { return slots.size() * sizeof(Slot) <= size_t(1) << 20; }

  void push(Index slot, Capacity amount) {
    auto& forward = slots[slot];
    auto& backward = slots[forward.reverse];
    forward.out -= amount;
    forward.in += amount;
    backward.out += amount;
    backward.in -= amount;
  }
};

// The types of network that every flow solver is compiled for.
using SmallNetwork = ResidualNetwork<int32_t, uint32_t>;
using WideNetwork = ResidualNetwork<int32_t, uint64_t>;
using LargeNetwork = ResidualNetwork<int64_t, uint64_t>;

}  // namespace konig
