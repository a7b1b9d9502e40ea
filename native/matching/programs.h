// The parallel programs for matchings.
#pragma once

#include "core/program.h"

namespace konig {

void enter_matching_programs(Programs& programs);
void enter_matching_papers(Programs& programs);

// Offsets of 32 bits with ids of 64 bits are widened by the caller: that pair saves nothing.
template <template <class, class, bool...> class P, int kFlags>
void enter_for_graphs(Programs& programs, const char* name, const char* type) {
  enter_pair<P, int, int, kFlags>(programs, name, type);
  enter_pair<P, int, long long, kFlags>(programs, name, type);
  enter_pair<P, long long, long long, kFlags>(programs, name, type);
}

}  // namespace konig
