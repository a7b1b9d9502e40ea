// Lists of real costs as a proof of their assignment reads them (exact/core.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/exact/core.h"
#include "assignment/scans/dense_scans.h"
#include "assignment/sparse/task.h"
#include "core/exact.h"

namespace konig {

// Negated if they are maximised.
template <class S>
class ListedRealCosts : public RealCosts {
 public:
  ListedRealCosts(const SparseCosts<S>& costs, bool negated)
      : RealCosts(costs.rows, costs.cols), costs_(costs), signed_(costs.cost, negated) {}

  void find_costs(const int32_t* col_of_row, double* cost) const override {
    for (int64_t i = 0; i < rows; ++i) {
      cost[i] = 0;
      for (int64_t e = costs_.start[i]; e < costs_.start[i + 1]; ++e)
        if (costs_.col[e] == col_of_row[i]) cost[i] = double(signed_[e]);
    }
  }

  void find_lowest(const double* col_dual, double* lowest, Run& run) const override {
    for (int64_t first = 0; first < rows; first += kRowsAtATime) {
      const int64_t last = std::min(first + kRowsAtATime, rows);
      {
        const RoundingDown mode;
        find_lowest_of(first, last, col_dual, lowest);
      }
      for (int64_t i = first; i < last; ++i) lowest[i] += 0.0;  // x - x, rounded down, is -0
      run.spend(costs_.start[last] - costs_.start[first] + last - first);
    }
  }

  Pairs find_pairs(const std::vector<int32_t>& asked, const double* col_dual, const double* bound,
                   Run& run) const override {
    Pairs found{{0}, {}};
    for (size_t k = 0; k < asked.size(); ++k) {
      const int64_t first = costs_.start[asked[k]], last = costs_.start[asked[k] + 1];
      for (int64_t e = first; e < last; ++e)
        if (const double cost = double(signed_[e]); cost - col_dual[costs_.col[e]] <= bound[k])
          found.pair.push_back({costs_.col[e], cost});
      found.start.push_back(int64_t(found.pair.size()));
      run.spend(last - first + 1);
    }
    return found;
  }

 private:
  static constexpr int64_t kRowsAtATime = 1024;

  // To be called while differences are rounded down: then one of finite numbers is finite or -inf.
  [[gnu::noinline]] void find_lowest_of(int64_t first, int64_t last, const double* col_dual,
                                        double* lowest) const {
    for (int64_t i = first; i < last; ++i) {
      double least = std::numeric_limits<double>::infinity();
      for (int64_t e = costs_.start[i]; e < costs_.start[i + 1]; ++e) {
        const double difference = double(signed_[e]) - col_dual[costs_.col[e]];
        least = difference < least ? difference : least;
      }
      lowest[i] = least;
    }
  }

 protected:
  const SparseCosts<S>& costs_;
  const SignedCosts<S> signed_;
};

}  // namespace konig
