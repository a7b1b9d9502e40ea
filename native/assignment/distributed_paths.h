// Alternating paths of the distributed Hungarian methods, on one rank.
//
// Date, Nagi, Parallel Computing 57 (2016), §4.3 and §5: the forward pass over compressed zero edges
// (Algorithm 3, classical variant), the reverse pass and the augmentation (Algorithms 5 and 6). Vertices have
// 32-bit numbers, -1 for none.
#pragma once

#include <cstdint>
#include <vector>

#include "core/run.h"

namespace konig {

// Edges with zero slack: row i has the columns neighbour[start[i]], ..., neighbour[start[i + 1] - 1].
struct ZeroEdges {
  int64_t rows;
  const int64_t* start;
  const int32_t* neighbour;
};

struct Pairing {
  int32_t* col_of_row;
  int32_t* row_of_col;
};

// A forest of alternating trees: the rows reached in order, and for each column the row before it.
struct Forest {
  int32_t* queue;        // rows
  int64_t reached;       // of the queue
  int32_t* predecessor;  // cols, -1 if not reached
};

struct ForwardPass {
  int64_t reached;            // rows, the roots among them
  std::vector<int32_t> leaf;  // unassigned columns that were reached
  int64_t levels = 0, edges_scanned = 0;
};

// Pairs rows with free columns, each with the first in its list; how many.
inline int64_t pair_greedily(const ZeroEdges& edges, const Pairing& pairing) {
  int64_t pairs = 0;
  for (int64_t i = 0; i < edges.rows; ++i) {
    for (int64_t e = edges.start[i]; e < edges.start[i + 1]; ++e) {
      const int32_t j = edges.neighbour[e];
      if (pairing.row_of_col[j] >= 0) continue;
      pairing.row_of_col[j] = int32_t(i);
      pairing.col_of_row[i] = j;
      ++pairs;
      break;
    }
  }
  return pairs;
}

// Expands all rows of the forest and those that join it, breadth first.
inline ForwardPass forward_pass(const ZeroEdges& edges, const int32_t* row_of_col, const Forest& forest,
                                Run& run) {
  ForwardPass pass{forest.reached, {}};
  for (int64_t head = 0; head < pass.reached; ++pass.levels) {
    for (const int64_t tail = pass.reached; head < tail; ++head) {
      const int32_t i = forest.queue[head];
      const int64_t last = edges.start[i + 1];
      for (int64_t e = edges.start[i]; e < last; ++e) {
        const int32_t j = edges.neighbour[e], next = row_of_col[j];
        if (forest.predecessor[j] >= 0 || next == i) continue;
        forest.predecessor[j] = i;
        if (next < 0)
          pass.leaf.push_back(j);
        else
          forest.queue[pass.reached++] = next;
      }
      pass.edges_scanned += last - edges.start[i];
      run.spend(last - edges.start[i] + 1);
    }
  }
  return pass;
}

// The first rows of vertex-disjoint paths to some of the leaves; successor[i], -1 at first, becomes the
// column after row i.
inline std::vector<int32_t> reverse_pass(const int32_t* leaf, int64_t leaves, const int32_t* predecessor,
                                         const int32_t* col_of_row, int32_t* successor) {
  std::vector<int32_t> root;
  for (int64_t k = 0; k < leaves; ++k) {
    for (int32_t j = leaf[k]; j >= 0;) {
      const int32_t i = predecessor[j];
      if (successor[i] >= 0) break;  // the path of an earlier leaf goes on from here to the root
      successor[i] = j;
      j = col_of_row[i];
      if (j < 0) root.push_back(i);
    }
  }
  return root;
}

// Changes the pairs along the paths; how many edges they have.
inline int64_t augment_paths(const std::vector<int32_t>& root, const int32_t* successor,
                             const Pairing& pairing) {
  int64_t edges = 0;
  for (int32_t i : root) {
    for (; i >= 0; ++edges) {
      const int32_t j = successor[i], next = pairing.row_of_col[j];
      pairing.col_of_row[i] = j;
      pairing.row_of_col[j] = i;
      i = next;
    }
  }
  return edges;
}

}  // namespace konig
