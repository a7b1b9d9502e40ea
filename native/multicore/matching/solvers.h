// Every multicore solver, declared: the single-source algorithms of include/konig on a team of this machine,
// and those that are for threads only.
#pragma once

#include "core/knobs.h"
#include "core/pattern.h"
#include "core/run.h"

namespace konig {

template <class Id, class Offset>
void augmenting_paths_on_team(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void push_relabel_on_team(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void multi_source_bfs_on_team(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void greedy_on_team(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void karp_sipser_on_team(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void parallel_tree_grafting(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void parallel_greedy_and_survey(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void parallel_greedy(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void parallel_karp_sipser(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void parallel_hopcroft_karp(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void parallel_pothen_fan(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void disjoint_breadth_first(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);

}  // namespace konig
