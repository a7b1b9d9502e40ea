// The residual network that the sequential methods work on.
//
// Terminals are not in it: what an inner vertex gets from the sources and may give to the sinks is a number
// at the vertex. All arcs between two inner vertices, parallel and antiparallel, are one pair of slots, one
// in the list of each end; a pair carries net flow, so no answer uses both directions. The slots of a vertex
// are contiguous; those of arcs that only enter it from higher vertices come last, and the others come by
// increasing head. Each slot knows its mate and repeats the mate's residual capacity, so that searches
// against the arcs read memory in order too.
//
// Invariant: slots[a].opposite == slots[slots[a].mate].residual, and the sum of both never changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/large_array.h"
#include "core/run.h"
#include "flow/arcs.h"
#include "flow/terminal_links.h"

namespace konig {

template <class Index, class Capacity>
struct Slot {
  Index head;
  Index mate;
  Capacity residual;
  Capacity opposite;
};

template <class IndexType, class CapacityType>
struct ResidualNetwork {
  using Index = IndexType;
  using Capacity = CapacityType;  // unsigned, and twice the bound fits

  Index vertices = 0;
  LargeArray<Index> start;
  LargeArray<Slot<Index, Capacity>> slots;
  LargeArray<Index> slot_of_arc;  // where each arc of the input is; -1 for those that no flow between inner
                                  // vertices uses

  LargeArray<int64_t> source_left, source_used;  // residual capacity of and flow on the source's links
  LargeArray<int64_t> sink_left, sink_used;
  LargeArray<int64_t> excess;        // for preflows: what entered a vertex and has not left it
  LargeArray<uint8_t> reaches_sink;  // when solved: the sink side of a minimum cut
  int64_t direct = 0;
  int64_t bound = 0;

  Index first(Index v) const { return start[v]; }
  Index last(Index v) const { return start[v + 1]; }
  Index head(Index slot) const { return slots[slot].head; }
  Index mate(Index slot) const { return slots[slot].mate; }
  Capacity residual(Index slot) const { return slots[slot].residual; }
  Capacity opposite(Index slot) const { return slots[slot].opposite; }

  // What the source can give to v less what v can give to the sink.
  int64_t link(Index v) const { return source_left[v] - sink_left[v]; }
  // The flow from the source over v alone to the sink, and what trees use beyond it, until `left` is left.
  void use_links(Index v, int64_t left) {
    const int64_t source = std::max<int64_t>(left, 0), sink = std::max<int64_t>(-left, 0);
    source_used[v] += source_left[v] - source;
    sink_used[v] += sink_left[v] - sink;
    source_left[v] = source;
    sink_left[v] = sink;
  }

  void push(Index slot, Capacity amount) {
    auto& forward = slots[slot];
    auto& backward = slots[forward.mate];
    forward.residual -= amount;
    forward.opposite += amount;
    backward.residual += amount;
    backward.opposite -= amount;
  }
};

}  // namespace konig
