// What points must be, and are made, before costs are computed between them.
#pragma once

#include <cstdint>

#include "assignment/points/metric.h"

namespace konig {

// Whether all coordinates are finite, and so small that no cost and no sum of a proof leaves float64. False
// does not say that one does: that depends on differences.
bool are_near(const double* coordinates, int64_t count, int64_t dimension, Metric metric);

// Each point times a power of two, so that no square overflows, and divided by its norm; the same numbers as
// those of the proof (metrics.py). False if a point is zero.
bool divide_by_norms(const double* points, int64_t count, int64_t dimension, double* made);

}  // namespace konig
