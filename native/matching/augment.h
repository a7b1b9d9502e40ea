// Helpers of the augmenting-path solvers: unmatched vertices, one search a column, counts of paths.
#pragma once

#include <algorithm>
#include <cstdint>
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

// Calls search(col), which says whether it augmented, for each unmatched column in order until one side is
// matched completely. A column from which no augmenting path leads never gets one later.
template <class Id, class Offset, class Search>
void search_each_column(const Pattern<Id, Offset>& graph, Mates<Id> mates, Run& run, Search search) {
  const Id limit = std::min(graph.rows, graph.cols);
  Id size = matched_vertices(mates.row_of_col, graph.cols);
  int64_t searches = 0, failed = 0;
  for (Id col = 0; col < graph.cols && size < limit; ++col) {
    if (mates.row_of_col[col] >= 0) continue;
    ++searches;
    if (search(col))
      run.report(++size, limit);
    else
      ++failed;
  }
  run.count("searches", searches);
  run.count("failed_searches", failed);
}

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
