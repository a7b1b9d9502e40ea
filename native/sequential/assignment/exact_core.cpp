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

void find_proof(const RealCosts& costs, RealAnswer& answer, Run& run) {
  costs.find_lowest(answer.col_dual, answer.row_dual, run);
  answer.proof = prove(costs, answer.col_of_row, answer.col_dual, answer.row_dual);
}

class ExactCore {
 public:
  ExactCore(const RealCosts& costs, RealAnswer& answer, Run& run)
      : costs_(costs), answer_(answer), run_(run), start_(size_t(costs.rows) + 1, 0) {}

  int64_t solve() {
    choose();
    for (int64_t solves = 1;; ++solves) {
      const double gap_before = answer_.proof.gap;
      solve_core();
      find_proof(costs_, answer_, run_);
      if (answer_.proof.holds() || solves == kMostSolves) return solves;
      if (is_exact_) {
        if (!add_undercutting()) return solves;
      } else {
        if (!(answer_.proof.gap < gap_before / 2)) return solves;
        choose();
      }
    }
  }

 private:
  using Pair = RealCosts::Pair;
  static constexpr int64_t kMostPairs = 32;  // that a row adds at a time
  static constexpr int64_t kMostSolves = 100;

  // The pairs of each row whose reduced cost is within the gap, or the best of them, and the assigned one.
  void choose() {
    const double gap = answer_.proof.gap;
    if (!(gap < kInfinity)) std::fill_n(answer_.col_dual, costs_.cols, 0.0);
    pairs_.clear();
    std::vector<Pair> found;
    for (int64_t i = 0; i < costs_.rows; ++i) {
      found.clear();
      const double bound = gap < kInfinity ? answer_.row_dual[i] + gap : std::numeric_limits<double>::max();
      find_best(i, std::nextafter(bound, kInfinity), found);
      const int32_t held = answer_.col_of_row[i];
      if (std::none_of(found.begin(), found.end(), [&](const Pair& pair) { return pair.col == held; }))
        found.push_back({held, costs_.cost(i, held)});
      pairs_.insert(pairs_.end(), found.begin(), found.end());
      start_[i + 1] = int64_t(pairs_.size());
    }
  }

  void find_best(int64_t i, double bound, std::vector<Pair>& found) {
    const double* const dual = answer_.col_dual;
    costs_.find_pairs(i, dual, bound, found);
    run_.spend(int64_t(found.size()) + 1);
    if (int64_t(found.size()) <= kMostPairs) return;
    std::nth_element(
        found.begin(), found.begin() + kMostPairs, found.end(),
        [&](const Pair& a, const Pair& b) { return a.cost - dual[a.col] < b.cost - dual[b.col]; });
    found.resize(kMostPairs);
  }

  // Pairs outside the core that cost less than their column's dual and what the row pays now; whether there
  // are any.
  bool add_undercutting() {
    const size_t before = pairs_.size();
    std::vector<Pair> all, found;
    std::vector<int64_t> start(1, 0);
    for (int64_t i = 0; i < costs_.rows; ++i) {
      const auto first = pairs_.begin() + start_[i], last = pairs_.begin() + start_[i + 1];
      all.insert(all.end(), first, last);
      const int32_t held = answer_.col_of_row[i];
      const double paid = difference_below(costs_.cost(i, held), answer_.col_dual[held]);
      if (answer_.row_dual[i] < paid) {
        found.clear();
        find_best(i, paid, found);
        for (const Pair& pair : found)
          if (std::none_of(first, last, [&](const Pair& known) { return known.col == pair.col; }))
            all.push_back(pair);
      }
      start.push_back(int64_t(all.size()));
    }
    pairs_ = std::move(all);
    start_ = std::move(start);
    return pairs_.size() > before;
  }

  void solve_core() {
    put_on_grid();
    SparseAugmentingPaths<int128, int128> paths;
    paths.prepare(core());
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
    write_small_duals(paths);
  }

  int bits() const { return 119 - int(std::bit_width(uint64_t(costs_.rows + 1))); }
  SparseCosts<int128> core() const {
    return {costs_.rows, costs_.cols, start_.data(), core_col_.data(), core_cost_.data()};
  }

  // Costs less the least of their row, as integers of at most bits(); exact if that is enough for them.
  void put_on_grid() {
    std::vector<double> least(size_t(costs_.rows), kInfinity);
    int lowest = std::numeric_limits<int>::max(), highest = std::numeric_limits<int>::min();
    for (int64_t i = 0; i < costs_.rows; ++i) {
      for (int64_t e = start_[i]; e < start_[i + 1]; ++e) least[i] = std::min(least[i], pairs_[e].cost);
      for (int64_t e = start_[i]; e < start_[i + 1]; ++e) {
        const double cost = pairs_[e].cost, above = cost - least[i];
        if (cost != 0) lowest = std::min(lowest, lowest_exponent(cost));
        if (above > 0) highest = std::max(highest, above < kInfinity ? std::ilogb(above) + 2 : 1026);
      }
    }
    is_exact_ = highest < lowest || highest - lowest <= bits();
    exponent_ = highest < lowest ? 0 : is_exact_ ? lowest : highest - bits();
    core_col_.resize(pairs_.size());
    core_cost_.resize(pairs_.size());
    for (int64_t i = 0; i < costs_.rows; ++i)
      for (int64_t e = start_[i]; e < start_[i + 1]; ++e) {
        core_col_[e] = pairs_[e].col;
        core_cost_[e] = difference_on_grid(pairs_[e].cost, least[i], exponent_);
      }
  }

  // The lengths of shortest paths from all columns, each of which is at 0. A step from the column of a row to
  // another column of the row is as long as that costs more. With the duals that there are as potentials no
  // step is negative, and Dijkstra's algorithm finds them.
  template <class Paths>
  void write_small_duals(const Paths& paths) {
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
      for (int64_t e = start_[i]; e < start_[i + 1]; ++e) {
        const int32_t other = core_col_[e];
        const int128 through = here + (core_cost_[e] - paths.col_dual(other) - paid);
        if (!(through < distance[other])) continue;
        distance[other] = through;
        heap.push({through, other});
      }
      run_.spend(start_[i + 1] - start_[i] + 1);
    }
    for (int64_t j = 0; j < costs_.cols; ++j)
      answer_.col_dual[j] = from_grid(paths.col_dual(j) + distance[j], exponent_);
  }

  const RealCosts& costs_;
  RealAnswer& answer_;
  Run& run_;
  std::vector<Pair> pairs_;  // of the core, row after row
  std::vector<int64_t> start_;
  std::vector<int32_t> core_col_;
  std::vector<int128> core_cost_;
  int exponent_ = 0;
  bool is_exact_ = true;
};

}  // namespace

int64_t prove_or_solve_exactly(const RealCosts& costs, RealAnswer& answer, Run& run) {
  find_proof(costs, answer, run);
  return answer.proof.holds() ? 0 : ExactCore(costs, answer, run).solve();
}

}  // namespace konig
