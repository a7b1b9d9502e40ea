// The costs between two point sets as a proof reads them (exact/core.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "assignment/exact/core.h"
#include "assignment/points/queries.h"

namespace konig {

// The rows and columns of one problem, in the order of their trees.
struct Level {
  PointSet x, y;
};

class PointRealCosts : public RealCosts {
 public:
  PointRealCosts(const PointQueries& queries, Level& level)
      : RealCosts(level.x.count, level.y.count), queries_(queries), level_(level) {
    rows_at_a_time = kRowsAtATime;
    keeps_fetched = true;
  }

  void find_costs(const int32_t* col_of_row, double* cost) const override {
    for (int64_t i = 0; i < rows; ++i) cost[i] = queries_.cost(level_.x, i, level_.y, col_of_row[i]);
  }
  void find_lowest(const double* col_dual, double* lowest, Run& run) const override {
    level_.y.set_weights(col_dual);
    queries_.lowest(level_.x, level_.y, lowest, run);
  }
  Pairs find_pairs(const std::vector<int32_t>& asked, const double* col_dual, const double* bound,
                   Run& run) const override {
    if (fetched_.answer(asked, bound)) return fetched_.among(asked, col_dual, bound);
    return ask(asked, col_dual, bound, run);
  }
  void fetch_pairs(const double* col_dual, const double* bound, Run& run) const override {
    std::vector<int32_t> all(size_t(rows), 0);
    std::iota(all.begin(), all.end(), 0);
    fetched_.keep(ask(all, col_dual, bound, run), bound);
  }
  void forget_pairs() const override { fetched_.forget(); }
  const Pairs* fetched() const override { return fetched_.all(); }

 private:
  static constexpr int64_t kRowsAtATime = 1024;  // every question sets the weights of all columns

  Pairs ask(const std::vector<int32_t>& asked, const double* col_dual, const double* bound, Run& run) const {
    std::vector<int32_t> order(asked.size()), some;
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return asked[a] < asked[b]; });
    std::vector<double> bounds;
    std::vector<int32_t> place(asked.size());
    for (size_t k = 0; k < order.size(); ++k) {
      some.push_back(asked[order[k]]);
      bounds.push_back(bound[order[k]]);
      place[order[k]] = int32_t(k);
    }
    level_.y.set_weights(col_dual);
    const auto within =
        queries_.within(level_.x, some.data(), int64_t(some.size()), bounds.data(), level_.y, run);
    Pairs found{{0}, {}};
    for (size_t k = 0; k < asked.size(); ++k) {
      for (int64_t e = within.start[place[k]]; e < within.start[place[k] + 1]; ++e)
        found.pair.push_back({within.id[e], within.cost[e]});
      found.start.push_back(int64_t(found.pair.size()));
    }
    return found;
  }

  const PointQueries queries_;
  Level& level_;  // the weights of its points are those of the last question
  mutable FetchedPairs fetched_;
};

}  // namespace konig
