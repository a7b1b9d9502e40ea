#include "assignment/points/prepared.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace konig {

bool are_near(const double* coordinates, int64_t count, int64_t dimension, Metric metric) {
  double most = std::numeric_limits<double>::max();  // points are divided by their norms
  if (metric == Metric::euclidean || metric == Metric::sqeuclidean)
    most = 0x1p440 / double(dimension);
  else if (metric != Metric::cosine)
    most = 0x1p899 / double(dimension);
  bool are_all = true;
  for (int64_t k = 0; k < count * dimension; ++k) are_all &= std::abs(coordinates[k]) <= most;
  return are_all;
}

namespace {

// A point times the power of two that makes its largest coordinate at least 1/2 and less than 1. False if it
// is zero.
bool scale(const double* from, int64_t dimension, double* to) {
  double largest = 0;
  for (int64_t k = 0; k < dimension; ++k) largest = std::max(largest, std::abs(from[k]));
  if (largest == 0) return false;
  int exponent;
  (void)std::frexp(largest, &exponent);
  if (std::abs(exponent) < 1000) {  // the power of two is a normal number
    const double power = std::ldexp(1.0, -exponent);
    for (int64_t k = 0; k < dimension; ++k) to[k] = from[k] * power;
  } else {
    for (int64_t k = 0; k < dimension; ++k) to[k] = std::ldexp(from[k], -exponent);
  }
  return true;
}

// Divides so many points by their norms. The squares of each are added in the order of its coordinates; the
// sums of several points do not wait for each other.
template <int64_t kPoints>
void divide(double* points, int64_t dimension) {
  double squares[kPoints] = {};
  for (int64_t k = 0; k < dimension; ++k)
    for (int64_t p = 0; p < kPoints; ++p) {
      const double here = points[p * dimension + k];
      squares[p] += here * here;
    }
  for (int64_t p = 0; p < kPoints; ++p) {
    const double norm = std::sqrt(squares[p]);
    for (int64_t k = 0; k < dimension; ++k) points[p * dimension + k] /= norm;
  }
}

}  // namespace

bool divide_by_norms(const double* points, int64_t count, int64_t dimension, double* made) {
  for (int64_t p = 0; p < count; ++p)
    if (!scale(points + p * dimension, dimension, made + p * dimension)) return false;
  constexpr int64_t kTogether = 4;
  int64_t p = 0;
  for (; p + kTogether <= count; p += kTogether) divide<kTogether>(made + p * dimension, dimension);
  for (; p < count; ++p) divide<1>(made + p * dimension, dimension);
  return true;
}

}  // namespace konig
