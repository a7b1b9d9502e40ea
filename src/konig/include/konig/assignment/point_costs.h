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
    double sum = 0;
    KONIG_UNROLL
    for (int k = 0; k < kHeld; ++k)
      if (k < dimension) sum = with(sum, held[k] - y[k * stride + col]);
    for (long long k = kHeld; k < dimension; ++k) sum = with(sum, x[k] - y[k * stride + col]);
    return metric == kEuclidean ? square_root(sum) : metric == kCosine ? 0.5 * sum : sum;
  }

 private:
  KONIG_FN double with(double sum, double difference) const {
    const double size = difference < 0 ? -difference : difference;
    if (metric == kCityblock) return sum + size;
    if (metric == kChebyshev) return size > sum ? size : sum;
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
    for (int k = 0; k < PointLine::kHeld; ++k) line.held[k] = k < dimension ? line.x[k] : 0.0;
    return line;
  }
  KONIG_FN long long value(double cost) const { return scale.value(cost); }
  KONIG_FN float nearly(double cost) const { return scale.nearly(cost); }
  KONIG_FN float nearly_dual(long long dual) const { return scale.nearly_dual(dual); }
  KONIG_FN long long units(float difference) const { return scale.units(difference); }
};

}  // namespace konig::assignment
