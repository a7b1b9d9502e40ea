// The parallel programs for assignments.
#pragma once

#include "core/program.h"

namespace konig {

void enter_assignment_programs(Programs& programs);

}  // namespace konig
