// The parallel programs for flows, each in a translation unit of its own: in a large one the compiler inlines
// less of them, and networks are built half as fast.
#pragma once

#include "core/program.h"

namespace konig {

void enter_survey(Programs& programs);
void enter_build(Programs& programs);
void enter_sync_pr(Programs& programs);
void enter_async_pr(Programs& programs);
void enter_csr(Programs& programs);
void enter_rcsr(Programs& programs);
void enter_bcsr(Programs& programs);

inline void enter_flow_programs(Programs& programs) {
  enter_survey(programs);
  enter_build(programs);
  enter_sync_pr(programs);
  enter_async_pr(programs);
  enter_csr(programs);
  enter_rcsr(programs);
  enter_bcsr(programs);
}

// Amounts are as wide as ids or wider.
template <template <class, class, bool...> class P, int kFlags>
void enter_for_networks(Programs& programs, const char* name, const char* type) {
  enter_pair<P, int, int, kFlags>(programs, name, type);
  enter_pair<P, int, long long, kFlags>(programs, name, type);
  enter_pair<P, long long, long long, kFlags>(programs, name, type);
}

// Those of Hsieh, Lin and Kuo come with ids and offsets of one width.
template <template <class, class, bool...> class P>
void enter_layout(Programs& programs, const char* name, const char* type) {
  enter_pair<P, int, int, 2>(programs, name, type);
  enter_pair<P, long long, long long, 2>(programs, name, type);
}

}  // namespace konig
