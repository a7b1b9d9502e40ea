// A flow network as it comes from Python: sorted lists of arcs, and the part that each vertex plays.
#pragma once

#include <cstdint>

namespace konig {

// Flow values up to this are exact. A supply of one more is enough to see that a value is too large.
inline constexpr int64_t kLargestFlow = int64_t(1) << 62;

enum class Role : uint8_t { kInner = 0, kSource = 1, kSink = 2 };

// Arcs of vertex u are start[u] .. start[u + 1], sorted by head; parallel arcs stand side by side. Capacities
// are not negative. An undirected arc can be used in either direction, and its flow is negative against it.
template <class Index>
struct Arcs {
  Index vertices = 0;
  const Index* start = nullptr;
  const Index* head = nullptr;
  const int64_t* capacity = nullptr;
  const Role* role = nullptr;
  bool undirected = false;

  bool inner(Index u, Index v) const { return role[u] == Role::kInner && role[v] == Role::kInner && u != v; }
};

}  // namespace konig
