#include "sequential/assignment/exact_core.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sequential/assignment/distance_heap.h"
#include "sequential/assignment/sparse_augmenting_paths.h"

namespace konig {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();

// ---- float64 numbers as integers: multiples of 2^exponent

// Rounded down.
int128 to_grid(double x, int exponent) {
  int of_x;
  const auto mantissa = int64_t(std::ldexp(std::frexp(x, &of_x), 53));
  const int shift = of_x - 53 - exponent;
  if (shift >= 0) return int128(mantissa) << std::min(shift, 127);
  return mantissa >> std::min(-shift, 63);
}

int128 difference_on_grid(double a, double b, int exponent) {
  const auto [difference, error] = two_sum(a, -b);
  if (error == 0) return to_grid(difference, exponent);
  return to_grid(a, exponent) - to_grid(b, exponent);  // neither is much larger than the difference
}

// Rounded down.
double from_grid(int128 x, int exponent) {
  double nearest = double(x);
  if (int128(nearest) > x) nearest = std::nextafter(nearest, -kInfinity);
  const double scaled = std::ldexp(nearest, exponent);
  return std::ldexp(scaled, -exponent) > nearest ? std::nextafter(scaled, -kInfinity) : scaled;
}

// The exponent of the lowest bit that is set; `x` is not 0.
int lowest_exponent(double x) {
  int exponent;
  const auto mantissa = int64_t(std::ldexp(std::frexp(x, &exponent), 53));
  return exponent - 53 + std::countr_zero(uint64_t(mantissa));
}

// ----

void find_proof(const RealCosts& costs, RealAnswer& answer, std::vector<double>& cost, Run& run) {
  cost.resize(size_t(costs.rows));
  costs.find_costs(answer.col_of_row, cost.data());
  costs.find_lowest(answer.col_dual, answer.row_dual, run);
  answer.proof = prove(costs.rows, cost.data(), answer.col_of_row, answer.col_dual, answer.row_dual);
}

class ExactCore {
 public:
  ExactCore(const RealCosts& costs, RealAnswer& answer, std::vector<double>& cost, Run& run)
      : costs_(costs), answer_(answer), cost_(cost), run_(run), bound_(size_t(costs.rows)) {}

  int64_t solve() {
    double gap_of_core = answer_.proof.gap;
    choose();
    for (int64_t solves = 1, in_vain = 0;; ++solves) {
      solve_core();
      find_proof(costs_, answer_, cost_, run_);
      if (answer_.proof.holds() || solves == kMostSolves) return solves;
      if (add_undercutting()) continue;
      if (!is_exact_) {
        // A smaller gap, or other duals, lead to another core.
        if (!(answer_.proof.gap < gap_of_core / 2) && ++in_vain == kMostInVain) return solves;
        gap_of_core = answer_.proof.gap;
        choose();
      } else if (!wants_small_duals_) {
        wants_small_duals_ = true;
      } else {
        return solves;
      }
    }
  }

 private:
  using Pair = RealCosts::Pair;
  using Pairs = RealCosts::Pairs;
  static constexpr int64_t kMostPairs = 32;  // that a row adds at a time
  static constexpr int64_t kMostSolves = 100, kMostInVain = 4;

  // The pairs of each row whose reduced cost is within the gap, or the best of them, and the assigned one.
  void choose() {
    const double gap = answer_.proof.gap;
    const bool is_finite = gap < kInfinity;
    if (!is_finite) std::fill_n(answer_.col_dual, costs_.cols, 0.0);
    for (int64_t i = 0; i < costs_.rows; ++i)
      bound_[i] = is_finite ? std::nextafter(answer_.row_dual[i] + gap, kInfinity) : kLargest;
    Pairs assigned;
    for (int64_t i = 0; i < costs_.rows; ++i) {
      assigned.start.push_back(i);
      assigned.pair.push_back({answer_.col_of_row[i], cost_[i]});
    }
    assigned.start.push_back(costs_.rows);
    core_ = std::move(assigned);
    join(costs_.find_pairs(answer_.col_dual, bound_.data(), kMostPairs, run_));
  }

  // Pairs outside the core that cost less than their column's dual and what the row pays now; whether there
  // are any.
  bool add_undercutting() {
    const size_t before = core_.pair.size();
    for (int64_t i = 0; i < costs_.rows; ++i) {
      const double paid = difference_below(cost_[i], answer_.col_dual[answer_.col_of_row[i]]);
      bound_[i] = answer_.row_dual[i] < paid ? paid : -kInfinity;
    }
    join(costs_.find_pairs(answer_.col_dual, bound_.data(), kMostPairs, run_));
    return core_.pair.size() > before;
  }

  // Pairs that are not in the core yet join it.
  void join(const Pairs& more) {
    Pairs all;
    all.start.push_back(0);
    for (int64_t i = 0; i < costs_.rows; ++i) {
      const auto first = core_.pair.begin() + core_.start[i], last = core_.pair.begin() + core_.start[i + 1];
      all.pair.insert(all.pair.end(), first, last);
      for (int64_t e = more.start[i]; e < more.start[i + 1]; ++e)
        if (std::none_of(first, last, [&](const Pair& known) { return known.col == more.pair[e].col; }))
          all.pair.push_back(more.pair[e]);
      all.start.push_back(int64_t(all.pair.size()));
    }
    core_ = std::move(all);
  }

