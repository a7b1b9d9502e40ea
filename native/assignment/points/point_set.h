// Points in the order of a k-d tree, with a weight each.
//
// The tree is implicit: its node (height, number) has the points number * 2^height up to the next node's.
// Every node splits its points by one coordinate. Four points in a row make a point of the coarser set (their
// mean), whose tree is the same without the lowest levels. Each node knows the box of its points, the largest
// of their weights and, in few dimensions, a linear function that none of their weights exceeds: where all
// points travel the same way, weights grow along it as costs do, and the largest weight alone says little.
//
// Points lie in groups of kLanes, coordinate by coordinate; the last group is filled up with points of weight
// -infinity.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "assignment/points/metric.h"
#include "core/run.h"

namespace konig {

constexpr int64_t kTogether = 4;       // points that a point of the coarser set stands for
constexpr int64_t kFewDimensions = 8;  // in more a tree skips nothing

// Sorts point numbers into the order of a k-d tree. `points` has `dimension` coordinates for each.
class TreeOrder {
 public:
  TreeOrder(const double* points, int64_t count, int64_t dimension)
      : points_(points), dimension_(dimension), order(size_t(count)) {
    std::iota(order.begin(), order.end(), 0);
  }

  void sort(Run& run) { split(0, int64_t(order.size()), run); }

 private:
  const double* const points_;
  const int64_t dimension_;

 public:
  std::vector<int32_t> order;

 private:
  double at(int32_t point, int64_t k) const { return points_[point * dimension_ + k]; }

  // The left part has the largest power of two that leaves something for the right one.
  void split(int64_t first, int64_t last, Run& run) {
    const int64_t count = last - first;
    if (count <= 2) return;
    const int64_t left = int64_t(std::bit_floor(uint64_t(count - 1)));
    const int64_t widest = widest_coordinate(first, last);
    run.spend(count * (dimension_ + 2));
    std::nth_element(order.begin() + first, order.begin() + first + left, order.begin() + last,
                     [&](int32_t a, int32_t b) {
                       const double of_a = at(a, widest), of_b = at(b, widest);
                       return of_a < of_b || (of_a == of_b && a < b);
                     });
    split(first, first + left, run);
    split(first + left, last, run);
  }

  int64_t widest_coordinate(int64_t first, int64_t last) const {
    int64_t widest = 0;
    double extent = -1;
    for (int64_t k = 0; k < dimension_; ++k) {
      double least = at(order[first], k), greatest = least;
      for (int64_t p = first + 1; p < last; ++p) {
        least = std::min(least, at(order[p], k));
        greatest = std::max(greatest, at(order[p], k));
      }
      if (greatest - least > extent) {
        extent = greatest - least;
        widest = k;
      }
    }
    return widest;
  }
};

class PointSet {
 public:
  static constexpr int kLeaf = 3;  // the height of a group
  static_assert(int64_t(1) << kLeaf == kLanes);

  // Points that lie in the order of a tree, `dimension` coordinates each.
  PointSet(std::vector<double> points, int64_t dimension)
      : dimension(dimension), count(int64_t(points.size()) / std::max<int64_t>(1, dimension)) {
    groups = (count + kLanes - 1) / kLanes;
    coordinate_.resize(size_t(groups * dimension * kLanes));
    for (int64_t p = 0; p < groups * kLanes; ++p)
      for (int64_t k = 0; k < dimension; ++k)
        coordinate_[lane(p, k)] = points[std::min(p, count - 1) * dimension + k];
    for (int64_t nodes = groups; nodes > 0; nodes = nodes > 1 ? (nodes + 1) / 2 : 0)
      first_.push_back(first_.empty() ? 0 : first_.back() + last_nodes_), last_nodes_ = nodes;
    const int64_t nodes = first_.empty() ? 0 : first_.back() + 1;
    low_.resize(size_t(nodes * dimension));
    high_.resize(size_t(nodes * dimension));
    weight_.assign(size_t(groups * kLanes), -std::numeric_limits<double>::infinity());
    largest_.resize(size_t(nodes));
    find_boxes();
    if (has_slopes()) {
      slope_.resize(size_t(nodes * dimension));
      height_.resize(size_t(nodes));
      find_centres(nodes);
    }
  }

