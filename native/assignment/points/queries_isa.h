// What the searches of point sets need, and which instruction sets they are compiled for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "assignment/points/queries.h"
#include "core/exact.h"
#include "core/shared_loop.h"

#define KONIG_DECLARE_QUERIES(isa)                                                                      \
  namespace konig::isa {                                                                                \
  void nearest(const PointQuery& query, int64_t k, const double* bound, Neighbours& found, Run& run);   \
  void lowest(const PointQuery& query, double* lowest, Run& run);                                       \
  PointsWithin within(const PointQuery& query, const int32_t* some, int64_t count, const double* bound, \
                      Run& run);                                                                        \
  void all_costs(const PointPairs& pairs, double* cost, Run& run);                                      \
  }
KONIG_DECLARE_QUERIES(baseline)
KONIG_DECLARE_QUERIES(avx2)
KONIG_DECLARE_QUERIES(avx512)
