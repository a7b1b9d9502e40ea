// The parallel programs of matching, for every width of ids and offsets.
#include "core/program.h"
#include "konig/matching/check_lists.h"
#include "konig/matching/greedy.h"
#include "konig/matching/karp_sipser.h"
#include "konig/matching/ms_bfs.h"
#include "konig/matching/transpose.h"

namespace konig {

void add_matching_programs(Programs& programs) {
  add_for_widths<multi_source_bfs::Program, 1>(programs,
                                               {"matching/ms_bfs", "konig::multi_source_bfs::Program"});
  add_for_widths<greedy::Program, 0>(programs, {"matching/greedy", "konig::greedy::Program"});
  add_for_widths<karp_sipser::Program, 0>(programs, {"matching/karp_sipser", "konig::karp_sipser::Program"});
  add_for_widths<transpose::Program, 0>(programs, {"matching/transpose", "konig::transpose::Program"});
  add_for_widths<check_lists::Program, 0>(programs, {"matching/check_lists", "konig::check_lists::Program"});
}

}  // namespace konig
