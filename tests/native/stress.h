// What the stress programs of the team algorithms share. Include it before anything of konig: the pauses go
// into every shared access.
#pragma once

#include "random_pause.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "konig/bsp/team.h"
#include "random_graphs.h"

using namespace konig;
