// The scans for one instruction set. Included by scans_*.cpp, which name the set and the width of a vector;
// nothing of std:: is instantiated here, so that no code for a newer machine can leak into the rest.
// clang-format off: each needs those before it
#include "assignment/scans/scan_vectors_body.h"
#include "assignment/scans/scan_lanes_body.h"
#include "assignment/scans/best_scans_body.h"
#include "assignment/scans/row_scans_body.h"
#include "assignment/scans/search_scans_body.h"
#include "assignment/scans/cost_scans_body.h"
#include "assignment/scans/pair_scans_body.h"
// clang-format on

namespace konig::KONIG_ISA {

template <class S, class T, bool kNegated>
struct Scan {
  using Best = BestScans<S, T, kNegated>;
  using Row = RowScans<S, T, kNegated>;
  using Search = SearchScans<S, T, kNegated>;
  static constexpr DenseScans<S, T> table = {Row::two_smallest,    Best::best_column, Best::lower_best,
                                             Row::smallest,        Row::column_with,  Search::relax,
                                             Search::search_block, Search::with_key,  Row::below};
};

}  // namespace konig::KONIG_ISA

#include "assignment/scans/wide_scans_body.h"
