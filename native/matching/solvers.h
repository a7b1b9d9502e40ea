// The matching solvers by name. Each improves the matching it is given; its source file says which
// orientation it reads, which knobs it takes and what it counts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/knobs.h"
#include "core/pattern.h"
#include "core/run.h"

// One with the knob `threads` runs on that many CPU threads.
#define KONIG_MATCHING_SOLVERS(each)                                                                        \
  each(greedy) each(karp_sipser) each(hopcroft_karp) each(pothen_fan) each(depth_first) each(breadth_first) \
      each(disjoint_breadth_first) each(tree_grafting) each(push_relabel) each(pseudoflow)                  \
          each(pseudoflow_free_arcs)

namespace konig {

#define KONIG_DECLARE_SOLVER(name)  \
  template <class Id, class Offset> \
  void name(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
KONIG_MATCHING_SOLVERS(KONIG_DECLARE_SOLVER)
#undef KONIG_DECLARE_SOLVER

// tree_grafting, given up after the phase in which so many entries have been scanned in all; false
// then.
template <class Id, class Offset>
bool graft_within(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, int64_t most_scans, Run&);

// A maximum matching by cheap methods first, with what proves it: what `auto` runs. Reads columns, and row
// lists where they are there.
struct StepwiseAnswer {
  const char* method = "bfs";  // what ended the run
  const char* init = "sgm";    // and the matching that it began with
  int64_t size = 0;
  // Which rows alternating paths from the unmatched columns reach; of columns, from rows, if not `of_rows`.
  // Left empty where one side is matched completely.
  std::vector<uint8_t> reached;
  bool of_rows = true;
};
template <class Id, class Offset>
StepwiseAnswer match_stepwise(const Pattern<Id, Offset>&, Mates<Id>, int threads, Run&);

template <class Id, class Offset>
using Solver = void (*)(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);

// The solver of that name, or null.
template <class Id, class Offset>
Solver<Id, Offset> find_solver(std::string_view wanted) {
#define KONIG_RETURN_SOLVER(name) \
  if (wanted == #name) return name<Id, Offset>;
  KONIG_MATCHING_SOLVERS(KONIG_RETURN_SOLVER)
#undef KONIG_RETURN_SOLVER
  return nullptr;
}

}  // namespace konig
