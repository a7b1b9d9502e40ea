// Every multicore solver, declared: the single-source algorithms of include/konig on a team of this machine.
#pragma once

#include "core/knobs.h"
#include "core/pattern.h"
#include "core/run.h"

namespace konig {

template <class Id, class Offset>
void augmenting_paths_on_team(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);
template <class Id, class Offset>
void push_relabel_on_team(const Pattern<Id, Offset>&, Mates<Id>, const Knobs&, Run&);

}  // namespace konig
