// The searches of queries.h, for the instruction set KONIG_ISA. No include guard: it is compiled for several.
//
// A search goes through the tree of a weighted point set for a group of points at a time, and a Keeper keeps
// the least cost - weight, the k least, or all within a bound:
//   double bound[kLanes]                     only cost - weight below it matters, for each point of the group
//   void take(lane, first, slack, cost)      slack and cost of kLanes points of the set, from `first` on
//   kRoundsDown, double least[kLanes]        whether the least difference rounded down is wanted, and the one
//                                            found so far, just below the bound
//
// Slacks are rounded to the nearest. What is skipped is not below the bound in exact arithmetic either,
// unless it is rounded to the bound itself.
namespace konig::KONIG_ISA {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// In many dimensions the boxes of a tree cost time and skip no point.
bool skips_nothing(const PointSet& set) { return set.dimension > kFewDimensions; }

// Of a search for a group, in units of Run::spend.
int64_t work_of_group(const PointQuery& query) {
  constexpr int64_t kWorkInATree = 1 << 12;
  return skips_nothing(query.set) ? query.set.count * query.set.dimension : kWorkInATree;
}

template <Metric kMetric, int kDimension>
class PointSearch {
 public:
  explicit PointSearch(const PointSet& set) : set_(set) {}

  // Searches for the points of `from`'s group g. Ties lead each group to points of about its own rank.
  template <class Keeper>
  void search(const PointSet& from, int64_t g, Keeper& keeper) {
    const double* const group = from.group(g);
    if (skips_nothing(set_)) return scan_all(group, keeper);
    const int64_t rank = g * set_.groups / std::max<int64_t>(1, from.groups);
    stack_.clear();
    push(group, set_.root_height(), 0, keeper.bound);
    while (!stack_.empty()) {
      const Node node = stack_.back();
      stack_.pop_back();
      if (!may_matter(node, keeper.bound)) continue;
      if constexpr (Keeper::kRoundsDown)
        if (!may_matter(node, keeper.least) && ties(group, node, keeper)) continue;
      if (node.height == PointSet::kLeaf) {
        scan(group, node.number, node.key, keeper);
        continue;
      }
      const int height = node.height - 1;
      const int64_t left = 2 * node.number, right = left + 1;
      const bool some_left = push(group, height, left, keeper.bound);
      if (right >= set_.nodes_at(height) || !push(group, height, right, keeper.bound) || !some_left) continue;
      Node &first = stack_[stack_.size() - 2], &second = stack_.back();
      const bool left_first = first.least < second.least ||
                              (first.least == second.least && (rank >> (height - PointSet::kLeaf)) <= left);
      if (left_first) std::swap(first, second);
    }
  }

  // The same for a group of any points, without the tree.
  template <class Keeper>
  void scan_all(const double* group, Keeper& keeper) const {
    double key[kLanes];
    std::fill_n(key, kLanes, -std::numeric_limits<double>::max());
    for (int64_t leaf = 0; leaf < set_.groups; ++leaf) scan(group, leaf, key, keeper);
  }

