// Networks without directions are often given as all arcs one way, then all of them reversed, in the same
// order. Each arc and its mirror image share two slots of the
// residual network, which then takes half as long to build and has half as many slots to search.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/run.h"
#include "flow/arcs.h"

namespace konig {

// Arc a leads from the head of arc a + distance to its tail, for all from `begin` up to `end`, which is at
// most begin + distance.
template <class Index>
struct Mirrored {
  Index begin = 0, end = 0, distance = 0;
};

// The first k below `count` for which `holds` is false, else `count`. In blocks, which are vectorised.
template <class Index, class Holds>
Index first_failure(Index count, Holds holds) {
  constexpr Index kBlock = 256;
  for (Index begin = 0; begin < count;) {
    const Index end = begin + std::min(kBlock, count - begin);
    Index failures = 0;
    for (Index k = begin; k < end; ++k) failures += !holds(k);
    if (failures > 0) {
      while (holds(begin)) ++begin;
      return begin;
    }
    begin = end;
  }
  return count;
}

// The mirrored range around arc count / 3, which is in the first half whether arcs of terminals come before
// or after the others; empty if it is less than a quarter of all arcs.
template <class Index>
Mirrored<Index> find_mirrored(const Arcs<Index>& arcs, Run& run) {
  const Index *const tail = arcs.tail, *const head = arcs.head, count = arcs.count();
  if (!tail || arcs.undirected || count == 0) return {};
  const Index middle = count / 3, u = tail[middle], v = head[middle];
  const Index distance = first_failure(
      count - middle, [=](Index k) { return (tail[middle + k] != v) | (head[middle + k] != u); });
  run.spend(count);
  if (u == v || distance == count - middle) return {};
  const auto opposite = [=](Index a) {
    return (tail[a] == head[a + distance]) & (head[a] == tail[a + distance]);
  };
  const Index room = std::min(distance, count - middle - distance);
  const Index after = first_failure(room, [=](Index k) { return opposite(middle + k); });
  const Index before =
      first_failure(std::min(middle, distance - after), [=](Index k) { return opposite(middle - 1 - k); });
  run.spend(after + before);
  if (after + before < count / 4) return {};
  return {middle - before, middle + after, distance};
}

}  // namespace konig
