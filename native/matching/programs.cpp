#include "matching/programs.h"

#include "konig/matching/check_lists.h"
#include "konig/matching/greedy.h"
#include "konig/matching/karp_sipser.h"
#include "konig/matching/ms_bfs.h"
#include "konig/matching/transpose.h"

namespace konig {

void enter_matching_programs(Programs& programs) {
  enter_for_graphs<multi_source_bfs::Program, 1>(programs, "matching/ms_bfs",
                                                 "konig::multi_source_bfs::Program");
  enter_for_graphs<greedy::Program, 0>(programs, "matching/greedy", "konig::greedy::Program");
  enter_for_graphs<karp_sipser::Program, 0>(programs, "matching/karp_sipser", "konig::karp_sipser::Program");
  enter_for_graphs<transpose::Program, 0>(programs, "matching/transpose", "konig::transpose::Program");
  enter_for_graphs<check_lists::Program, 0>(programs, "matching/check_lists", "konig::check_lists::Program");
}

}  // namespace konig