 private:
  struct Node {
    double key[kLanes];  // at most what any point of the node costs, less its weight
    double least;
    int height;
    int64_t number;
  };
  using Of = Terms<kMetric>;
  using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
  // In many dimensions a tree skips nothing, and sums that do not wait for each other are worth more.
  static constexpr int64_t kTogetherInLeaf = kDimension ? 1 : 4;

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
        Of::add(cost[r], outside > 0 ? outside : 0);
      }
    for (int64_t r = 0; r < kLanes; ++r) cost[r] = Of::cost(cost[r]);
  }

  // By slopes of the costs at the centre of the box, and by those of the weights. Here rounding needs a
  // margin.
  void raise_keys(const double* group, int64_t node, double* key) const {
    constexpr double kMargin = 0x1p-44;
    constexpr double kUnderflow =
        0x1p-530;  // by how much a root of squares that underflow may be off, and more
    const double *const centre = set_.centre(node), *const reach = set_.reach(node);
    const double* const slope = set_.slope(node);
    double sum[kLanes] = {}, largest[kLanes] = {};
    for (int64_t k = 0; k < dimension(); ++k)
      for (int64_t r = 0; r < kLanes; ++r) {
        const double difference = centre[k] - group[k * kLanes + r];
        Of::add(sum[r], difference);
        if constexpr (kMetric == Metric::chebyshev) largest[r] = std::max(largest[r], std::abs(difference));
      }
    for (int64_t r = 0; r < kLanes; ++r) {
      const double cost = Of::cost(sum[r]);
      double below = 0, size = cost + std::abs(set_.height(node));
      bool is_open = true;  // no coordinate has been the largest yet
      for (int64_t k = 0; k < dimension(); ++k) {
        const double difference = centre[k] - group[k * kLanes + r];
        const bool is_largest = is_open && std::abs(difference) == largest[r];
        is_open &= !is_largest;
        const double of_cost = Of::slope(difference, cost, is_largest);
        below += std::abs(of_cost - slope[k]) * reach[k];
        size += (std::abs(of_cost) + std::abs(slope[k])) * reach[k];
      }
      const double raised = cost - set_.height(node) - below - kMargin * size - kUnderflow;
      key[r] = raised > key[r] ? raised : key[r];
    }
  }

  // Puts a node on the stack if it may matter.
  bool push(const double* group, int height, int64_t number, const double* bound) {
    Node node;
    const int64_t at = set_.node(height, number);
    box_costs(group, at, node.key);
    const double weight = set_.largest_weight(at);
    for (int64_t r = 0; r < kLanes; ++r) node.key[r] -= weight;
    if (!may_matter(node, bound)) return false;
    if (set_.has_slopes()) {
      raise_keys(group, at, node.key);
      if (!may_matter(node, bound)) return false;
    }
    node.least = node.key[0];
    for (int64_t r = 1; r < kLanes; ++r) node.least = node.key[r] < node.least ? node.key[r] : node.least;
    node.height = height;
    node.number = number;
    stack_.push_back(node);
    return true;
  }

  static bool may_matter(const Node& node, const double* bound) {
    int matters = 0;
    for (int64_t r = 0; r < kLanes; ++r) matters |= node.key[r] < bound[r];
    return matters;
  }

  // Whether no difference of the node, rounded down, is below the least one found.
  template <class Keeper>
  [[gnu::noinline]] bool ties(const double* group, const Node& node, const Keeper& keeper) const {
    double cost[kLanes];
    const int64_t at = set_.node(node.height, node.number);
    box_costs(group, at, cost);
    for (int64_t r = 0; r < kLanes; ++r)
      if (node.key[r] < keeper.bound[r] &&
          difference_below(cost[r], set_.largest_weight(at)) < keeper.least[r])
        return false;
    return true;
  }

  // The points of a leaf, for some points of the group at a time.
  template <class Keeper>
  void scan(const double* group, int64_t leaf, const double* key, Keeper& keeper) const {
    const double* const points = set_.group(leaf);
    for (int64_t first = 0; first < kLanes; first += kTogetherInLeaf) {
      bool any = false;
      for (int64_t r = first; r < first + kTogetherInLeaf; ++r) any |= key[r] < keeper.bound[r];
      if (!any) continue;
      Lanes sum[kTogetherInLeaf] = {};
      for (int64_t k = 0; k < dimension(); ++k) {
        Lanes y;
        std::memcpy(&y, points + k * kLanes, sizeof y);
        for (int64_t q = 0; q < kTogetherInLeaf; ++q) Of::add(sum[q], group[k * kLanes + first + q] - y);
      }
      for (int64_t q = 0; q < kTogetherInLeaf; ++q)
        if (key[first + q] < keeper.bound[first + q]) keep(first + q, leaf, sum[q], keeper);
    }
  }

  template <class Keeper>
  void keep(int64_t r, int64_t leaf, const Lanes& sum, Keeper& keeper) const {
    const double* const weight = set_.weights(leaf);
    double cost[kLanes], slack[kLanes];
    int below = 0;
    std::memcpy(cost, &sum, sizeof cost);
    for (double& of : cost) of = Of::cost(of);
    for (int64_t c = 0; c < kLanes; ++c) {
      slack[c] = cost[c] - weight[c];
      below |= slack[c] < keeper.bound[r];
    }
    if (below) keeper.take(r, leaf * kLanes, slack, cost);
  }

  const PointSet& set_;
  std::vector<Node> stack_;
};

// Of a group of points: `points` has their numbers, -1 where there are no more.
struct NearestKeeper {
  static constexpr bool kRoundsDown = false;

  NearestKeeper(Neighbours& found, const int32_t* points, const double* at_most)
      : found(found), points(points) {
    for (int64_t r = 0; r < kLanes; ++r)
      bound[r] = points[r] < 0 ? -kInfinity : at_most ? at_most[points[r]] : kInfinity;
    slacks.resize(size_t(kLanes * found.most));
  }

