// The plan that auto makes for a dense problem on the host.
#pragma once

#include <cstdint>

#include "assignment/task.h"

namespace konig {

// By src/konig/assignment/auto.py, once that is imported. The GIL is held.
DensePlan host_plan(int64_t rows, int64_t cols);

}  // namespace konig
