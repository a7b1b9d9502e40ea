// What the stress programs share: random graphs, a solver simple enough to be believed, and what is required
// of an answer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

using Random = std::mt19937_64;

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}

struct Graph {
  int rows, cols;
  std::vector<std::int32_t> start, neighbour;
};

inline Graph random_graph(Random& random) {
  const int rows = 1 + int(random() % 80), cols = 1 + int(random() % 80), degree = int(random() % 5);
  Graph graph{rows, cols, {0}, {}};
  for (int col = 0; col < cols; ++col) {
    const int entries = degree ? int(random() % (2 * degree)) : 0;
    for (int k = 0; k < entries; ++k) graph.neighbour.push_back(std::int32_t(random() % rows));
    graph.start.push_back(std::int32_t(graph.neighbour.size()));
  }
  return graph;
}

// Berge's theorem the plain way: one depth-first search a column.
class Reference {
 public:
  explicit Reference(const Graph& graph) : graph_(graph), col_of_row_(graph.rows, -1), seen_(graph.rows) {}
  int size() {
    int matched = 0;
    for (int col = 0; col < graph_.cols; ++col) {
      std::fill(seen_.begin(), seen_.end(), false);
      matched += augment(col);
    }
    return matched;
  }

 private:
  bool augment(int col) {
    for (int k = graph_.start[col]; k < graph_.start[col + 1]; ++k) {
      const int row = graph_.neighbour[k];
      if (seen_[row]) continue;
      seen_[row] = true;
      if (col_of_row_[row] < 0 || augment(col_of_row_[row])) {
        col_of_row_[row] = col;
        return true;
      }
    }
    return false;
  }
  const Graph& graph_;
  std::vector<int> col_of_row_;
  std::vector<bool> seen_;
};

inline void require_matching(const Graph& graph, const std::vector<std::int32_t>& col_of_row,
                             const std::vector<std::int32_t>& row_of_col, int expected) {
  int size = 0;
  for (int col = 0; col < graph.cols; ++col) {
    const int row = row_of_col[col];
    if (row < 0) continue;
    ++size;
    require(col_of_row[row] == col, "partners agree");
    const auto first = graph.neighbour.begin() + graph.start[col];
    const auto last = graph.neighbour.begin() + graph.start[col + 1];
    require(std::find(first, last, row) != last, "a pair is an edge");
  }
  const auto matched = std::count_if(col_of_row.begin(), col_of_row.end(), [](int c) { return c >= 0; });
  require(matched == size && size == expected, "the size is right");
  const auto marked = [](const auto& mates) {
    return std::any_of(mates.begin(), mates.end(), [](int mate) { return mate < -1; });
  };
  require(!marked(col_of_row) && !marked(row_of_col), "no marks");
}

// A matching that no entry could extend.
inline void require_maximal(const Graph& graph, const std::vector<std::int32_t>& col_of_row,
                            const std::vector<std::int32_t>& row_of_col) {
  const auto matched = std::count_if(row_of_col.begin(), row_of_col.end(), [](int row) { return row >= 0; });
  require_matching(graph, col_of_row, row_of_col, int(matched));
  for (int col = 0; col < graph.cols; ++col)
    for (int k = graph.start[col]; k < graph.start[col + 1]; ++k)
      require(row_of_col[col] >= 0 || col_of_row[graph.neighbour[k]] >= 0, "the matching is maximal");
}
