// The single-source programs of include/konig on a team of this machine, declared. Apart from solvers.h:
// their namespaces have the names of solvers there.
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

}  // namespace konig