  void solve_core() {
    put_on_grid();
    SparseAugmentingPaths<int128, int128> paths;
    paths.prepare({costs_.rows, costs_.cols, core_.start.data(), core_col_.data(), core_cost_.data()});
    const int128 largest = int128(1) << bits();
    const bool is_square = costs_.rows == costs_.cols;
    for (int64_t j = 0; j < costs_.cols; ++j) {
      const double scaled = std::ldexp(answer_.col_dual[j], -exponent_);  // may be infinite
      const int128 dual =
          std::abs(scaled) < double(largest) ? to_grid(answer_.col_dual[j], exponent_) : int128(0);
      paths.set_col_dual(j, is_square ? dual : std::min(dual, int128(0)));
    }
    paths.solve_from_duals(run_);  // the assignment that there is makes it feasible
    for (int64_t i = 0; i < costs_.rows; ++i) answer_.col_of_row[i] = paths.col_of_row(i);
    std::vector<int128> dual = wants_small_duals_ || !is_exact_ ? small_duals(paths) : duals(paths);
    // Of a square a constant may move between the sides: numbers near the largest float64 do not fit twice.
    const int128 least = dual.empty() ? int128(0) : *std::min_element(dual.begin(), dual.end());
    const int128 shift = is_square && from_grid(least, exponent_) < -kLargest / 2 ? least / 2 : int128(0);
    for (int64_t j = 0; j < costs_.cols; ++j) answer_.col_dual[j] = from_grid(dual[j] - shift, exponent_);
  }

  int bits() const { return 119 - int(std::bit_width(uint64_t(costs_.rows + 1))); }
  // Costs less the least of their row, as integers of at most bits(); exact if that is enough for them.
  void put_on_grid() {
    std::vector<double> least(size_t(costs_.rows), kInfinity);
    int lowest = std::numeric_limits<int>::max(), highest = std::numeric_limits<int>::min();
    for (int64_t i = 0; i < costs_.rows; ++i) {
      for (int64_t e = core_.start[i]; e < core_.start[i + 1]; ++e)
        least[i] = std::min(least[i], core_.pair[e].cost);
      for (int64_t e = core_.start[i]; e < core_.start[i + 1]; ++e) {
        const double cost = core_.pair[e].cost, above = cost - least[i];
        if (cost != 0) lowest = std::min(lowest, lowest_exponent(cost));
        if (above > 0) highest = std::max(highest, above < kInfinity ? std::ilogb(above) + 2 : 1026);
      }
    }
    is_exact_ = highest < lowest || highest - lowest <= bits();
    exponent_ = highest < lowest ? 0 : is_exact_ ? lowest : highest - bits();
    core_col_.resize(core_.pair.size());
    core_cost_.resize(core_.pair.size());
    for (int64_t i = 0; i < costs_.rows; ++i)
      for (int64_t e = core_.start[i]; e < core_.start[i + 1]; ++e) {
        core_col_[e] = core_.pair[e].col;
        core_cost_[e] = difference_on_grid(core_.pair[e].cost, least[i], exponent_);
      }
  }

  template <class Paths>
  std::vector<int128> duals(const Paths& paths) const {
    std::vector<int128> dual(size_t(costs_.cols));
    for (int64_t j = 0; j < costs_.cols; ++j) dual[j] = paths.col_dual(j);
    return dual;
  }

  // The lengths of shortest paths from all columns, each of which is at 0, where a step from the column of a
  // row to another column of the row is as long as that costs more. With the duals that there are as
  // potentials no step is negative, and Dijkstra's algorithm finds them.
  template <class Paths>
  std::vector<int128> small_duals(const Paths& paths) const {
    std::vector<int128> distance(size_t(costs_.cols));  // less the potential
    DistanceHeap<int128> heap;
    for (int64_t j = 0; j < costs_.cols; ++j) {
      distance[j] = -paths.col_dual(j);
      heap.push({distance[j], int32_t(j)});
    }
    while (!heap.empty()) {
      const auto [here, j] = heap.top();
      heap.pop();
      const int32_t i = paths.row_of_col(j);
      if (i < 0 || here != distance[j]) continue;
      const int128 paid = paths.row_dual(i);
      for (int64_t e = core_.start[i]; e < core_.start[i + 1]; ++e) {
        const int32_t other = core_col_[e];
        const int128 through = here + (core_cost_[e] - paths.col_dual(other) - paid);
        if (!(through < distance[other])) continue;
        distance[other] = through;
        heap.push({through, other});
      }
      run_.spend(core_.start[i + 1] - core_.start[i] + 1);
    }
    for (int64_t j = 0; j < costs_.cols; ++j) distance[j] += paths.col_dual(j);
    return distance;
  }

  const RealCosts& costs_;
  RealAnswer& answer_;
  std::vector<double>& cost_;  // of the assigned pairs
  Run& run_;
  std::vector<double> bound_;
  Pairs core_;
  std::vector<int32_t> core_col_;  // and its costs, in the same order
  std::vector<int128> core_cost_;
  int exponent_ = 0;
  bool is_exact_ = true;
  bool wants_small_duals_ = false;
};

}  // namespace

int64_t prove_or_solve_exactly(const RealCosts& costs, RealAnswer& answer, Run& run) {
  std::vector<double> cost;
  find_proof(costs, answer, cost, run);
  return answer.proof.holds() ? 0 : ExactCore(costs, answer, cost, run).solve();
}

}  // namespace konig
