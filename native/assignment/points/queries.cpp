#include "assignment/points/queries.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assignment/points/search.h"
#include "core/exact.h"
#include "core/shared_loop.h"

namespace konig {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kWorkOfAGroup = 1 << 12;  // of a search, in units of Run::spend

struct NearestKeeper {
  NearestKeeper(Neighbours& found, int64_t first, int64_t last, const double* at_most)
      : found(found), first(first) {
    for (int64_t r = 0; r < kLanes; ++r) {
      bound[r] = first + r >= last ? -kInfinity : at_most ? at_most[first + r] : kInfinity;
      if (first + r < last) found.count[first + r] = 0;
    }
    slacks.resize(size_t(kLanes * found.most));
  }

  void take(int64_t r, int64_t from, const double* slack, const double* cost) {
    for (int64_t c = 0; c < kLanes; ++c)
      if (slack[c] < bound[r]) insert(r, int32_t(from + c), slack[c], cost[c]);
  }

  void insert(int64_t r, int32_t id, double slack, double cost) {
    const int64_t most = found.most;
    int32_t& count = found.count[first + r];
    int32_t* const ids = &found.id[(first + r) * most];
    double *const costs = &found.cost[(first + r) * most], *const of = &slacks[r * most];
    int64_t place = count < most ? count++ : most - 1;
    for (; place > 0 && of[place - 1] > slack; --place) {
      of[place] = of[place - 1];
      ids[place] = ids[place - 1];
      costs[place] = costs[place - 1];
    }
    of[place] = slack;
    ids[place] = id;
    costs[place] = cost;
    if (count == most) bound[r] = std::min(bound[r], of[most - 1]);
  }

  Neighbours& found;
  const int64_t first;
  double bound[kLanes];
  std::vector<double> slacks;
};

// A difference that is rounded to more than a number is no less than that number rounded down.
struct LowestKeeper {
  LowestKeeper(const PointSet& set, double* lowest, int64_t first, int64_t last)
      : set(set), lowest(lowest), first(first) {
    for (int64_t r = 0; r < kLanes; ++r) {
      bound[r] = first + r >= last ? -kInfinity : kInfinity;
      if (first + r < last) lowest[first + r] = kInfinity;
    }
  }

  void take(int64_t r, int64_t from, const double* slack, const double* cost) {
    double& least = lowest[first + r];
    const double* const weight = set.weights(from / kLanes);
    for (int64_t c = 0; c < kLanes; ++c)
      if (slack[c] <= least) least = std::min(least, difference_below(cost[c], weight[c]));
    bound[r] = std::nextafter(least, kInfinity);
  }

  const PointSet& set;
  double* const lowest;
  const int64_t first;
  double bound[kLanes];
};

struct WithinKeeper {
  void take(int64_t r, int64_t from, const double* slack, const double* cost) {
    for (int64_t c = 0; c < kLanes; ++c) {
      if (!(slack[c] < bound[r])) continue;
      id[r].push_back(int32_t(from + c));
      costs[r].push_back(cost[c]);
    }
  }

  double bound[kLanes];
  std::vector<int32_t> id[kLanes];
  std::vector<double> costs[kLanes];
};

// Calls f with a search whose metric, and dimension if it is small, are known to the compiler.
template <class F>
void with_search(Metric metric, const PointSet& set, const F& f) {
  for_metric(metric, [&]<Metric kMetric>() {
    if (set.dimension == 2) return f([&] { return PointSearch<kMetric, 2>(set); });
    if (set.dimension == 3) return f([&] { return PointSearch<kMetric, 3>(set); });
    return f([&] { return PointSearch<kMetric, 0>(set); });
  });
}

}  // namespace

double PointQueries::cost(const PointSet& from, int64_t i, const PointSet& set, int64_t j) const {
  return for_metric(metric_, [&]<Metric kMetric>() {
    double sum = 0;
    for (int64_t k = 0; k < from.dimension; ++k) sum = Terms<kMetric>::add(sum, from.at(i, k) - set.at(j, k));
    return Terms<kMetric>::cost(sum);
  });
}

void PointQueries::nearest(const PointSet& from, const PointSet& set, int64_t k, const double* bound,
                           Neighbours& found, Run& run) const {
  found.most = k;
  found.count.resize(size_t(from.count));
  found.id.resize(size_t(from.count * k));
  found.cost.resize(size_t(from.count * k));
  with_search(metric_, set, [&](const auto& make) {
    for_rows(threads_, from.groups, kWorkOfAGroup, run, [&](int, int64_t first, int64_t last) {
      auto search = make();
      for (int64_t g = first; g < last; ++g) {
        NearestKeeper keeper(found, g * kLanes, std::min(from.count, (g + 1) * kLanes), bound);
        search.search(from, g, keeper);
      }
    });
  });
}

void PointQueries::lowest(const PointSet& from, const PointSet& set, double* lowest, Run& run) const {
  with_search(metric_, set, [&](const auto& make) {
    for_rows(threads_, from.groups, kWorkOfAGroup, run, [&](int, int64_t first, int64_t last) {
      auto search = make();
      for (int64_t g = first; g < last; ++g) {
        LowestKeeper keeper(set, lowest, g * kLanes, std::min(from.count, (g + 1) * kLanes));
        search.search(from, g, keeper);
      }
    });
  });
}

PointQueries::Within PointQueries::within(const PointSet& from, const int32_t* some, int64_t count,
                                          const double* bound, const PointSet& set, Run& run) const {
  Within found{{0}, {}, {}};
  with_search(metric_, set, [&](const auto& make) {
    auto search = make();
    WithinKeeper keeper;
    for (int64_t next = 0; next < count;) {
      const int64_t g = some[next] / kLanes, first = next;
      std::fill_n(keeper.bound, kLanes, -kInfinity);
      for (; next < count && some[next] / kLanes == g; ++next)
        keeper.bound[some[next] % kLanes] = std::nextafter(bound[next], kInfinity);
      search.search(from, g, keeper);
      for (int64_t k = first; k < next; ++k) {
        auto &id = keeper.id[some[k] % kLanes];
        auto &cost = keeper.costs[some[k] % kLanes];
        found.id.insert(found.id.end(), id.begin(), id.end());
        found.cost.insert(found.cost.end(), cost.begin(), cost.end());
        found.start.push_back(int64_t(found.id.size()));
        run.spend(int64_t(id.size()) + 256);
        id.clear();
        cost.clear();
      }
    }
  });
  return found;
}

}  // namespace konig
