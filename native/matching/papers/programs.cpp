// The papers' parallel programs of matching, for every width of ids and offsets.
#include "core/program.h"
#include "konig/papers/augmenting_paths.h"
#include "konig/papers/g_pr.h"

namespace konig {

void add_matching_papers(Programs& programs) {
  add_for_widths<augmenting_paths::Program, 3>(
      programs, {"papers/augmenting_paths", "konig::augmenting_paths::Program"});
  add_for_widths<push_relabel::Program, 2>(programs, {"papers/g_pr", "konig::push_relabel::Program"});
}

}  // namespace konig