  // The means of four points each.
  PointSet coarser() const {
    std::vector<double> means;
    means.reserve(size_t((count / kTogether + 1) * dimension));
    for (int64_t first = 0; first < count; first += kTogether) {
      const int64_t last = std::min(count, first + kTogether);
      for (int64_t k = 0; k < dimension; ++k) {
        double sum = 0;
        for (int64_t p = first; p < last; ++p) sum += at(p, k) / double(last - first);
        means.push_back(sum);
      }
    }
    return PointSet(std::move(means), dimension);
  }

  void set_weights(const double* weight) {
    std::copy_n(weight, count, weight_.begin());
    for (int64_t g = 0; g < groups; ++g)
      largest_[g] = *std::max_element(&weight_[g * kLanes], &weight_[g * kLanes] + kLanes);
    for (int height = kLeaf + 1; height <= root_height(); ++height)
      for (int64_t a = 0; a < nodes_at(height); ++a)
        largest_[node(height, a)] = of_children(
            height, a, [&](int64_t n) { return largest_[n]; },
            [](double a, double b) { return std::max(a, b); });
    if (has_slopes()) bound_weights();
  }

  double at(int64_t point, int64_t k) const { return coordinate_[lane(point, k)]; }
  const double* group(int64_t g) const { return &coordinate_[g * dimension * kLanes]; }
  // Up to kLanes points of these numbers, -1 where there are no more, as a group.
  void gather(const int32_t* points, double* group) const {
    for (int64_t k = 0; k < dimension; ++k)
      for (int64_t c = 0; c < kLanes; ++c) group[k * kLanes + c] = points[c] < 0 ? 0 : at(points[c], k);
  }
  const double* weights(int64_t g) const { return &weight_[g * kLanes]; }
  int root_height() const { return kLeaf + int(first_.size()) - 1; }
  int64_t nodes_at(int height) const {
    const int64_t size = int64_t(1) << (height - kLeaf);
    return (groups + size - 1) / size;
  }
  int64_t node(int height, int64_t number) const { return first_[height - kLeaf] + number; }
  const double* low(int64_t node) const { return &low_[node * dimension]; }
  const double* high(int64_t node) const { return &high_[node * dimension]; }
  double largest_weight(int64_t node) const { return largest_[node]; }
  // A weight at y is at most height + slope * (y - centre), and |y - centre| at most the reach.
  bool has_slopes() const { return dimension <= kFewDimensions; }
  const double* centre(int64_t node) const { return &centre_[node * dimension]; }
  const double* reach(int64_t node) const { return &reach_[node * dimension]; }
  const double* slope(int64_t node) const { return &slope_[node * dimension]; }
  double height(int64_t node) const { return height_[node]; }

  const int64_t dimension, count;
  int64_t groups;

 private:
  int64_t lane(int64_t p, int64_t k) const { return (p / kLanes * dimension + k) * kLanes + p % kLanes; }

  template <class Of, class Join>
  double of_children(int height, int64_t a, const Of& of, const Join& join) const {
    const double left = of(node(height - 1, 2 * a));
    return 2 * a + 1 < nodes_at(height - 1) ? join(left, of(node(height - 1, 2 * a + 1))) : left;
  }

  void find_boxes() {
    for (int64_t g = 0; g < groups; ++g)
      for (int64_t k = 0; k < dimension; ++k) {
        const auto [low, high] = std::minmax_element(group(g) + k * kLanes, group(g) + (k + 1) * kLanes);
        low_[g * dimension + k] = *low;
        high_[g * dimension + k] = *high;
      }
    for (int height = kLeaf + 1; height <= root_height(); ++height)
      for (int64_t a = 0; a < nodes_at(height); ++a)
        for (int64_t k = 0; k < dimension; ++k) {
          const int64_t at = node(height, a) * dimension + k;
          low_[at] = of_children(
              height, a, [&](int64_t n) { return low_[n * dimension + k]; },
              [](double a, double b) { return std::min(a, b); });
          high_[at] = of_children(
              height, a, [&](int64_t n) { return high_[n * dimension + k]; },
              [](double a, double b) { return std::max(a, b); });
        }
  }

