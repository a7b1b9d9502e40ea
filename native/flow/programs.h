// The parallel programs for flows.
#pragma once

#include "core/program.h"

namespace konig {

void enter_flow_programs(Programs& programs);

}  // namespace konig
