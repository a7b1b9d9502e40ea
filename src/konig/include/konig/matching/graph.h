// What the programs for matchings work on: the lists of a bipartite graph, and the matching that they
// improve.
#pragma once

#include "konig/bsp/program.h"

// For stress builds, which make it tiny so that lists are cut on small inputs. The host reads it to know how
// many pieces there can be.
#ifndef KONIG_PIECE
#define KONIG_PIECE 256
#endif

namespace konig::matching {

constexpr int kPiece = KONIG_PIECE;  // entries of a piece of a long list, so that a hub is many workers' work

// The lists of the columns are read only. The partners, negative where there is none, are a matching at the
// start and when the solve has ended; between its launches they need not be.
template <class Id, class Offset>
struct ColumnGraph {
  long long rows;
  long long cols;
  const Offset* col_start;
  const Id* col_rows;
  Id* col_of_row;  // rows
  Id* row_of_col;  // cols

  template <class Layout>
  KONIG_FN void describe_graph(Layout& layout) {
    layout.number(KONIG_NAMED(rows, cols));
    layout.given(KONIG_NAMED(col_start, col_rows, col_of_row, row_of_col));
  }

  KONIG_FN long long shorter_side() const { return rows < cols ? rows : cols; }
};

// The same with the lists of the rows.
template <class Id, class Offset>
struct Graph : ColumnGraph<Id, Offset> {
  const Offset* row_start;
  const Id* row_cols;

  template <class Layout>
  KONIG_FN void describe_graph(Layout& layout) {
    ColumnGraph<Id, Offset>::describe_graph(layout);
    layout.given(KONIG_NAMED(row_start, row_cols));
  }
};

}  // namespace konig::matching
