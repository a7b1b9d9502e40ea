// Helpers of the augmenting-path solvers: unmatched vertices, rows that searches visited, counts of paths.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/pattern.h"
#include "core/run.h"

namespace konig {

template <class Id>
Id matched_vertices(const Id* mate, Id vertices) {
  Id matched = 0;
  for (Id v = 0; v < vertices; ++v) matched += mate[v] >= 0;
  return matched;
}

// Whether partners that are in range agree on both sides and are neighbours by the lists of the first side.
template <class Id, class Offset>
bool is_matching(const Adjacency<Id, Offset>& lists, const Id* mate, Id vertices, const Id* other_mate,
                 Id others) {
  for (Id v = 0; v < vertices; ++v) {
    if (mate[v] < 0) continue;
    const Id* const last = lists.neighbour + lists.start[v + 1];
    if (other_mate[mate[v]] != v || std::find(lists.neighbour + lists.start[v], last, mate[v]) == last)
      return false;
  }
  for (Id u = 0; u < others; ++u)
    if (other_mate[u] >= 0 && mate[other_mate[u]] != u) return false;
  return true;
}

template <class Id>
std::vector<Id> unmatched_vertices(const Id* mate, Id vertices) {
  std::vector<Id> unmatched;
  for (Id v = 0; v < vertices; ++v)
    if (mate[v] < 0) unmatched.push_back(v);
  return unmatched;
}

// Which rows a search may visit. A row is closed where mark[row] >= stamp: it was visited since the rows were
// last opened, or it is closed for good, since no augmenting path leads through it any more.
template <class Id>
struct ClosedRows {
  static constexpr Id kForGood = std::numeric_limits<Id>::max();

  explicit ClosedRows(Id rows) : mark(rows, 0) {}

  // Rows visited so far may be visited again, except those closed for good.
  void open() { ++stamp; }

  std::vector<Id> mark;
  Id stamp = 1;
};

// Counts of augmenting paths. As Kaya et al. §6.2 count, an augmentation is matching an edge
// while unmatching another; the last edge of a path matches a row for the first time and is not counted.
struct PathCounts {
  int64_t paths = 0;
  int64_t augmentations = 0;
  int64_t longest = 0;  // in edges

  void add(int64_t columns_on_path) {
    ++paths;
    augmentations += columns_on_path - 1;
    longest = std::max(longest, 2 * columns_on_path - 1);
  }
  PathCounts& operator+=(const PathCounts& other) {
    paths += other.paths;
    augmentations += other.augmentations;
    longest = std::max(longest, other.longest);
    return *this;
  }
  void report(Run& run) const {
    run.count("paths", paths);
    run.count("augmentations", augmentations);
    run.count("longest_path", longest);
  }
};

// Working memory as the papers state it: integers beyond the graph and the matching.
template <class Id, class Offset>
void report_memory(int64_t integers, const Pattern<Id, Offset>& graph, Run& run) {
  const int64_t vertices = int64_t(graph.rows) + int64_t(graph.cols);
  run.count("memory_integers_per_vertex", vertices > 0 ? double(integers) / double(vertices) : 0.0);
}

}  // namespace konig
