// The scans for one instruction set. Included by scans_*.cpp, which define the set and the width of a vector:
// each set is a translation unit of its own.
//
// Nothing of std:: is instantiated here: the linker might keep that instance, compiled for a newer machine,
// for the whole library.
#pragma once

#include "assignment/scans/costs_body.h"
#include "assignment/scans/minima_body.h"
#include "assignment/scans/rows_body.h"
#include "assignment/scans/search_body.h"

namespace konig::KONIG_ISA {

template <class S, class T, bool kNegated>
struct Scans {
  using Row = RowScans<S, T, kNegated>;
  using Search = SearchScans<S, T, kNegated>;
  using Minima = MinimaScans<S, kNegated>;

  static constexpr DenseScans<S, T> table = {
      .best_column = Row::best_column,
      .best_columns = Row::best_columns,
      .smallest = Row::smallest,
      .smallest_of_rows = Row::smallest_of_rows,
      .column_with = Row::column_with,
      .relax = Search::relax,
      .search = Search::search,
      .with_key = Search::with_key,
      .least_of_block = Search::least_of_block,
      .below = Row::below,
      .extent = CostScans<S>::extent,
      .column_least = Minima::column_least,
      .column_least_below = MinimaBelowScans<S, T, kNegated>::column_least_below,
      .rows_least = Minima::rows_least,
      .transpose_columns = CostScans<S>::transpose_columns,
  };
};

template <class S, class T>
const DenseScans<S, T>& scans(bool negated) {
  return negated ? Scans<S, T, true>::table : Scans<S, T, false>::table;
}

#define KONIG_INSTANTIATE(S, T) template const DenseScans<S, T>& scans<S, T>(bool);
KONIG_FOR_EACH_SCAN(KONIG_INSTANTIATE)
#undef KONIG_INSTANTIATE

}  // namespace konig::KONIG_ISA
