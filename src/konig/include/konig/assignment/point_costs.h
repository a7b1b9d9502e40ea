// The costs between two sets of points, read through a tile that computes them: no matrix is there.
//
// They are as good as float64 makes them, in any order of operations and with contraction: what they lack
// against the formulas that define them (native/assignment/points/metric.h), the proof of the answer makes
// good, as it does for what whole numbers cut off.
#pragma once

#include "konig/assignment/costs.h"

namespace konig::assignment {

// Stands for the type of such costs.
struct PointCosts {
  static constexpr const char* kType = "konig::assignment::PointCosts";
  static constexpr const char* kName = "points";
};

// In the order of native/assignment/points/metric.h. Of `cosine` the points have been divided by their norms.
enum PointMetric : long long { kSqeuclidean, kEuclidean, kCityblock, kChebyshev, kCosine };

// Device code is compiled for one metric and one dimension, up to PointLine::kHeld: there is a cost in many
// places of it, and with all metrics and a loop in each of them it takes four times as long to compile.
#if defined(KONIG_POINT_METRIC)
#define KONIG_METRIC_OF(line) KONIG_POINT_METRIC
#else
#define KONIG_METRIC_OF(line) ((line).metric)
#endif
#if defined(KONIG_POINT_DIMENSION)
#define KONIG_DIMENSION_OF(line) KONIG_POINT_DIMENSION
#else
#define KONIG_DIMENSION_OF(line) ((line).dimension)
#endif

KONIG_FN double square_root(double x) {
#if defined(__CUDACC__)
  return sqrt(x);
#else
  return __builtin_sqrt(x);
#endif
}

// What a point of the rows costs with those of the columns.
struct PointLine {
  static constexpr int kHeld = 3;  // coordinates that are at hand

  const double* x;
  const double* y;  // all first coordinates, all second ones, ...
  long long stride;
  long long dimension;
  long long metric;
  double held[kHeld];

  KONIG_FN double operator[](long long col) const {
    const long long count = KONIG_DIMENSION_OF(*this), kind = KONIG_METRIC_OF(*this);
    double sum = 0;
    KONIG_UNROLL
    for (int k = 0; k < kHeld; ++k)
      if (k < count) sum = with(kind, sum, held[k] - y[k * stride + col]);
    KONIG_NO_UNROLL
    for (long long k = kHeld; k < count; ++k) sum = with(kind, sum, x[k] - y[k * stride + col]);
    return kind == kEuclidean ? square_root(sum) : kind == kCosine ? 0.5 * sum : sum;
  }

 private:
  static KONIG_FN double with(long long kind, double sum, double difference) {
    const double size = difference < 0 ? -difference : difference;
    if (kind == kCityblock) return sum + size;
    if (kind == kChebyshev) return size > sum ? size : sum;
    return sum + difference * difference;
  }
};

template <>
struct Tile<PointCosts> {
  using Entry = double;

  const double* x;  // point after point
  const double* y;
  long long stride;  // points of y
  long long dimension;
  long long metric;
  RealScale scale;

  template <class Layout>
  KONIG_FN void describe(Layout& layout) {
    layout.given(KONIG_NAMED(x, y));
    layout.number(KONIG_NAMED(stride, dimension, metric, scale.base, scale.first, scale.second));
  }

  KONIG_FN PointLine row(long long i) const {
    PointLine line{x + i * dimension, y, stride, dimension, metric, {}};
    KONIG_UNROLL
    for (int k = 0; k < PointLine::kHeld; ++k) line.held[k] = k < KONIG_DIMENSION_OF(*this) ? line.x[k] : 0.0;
    return line;
  }
  KONIG_FN long long value(double cost) const { return scale.value(cost); }
  KONIG_FN float nearly(double cost) const { return scale.nearly(cost); }
  KONIG_FN float nearly_dual(long long dual) const { return scale.nearly_dual(dual); }
  KONIG_FN long long units(float difference) const { return scale.units(difference); }
};

}  // namespace konig::assignment
