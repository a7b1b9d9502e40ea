// Every solver, declared. Each improves the matching it is given; each source says which orientation it
// reads, which knobs it takes and what it counts.
#pragma once

#include "core/knobs.h"
#include "core/pattern.h"
#include "core/run.h"

namespace konig {

template <class Id, class Offset>
void simple_greedy(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void karp_sipser(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void hopcroft_karp(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void push_relabel(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void pothen_fan(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void depth_first(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void breadth_first(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void tree_grafting(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void survey(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void pseudoflow(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void pseudoflow_free_arcs(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);

// For CPU threads only.
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