  void take(int64_t r, int64_t from, const double* slack, const double* cost) {
    for (int64_t c = 0; c < kLanes; ++c)
      if (slack[c] < bound[r]) insert(r, int32_t(from + c), slack[c], cost[c]);
  }

  void insert(int64_t r, int32_t id, double slack, double cost) {
    const int64_t most = found.most;
    int32_t& count = found.count[points[r]];
    int32_t* const ids = &found.id[points[r] * most];
    double *const costs = &found.cost[points[r] * most], *const of = &slacks[r * most];
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
  const int32_t* const points;
  double bound[kLanes];
  std::vector<double> slacks;
};

// A difference that is rounded to more than a number is no less than that number rounded down.
struct LowestKeeper {
  static constexpr bool kRoundsDown = true;

  LowestKeeper(const PointSet& set, double* lowest, int64_t first, int64_t last)
      : set(set), lowest(lowest), first(first) {
    for (int64_t r = 0; r < kLanes; ++r) {
      bound[r] = first + r >= last ? -kInfinity : kInfinity;
      least[r] = first + r >= last ? -kInfinity : kInfinity;
    }
  }

  void take(int64_t r, int64_t from, const double* slack, const double* cost) {
    const double* const weight = set.weights(from / kLanes);
    double below = least[r];
    for (int64_t c = 0; c < kLanes; ++c)
      if (slack[c] <= below) below = std::min(below, difference_below(cost[c], weight[c]));
    least[r] = lowest[first + r] = below;
    bound[r] = std::nextafter(below, kInfinity);
  }