  void find_centres(int64_t nodes) {
    centre_.resize(size_t(nodes * dimension));
    reach_.resize(size_t(nodes * dimension));
    for (int64_t at = 0; at < nodes * dimension; ++at) {
      centre_[at] = low_[at] / 2 + high_[at] / 2;
      reach_[at] = std::max(high_[at] - centre_[at], centre_[at] - low_[at]) * (1 + 0x1p-50);
    }
  }

  // Slopes are a guess; heights are made such that the bounds hold, with a margin for rounding. Those of
  // small nodes are by all of their points.
  void bound_weights() {
    for (int height = kLeaf; height <= root_height(); ++height)
      for (int64_t a = 0; a < nodes_at(height); ++a)
        height < kLeaf + kSmallNodes ? bound_by_points(height, a) : bound_by_children(height, a);
  }

  void bound_by_points(int height, int64_t a) {
    const int64_t at = node(height, a), first = a << height;
    const int64_t last = std::min(count, first + (int64_t(1) << height));
    double* const slopes = &slope_[at * dimension];
    const double share = 1 / double(last - first);
    double mean = 0;
    for (int64_t p = first; p < last; ++p) mean += weight_[p] * share;
    for (int64_t k = 0; k < dimension; ++k) {
      double both = 0, square = 0;  // from the centre: the mean of a box is not far
      for (int64_t p = first; p < last; ++p) {
        const double y = this->at(p, k) - centre(at)[k];
        both += y * (weight_[p] - mean);
        square += y * y;
      }
      slopes[k] = square > 0 ? both / square : 0;
    }
    double most = -std::numeric_limits<double>::infinity(), size = 0;
    for (int64_t p = first; p < last; ++p) {
      double rest = weight_[p];
      for (int64_t k = 0; k < dimension; ++k) rest -= slopes[k] * (this->at(p, k) - centre(at)[k]);
      most = std::max(most, rest);
      size = std::max(size, std::abs(weight_[p]));
    }
    for (int64_t k = 0; k < dimension; ++k) size += std::abs(slopes[k]) * reach(at)[k];
    set_height(at, most + kMargin * size);
  }

  void bound_by_children(int height, int64_t a) {
    const int64_t at = node(height, a), left = node(height - 1, 2 * a);
    const int64_t children = 2 * a + 1 < nodes_at(height - 1) ? 2 : 1;
    for (int64_t k = 0; k < dimension; ++k) {
      // What the children agree on, or what leads from one to the other: the coordinate that splits them.
      double of = slope(left)[k];
      if (children == 2) {
        const double apart = centre(left + 1)[k] - centre(left)[k];
        const double between = (height_[left + 1] - height_[left]) / apart;
        of = std::abs(apart) > std::max(reach(left)[k], reach(left + 1)[k]) ? between
                                                                            : of / 2 + slope(left + 1)[k] / 2;
      }
      slope_[at * dimension + k] = of;
    }
    double most = -std::numeric_limits<double>::infinity(), size = 0;
    for (int64_t child = left; child < left + children; ++child) {
      double rest = height_[child];
      size = std::max(size, std::abs(rest));
      for (int64_t k = 0; k < dimension; ++k) {
        const double move = slope(at)[k] * (centre(child)[k] - centre(at)[k]);
        rest += std::abs(slope(child)[k] - slope(at)[k]) * reach(child)[k] - move;
        size += (std::abs(slope(child)[k]) + std::abs(slope(at)[k])) * reach(child)[k] + std::abs(move);
      }
      most = std::max(most, rest);
    }
    set_height(at, most + kMargin * size);
  }

  // Where numbers exceed float64 the largest weight is the bound.
  void set_height(int64_t at, double height) {
    bool fits = std::isfinite(height);
    for (int64_t k = 0; k < dimension; ++k) fits &= std::isfinite(slope(at)[k]);
    height_[at] = fits ? height : largest_[at];
    if (!fits) std::fill_n(&slope_[at * dimension], dimension, 0.0);
  }

  static constexpr int kSmallNodes = 5;       // heights
  static constexpr double kMargin = 0x1p-46;  // many times the rounding of the sums of few dimensions

  std::vector<double> centre_, reach_, slope_, height_;
  std::vector<double> coordinate_, weight_;
  std::vector<int64_t> first_;  // the first node of each height
  int64_t last_nodes_ = 0;
  std::vector<double> low_, high_, largest_;
};

}  // namespace konig
