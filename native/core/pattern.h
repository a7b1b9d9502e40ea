// The bipartite graph of a sparse matrix, as every native solver sees it.
//
// A column is adjacent to the rows of its nonzeros. Both orientations are compressed arrays owned by the
// caller; a solver's source file says which one it reads, and the caller provides it. Native code assumes
// what Python has checked: offsets are non-decreasing from 0, every neighbour is in range, a matching handed
// in is a matching. Duplicate entries are allowed.
#pragma once

#include <cstdint>

namespace konig {

template <class Id, class Offset>
struct Adjacency {
  const Offset* start = nullptr;  // one more than there are vertices
  const Id* neighbour = nullptr;

  bool present() const { return start != nullptr; }
  Offset degree(Id v) const { return start[v + 1] - start[v]; }
};

template <class Id, class Offset>
struct Pattern {
  Id rows = 0;
  Id cols = 0;
  Adjacency<Id, Offset> of_row;  // columns of each row (CRS)
  Adjacency<Id, Offset> of_col;  // rows of each column (CCS)

  Pattern transposed() const { return {cols, rows, of_col, of_row}; }
};

// A matching, -1 where unmatched; the two arrays always agree when a solver starts and when it returns.
template <class Id>
struct Mates {
  Id* col_of_row = nullptr;
  Id* row_of_col = nullptr;

  Mates transposed() const { return {row_of_col, col_of_row}; }
};

// Explicit instantiation of a solver for every index type that konig supports. Offsets of 32 bits with ids
// of 64 bits are widened by the caller: that pair saves nothing.
#define KONIG_INSTANTIATE_SOLVER(name)                                                      \
  template void name(const Pattern<int32_t, int32_t>&, Mates<int32_t>, const Knobs&, Run&); \
  template void name(const Pattern<int32_t, int64_t>&, Mates<int32_t>, const Knobs&, Run&); \
  template void name(const Pattern<int64_t, int64_t>&, Mates<int64_t>, const Knobs&, Run&);

}  // namespace konig