  const PointSet& set;
  double* const lowest;
  const int64_t first;
  double bound[kLanes], least[kLanes];
};

struct WithinKeeper {
  static constexpr bool kRoundsDown = false;

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

// The groups that are searched for, kLanes points each, -1 where there are no more: those of the set in which
// some point has a bound. Where no search shares anything with its neighbours', only points with a bound.
std::vector<int32_t> groups_with_bounds(const PointQuery& query, const double* bound) {
  const int64_t count = query.from.count;
  std::vector<int32_t> points;
  for (int64_t first = 0; first < count; first += kLanes) {
    const int64_t last = std::min(count, first + kLanes);
    const auto has_bound = [&](int64_t p) { return !bound || bound[p] > -kInfinity; };
    bool some = false;
    for (int64_t p = first; p < last; ++p) some |= has_bound(p);
    for (int64_t p = first; p < first + kLanes && some; ++p) {
      if (!skips_nothing(query.set))
        points.push_back(p < last ? int32_t(p) : -1);
      else if (p < last && has_bound(p))
        points.push_back(int32_t(p));
    }
  }
  points.resize((points.size() + kLanes - 1) / kLanes * kLanes, -1);
  return points;
}

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

void nearest(const PointQuery& query, int64_t k, const double* bound, Neighbours& found, Run& run) {
  found.most = k;
  found.count.assign(size_t(query.from.count), 0);
  found.id.resize(size_t(query.from.count * k));
  found.cost.resize(size_t(query.from.count * k));
  const std::vector<int32_t> points = groups_with_bounds(query, bound);
  with_search(query.metric, query.set, [&](const auto& make) {
    for_rows(query.threads, int64_t(points.size()) / kLanes, work_of_group(query), run,
             [&](int, int64_t first, int64_t last) {
               auto search = make();
               std::vector<double> group(size_t(kLanes * query.from.dimension), 0.0);
               for (int64_t g = first; g < last; ++g) {
                 const int32_t* const of_group = &points[g * kLanes];
                 NearestKeeper keeper(found, of_group, bound);
                 if (skips_nothing(query.set)) {
                   query.from.gather(of_group, group.data());
                   search.scan_all(group.data(), keeper);
                 } else {
                   search.search(query.from, of_group[0] / kLanes, keeper);
                 }
               }
             });
  });
}

void lowest(const PointQuery& query, double* lowest, Run& run) {
  with_search(query.metric, query.set, [&](const auto& make) {
    for_rows(
        query.threads, query.from.groups, work_of_group(query), run, [&](int, int64_t first, int64_t last) {
          auto search = make();
          for (int64_t g = first; g < last; ++g) {
            LowestKeeper keeper(query.set, lowest, g * kLanes, std::min(query.from.count, (g + 1) * kLanes));
            search.search(query.from, g, keeper);
          }
        });
  });
}

PointsWithin within(const PointQuery& query, const int32_t* some, int64_t count, const double* bound,
                    Run& run) {
  PointsWithin found{{0}, {}, {}};
  with_search(query.metric, query.set, [&](const auto& make) {
    auto search = make();
    WithinKeeper keeper;
    for (int64_t next = 0; next < count;) {
      const int64_t g = some[next] / kLanes, first = next;
      std::fill_n(keeper.bound, kLanes, -kInfinity);
      for (; next < count && some[next] / kLanes == g; ++next)
        keeper.bound[some[next] % kLanes] = std::nextafter(bound[next], kInfinity);
      search.search(query.from, g, keeper);
      for (int64_t k = first; k < next; ++k) {
        auto& id = keeper.id[some[k] % kLanes];
        auto& cost = keeper.costs[some[k] % kLanes];
        found.id.insert(found.id.end(), id.begin(), id.end());
        found.cost.insert(found.cost.end(), cost.begin(), cost.end());
        found.start.push_back(int64_t(found.id.size()));
        run.spend(int64_t(id.size()) + work_of_group(query) / kLanes);
        id.clear();
        cost.clear();
      }
    }
  });
  return found;
}

namespace {

// Of `points` the group g, coordinate by coordinate, zeros where there are no more points.
void gather_group(const double* points, int64_t count, int64_t dimension, int64_t g, double* group) {
  for (int64_t k = 0; k < dimension; ++k)
    for (int64_t c = 0; c < kLanes; ++c) {
      const int64_t p = g * kLanes + c;
      group[k * kLanes + c] = p < count ? points[p * dimension + k] : 0;
    }
}

// Costs of some rows and all groups of columns.
template <Metric kMetric, int kDimension, int64_t kRows>
void cost_rows(const PointPairs& pairs, const double* groups, int64_t first, double* cost) {
  using Of = Terms<kMetric>;
  using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
  const int64_t dimension = kDimension ? kDimension : pairs.dimension;
  const double* const x = pairs.x + first * dimension;
  for (int64_t j = 0; j < pairs.cols; j += kLanes) {
    const double* const group = groups + j * dimension;
    Lanes sum[kRows] = {};
    for (int64_t k = 0; k < dimension; ++k) {
      Lanes y;
      std::memcpy(&y, group + k * kLanes, sizeof y);
      for (int64_t r = 0; r < kRows; ++r) Of::add(sum[r], x[r * dimension + k] - y);
    }
    double costs[kRows * kLanes];
    std::memcpy(costs, sum, sizeof costs);
    for (double& of : costs) of = Of::cost(of);
    const int64_t filled = std::min(kLanes, pairs.cols - j);
    for (int64_t r = 0; r < kRows; ++r) {
      double* const out = cost + (first + r) * pairs.cols + j;
      if (filled == kLanes) [[likely]]
        std::memcpy(out, costs + r * kLanes, kLanes * sizeof(double));
      else
        std::copy_n(costs + r * kLanes, filled, out);
    }
  }
}

template <Metric kMetric, int kDimension>
void fill_costs(const PointPairs& pairs, double* cost, Run& run) {
  constexpr int64_t kRows = 4;  // whose sums do not wait for each other
  const int64_t groups = (pairs.cols + kLanes - 1) / kLanes, size = kLanes * pairs.dimension;
  std::vector<double> columns(size_t(groups * size));
  for (int64_t g = 0; g < groups; ++g)
    gather_group(pairs.y, pairs.cols, pairs.dimension, g, &columns[g * size]);
  for_rows(pairs.threads, pairs.rows, pairs.cols * pairs.dimension, run,
           [&](int, int64_t first, int64_t last) {
             int64_t i = first;
             for (; i + kRows <= last; i += kRows)
               cost_rows<kMetric, kDimension, kRows>(pairs, columns.data(), i, cost);
             for (; i < last; ++i) cost_rows<kMetric, kDimension, 1>(pairs, columns.data(), i, cost);
           });
}

}  // namespace

void all_costs(const PointPairs& pairs, double* cost, Run& run) {
  for_metric(pairs.metric, [&]<Metric kMetric>() {
    if (pairs.dimension == 2) return fill_costs<kMetric, 2>(pairs, cost, run);
    if (pairs.dimension == 3) return fill_costs<kMetric, 3>(pairs, cost, run);
    return fill_costs<kMetric, 0>(pairs, cost, run);
  });
}

}  // namespace konig::KONIG_ISA
