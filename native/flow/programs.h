// The parallel programs for flows.
#pragma once

#include "core/program.h"

namespace konig {

void enter_flow_programs(Programs& programs);
void enter_flow_papers(Programs& programs);

}  // namespace konig
