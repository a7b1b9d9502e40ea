#include "matching/programs.h"

#include "konig/papers/augmenting_paths.h"
#include "konig/papers/g_pr.h"

namespace konig {

void enter_matching_papers(Programs& programs) {
  enter_for_graphs<augmenting_paths::Program, 3>(programs, "papers/augmenting_paths",
                                                 "konig::augmenting_paths::Program");
  enter_for_graphs<push_relabel::Program, 2>(programs, "papers/g_pr", "konig::push_relabel::Program");
}

}  // namespace konig
