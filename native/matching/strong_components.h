// The irreducible blocks of a perfectly matched square part of a matrix.
#pragma once

#include <cstdint>

#include "core/pattern.h"
#include "core/run.h"

namespace konig {

// Numbers the strong components of the graph whose vertices are the columns with in_square[col] != 0 and
// whose arcs lead from a column to the partner of each row in it. component[col] = 0, 1, ... such that an
// entry (row, col) of the square part has component[partner of row] <= component[col]: the block upper
// triangular order; -1 outside the square part. Returns how many components there are. Assumes that every row
// with an entry in a column of the square part is matched. Reads columns.
template <class Id, class Offset>
Id strong_components(const Pattern<Id, Offset>& graph, Mates<Id> mates, const uint8_t* in_square,
                     Id* component, Run& run);

}  // namespace konig
