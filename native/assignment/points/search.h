// Searches in a weighted point set, for a group of points at a time: the least cost - weight, the k least, or
// all within a bound. The searches differ in what they keep, which is up to a Keeper:
//   double bound[kLanes]                     only cost - weight below it matters, for each point of the group
//   void take(lane, first, slack, cost)      slack and cost of kLanes points of the set, from `first` on
//
// Slacks are rounded to the nearest. What is skipped is not below the bound in exact arithmetic either,
// unless it is rounded to the bound itself.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/points/point_set.h"

namespace konig {

template <Metric kMetric, int kDimension>
class PointSearch {
 public:
  explicit PointSearch(const PointSet& set) : set_(set) {}

  // Searches for the points of `from`'s group g. Ties lead each group to points of about its own rank.
  template <class Keeper>
  int64_t search(const PointSet& from, int64_t g, Keeper& keeper) {
    int64_t visited = 0;
    stack_.clear();
    stack_.push_back({set_.root_height(), 0});
    const double* const group = from.group(g);
    const int64_t rank = g * set_.groups / std::max<int64_t>(1, from.groups);
    while (!stack_.empty()) {
      const auto [height, number] = stack_.back();
      stack_.pop_back();
      ++visited;
      double key[kLanes];
      if (!may_matter(group, set_.node(height, number), keeper.bound, key)) continue;
      if (height == PointSet::kLeaf) {
        scan(group, number, key, keeper);
        continue;
      }
      const int64_t left = 2 * number, right = left + 1;
      if (right >= set_.nodes_at(height - 1)) {
        stack_.push_back({height - 1, left});
        continue;
      }
      const double to_left = nearest(group, set_.node(height - 1, left)),
                   to_right = nearest(group, set_.node(height - 1, right));
      const bool left_first =
          to_left < to_right || (to_left == to_right && (rank >> (height - 1 - PointSet::kLeaf)) <= left);
      stack_.push_back({height - 1, left_first ? right : left});
      stack_.push_back({height - 1, left_first ? left : right});
    }
    return visited;
  }

 private:
  struct Node {
    int height;
    int64_t number;
  };
  using Of = Terms<kMetric>;

  int64_t dimension() const { return kDimension ? kDimension : set_.dimension; }

  // At most what a pair of the box and each of the points costs.
  void box_costs(const double* group, int64_t node, double* cost) const {
    const double *const low = set_.low(node), *const high = set_.high(node);
    for (int64_t r = 0; r < kLanes; ++r) cost[r] = 0;
    for (int64_t k = 0; k < dimension(); ++k)
      for (int64_t r = 0; r < kLanes; ++r) {
        const double x = group[k * kLanes + r];
        const double below = low[k] - x, above = x - high[k];
        const double outside = below > above ? below : above;
        cost[r] = Of::add(cost[r], outside > 0 ? outside : 0);
      }
    for (int64_t r = 0; r < kLanes; ++r) cost[r] = Of::cost(cost[r]);
  }

  bool may_matter(const double* group, int64_t node, const double* bound, double* key) const {
    box_costs(group, node, key);
    const double weight = set_.largest_weight(node);
    int matters = 0;
    for (int64_t r = 0; r < kLanes; ++r) {
      key[r] -= weight;
      matters |= key[r] < bound[r];
    }
    return matters;
  }

  double nearest(const double* group, int64_t node) const {
    double cost[kLanes], least = std::numeric_limits<double>::infinity();
    box_costs(group, node, cost);
    for (int64_t r = 0; r < kLanes; ++r) least = std::min(least, cost[r]);
    return least - set_.largest_weight(node);
  }

  template <class Keeper>
  void scan(const double* group, int64_t leaf, const double* key, Keeper& keeper) const {
    const double *const points = set_.group(leaf), *const weight = set_.weights(leaf);
    for (int64_t r = 0; r < kLanes; ++r) {
      if (!(key[r] < keeper.bound[r])) continue;
      double cost[kLanes] = {}, slack[kLanes];
      for (int64_t k = 0; k < dimension(); ++k) {
        const double x = group[k * kLanes + r];
        for (int64_t c = 0; c < kLanes; ++c) cost[c] = Of::add(cost[c], x - points[k * kLanes + c]);
      }
      for (int64_t c = 0; c < kLanes; ++c) cost[c] = Of::cost(cost[c]);
      int below = 0;
      for (int64_t c = 0; c < kLanes; ++c) {
        slack[c] = cost[c] - weight[c];
        below |= slack[c] < keeper.bound[r];
      }
      if (below) keeper.take(r, leaf * kLanes, slack, cost);
    }
  }

  const PointSet& set_;
  std::vector<Node> stack_;
};

}  // namespace konig
