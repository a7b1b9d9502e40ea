// What a pair of points costs: a float64 number computed by one documented formula.
//
// Coordinates are float64. Terms are added in the order of the coordinates, each operation is rounded to the
// nearest as IEEE 754 says, and none is contracted with the next (this file is compiled with
// -ffp-contract=off). So every machine finds the same numbers, and proofs are about these.
//
//   sqeuclidean  ((x0 - y0)^2 + (x1 - y1)^2) + ...
//   euclidean    the square root of that
//   cityblock    (|x0 - y0| + |x1 - y1|) + ...
//   chebyshev    max(|x0 - y0|, |x1 - y1|, ...)
//   cosine       half the sqeuclidean cost of points that the caller has divided by their norms
//
// Each step is monotone, and so is its rounding. Hence the same formula, on the smallest differences between
// a point and a box, is at most what any point of the box costs: no search needs a margin for rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace konig {

enum class Metric { sqeuclidean, euclidean, cityblock, chebyshev, cosine };

inline std::optional<Metric> metric_named(std::string_view name) {
  if (name == "euclidean") return Metric::euclidean;
  if (name == "sqeuclidean") return Metric::sqeuclidean;
  if (name == "cityblock") return Metric::cityblock;
  if (name == "chebyshev") return Metric::chebyshev;
  if (name == "cosine") return Metric::cosine;
  return std::nullopt;
}

// So many points lie together, coordinate by coordinate: their costs are found together.
constexpr int64_t kLanes = 8;

template <Metric kMetric>
struct Terms {
  // Of numbers, or of vectors of them.
  template <class T>
  static void add(T& sum, const T& difference) {
    if constexpr (kMetric == Metric::cityblock || kMetric == Metric::chebyshev) {
      const T size = difference < -difference ? -difference : difference;
      if constexpr (kMetric == Metric::cityblock)
        sum += size;
      else
        sum = sum < size ? size : sum;
    } else {
      sum += difference * difference;
    }
  }
  static double cost(double sum) {
    if constexpr (kMetric == Metric::euclidean) return std::sqrt(sum);
    if constexpr (kMetric == Metric::cosine) return 0.5 * sum;
    return sum;
  }
  // A slope of the cost of a pair that lies `difference` apart in one coordinate, in the direction of that:
  // of cost(sum), where `is_largest` is whether no other coordinate differs more. The cost is convex, so that
  // no pair costs less than the slopes say.
  static double slope(double difference, double cost, bool is_largest) {
    const double sign = difference > 0 ? 1 : difference < 0 ? -1 : 0;
    if constexpr (kMetric == Metric::cityblock) return sign;
    if constexpr (kMetric == Metric::chebyshev) return is_largest ? sign : 0;
    if constexpr (kMetric == Metric::euclidean) return cost > 0 ? difference / cost : 0;
    return kMetric == Metric::cosine ? difference : 2 * difference;
  }
};

// Calls f with a metric known to the compiler.
template <class F>
auto for_metric(Metric metric, const F& f) {
  switch (metric) {
    case Metric::sqeuclidean:
      return f.template operator()<Metric::sqeuclidean>();
    case Metric::euclidean:
      return f.template operator()<Metric::euclidean>();
    case Metric::cityblock:
      return f.template operator()<Metric::cityblock>();
    case Metric::chebyshev:
      return f.template operator()<Metric::chebyshev>();
    default:
      return f.template operator()<Metric::cosine>();
  }
}

}  // namespace konig
