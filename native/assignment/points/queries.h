// Searches for all points of a set in another one, on some threads.
#pragma once

#include <cstdint>
#include <vector>

#include "assignment/points/point_set.h"
#include "core/run.h"

namespace konig {

// Up to k neighbours of each point, the nearest first.
struct Neighbours {
  int64_t most = 0;
  std::vector<int32_t> count;  // of each point
  std::vector<int32_t> id;     // of point i from i * most on
  std::vector<double> cost;
};

// The points of a set that lie within the bounds of some points; those of the k-th begin at start[k].
struct PointsWithin {
  std::vector<int64_t> start;
  std::vector<int32_t> id;
  std::vector<double> cost;
};

// Searches for points of one set in another.
struct PointQuery {
  Metric metric;
  int threads;
  const PointSet &from, &set;
};

// All pairs of two sets of points, which lie point after point.
struct PointPairs {
  Metric metric;
  int threads;
  const double *x, *y;
  int64_t rows, cols, dimension;
};

// Their costs, row after row.
void all_costs(const PointPairs& pairs, double* cost, Run& run);

class PointQueries {
 public:
  PointQueries(Metric metric, int threads) : metric_(metric), threads_(threads) {}

  double cost(const PointSet& from, int64_t i, const PointSet& set, int64_t j) const;

  // For each point of `from`, the k points of `set` of the least cost - weight; only those with less than the
  // bound, if bounds are given.
  void nearest(const PointSet& from, const PointSet& set, int64_t k, const double* bound, Neighbours& found,
               Run& run) const;

  // The least cost - weight of each point, rounded down.
  void lowest(const PointSet& from, const PointSet& set, double* lowest, Run& run) const;

  // The points of `set` with cost - weight, rounded to the nearest, at most the bound, for each of some
  // points of `from`, which ascend.
  PointsWithin within(const PointSet& from, const int32_t* some, int64_t count, const double* bound,
                      const PointSet& set, Run& run) const;

 private:
  Metric metric_;
  int threads_;
};

}  // namespace konig
