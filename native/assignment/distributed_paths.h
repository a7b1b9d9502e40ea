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
int64_t pair_greedily(const ZeroEdges& edges, const Pairing& pairing);

// Expands all rows of the forest and those that join it, breadth first.
ForwardPass forward_pass(const ZeroEdges& edges, const int32_t* row_of_col, const Forest& forest, Run& run);

// A column and the row before it, as ranks tell each other.
struct PackedEdge {
  explicit PackedEdge(int64_t received) : packed(received) {}
  PackedEdge(int32_t row, int32_t col) : packed(int64_t(col) << 32 | uint32_t(row)) {}
  int32_t row() const { return int32_t(packed); }
  int32_t col() const { return int32_t(packed >> 32); }

  int64_t packed;
};

// The search of the alternating tree variant as all ranks know it: the rows before columns, and the shifts at
// which rows and columns were reached, -1 if they were not.
struct TreeSearch {
  const int32_t* row_of_col;
  int32_t* predecessor;  // cols
  int64_t* row_since;
  int64_t* col_since;
};

// What the ranks have told joins the search at `shift`: columns, and the rows assigned to them, which go to
// the frontier. Columns without a row are leaves.
void join_reached(const int64_t* told, int64_t count, int64_t shift, const TreeSearch& search,
                  std::vector<int32_t>& frontier, std::vector<int32_t>& leaf);

// The first rows of vertex-disjoint paths to some of the leaves; successor[i], -1 at first, becomes the
// column after row i.
std::vector<int32_t> reverse_pass(const int32_t* leaf, int64_t leaves, const int32_t* predecessor,
                                  const int32_t* col_of_row, int32_t* successor);

// Changes the pairs along the paths; how many edges they have.
int64_t augment_paths(const std::vector<int32_t>& root, const int32_t* successor, const Pairing& pairing);

}  // namespace konig
