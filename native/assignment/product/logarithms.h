// Logarithms of many numbers at once.
#pragma once

#include <cstdint>

namespace konig {

// -log2 of the mantissa in [1/2, 1) of each number, to 2 units in its last place. What zeros and subnormal
// numbers get means nothing. The same on every machine.
void negative_logs_of_mantissas(const double* number, int64_t count, double* log);

}  // namespace konig
