// Proofs in float64, and the core of an assignment repaired in integers.
#include "assignment/exact/core.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "assignment/exact/small_duals.h"
#include "assignment/sparse/repair.h"
#include "core/wide_integer.h"

namespace konig {

template <int kWords>
struct Bounds<WideInteger<kWords>> {
  static constexpr WideInteger<kWords> infinity = WideInteger<kWords>(1) << (64 * kWords - 3);
};

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();

// ---- float64 numbers as integers: multiples of 2^exponent

// Holds any sum of float64 numbers.
using Widest = WideInteger<36>;

// Rounded down; it fits.
template <class T>
T to_grid(double x, int exponent) {
  if (x == 0) return T(0);
  int of_x;
  const auto mantissa = int64_t(std::ldexp(std::frexp(x, &of_x), 53));
  const int shift = of_x - 53 - exponent;
  return shift >= 0 ? T(mantissa) << shift : T(mantissa >> std::min(-shift, 63));
}

template <class T>
T difference_on_grid(double a, double b, int exponent) {
  const TwoSum difference = two_sum(a, -b);
  if (difference.error == 0) return to_grid<T>(difference.sum, exponent);
  return to_grid<T>(a, exponent) - to_grid<T>(b, exponent);  // neither is much larger than the difference
}

int bits_of(int128 x) {
  const auto size = x < 0 ? -(unsigned __int128)(x) : (unsigned __int128)(x);
  const auto high = uint64_t(size >> 64);
  return high ? 64 + std::bit_width(high) : std::bit_width(uint64_t(size));
}
int bits_of(const Widest& x) { return x.bits(); }
int64_t low_word(int128 x) { return int64_t(x); }
int64_t low_word(const Widest& x) { return int64_t(x.word[0]); }

// Rounded down.
template <class T>
double from_grid(const T& x, int exponent) {
  // No more bits than a float64 of this size has: 53, or fewer above the least of all.
  const int dropped = std::max({bits_of(x) - 53, -1074 - exponent, 0});
  return std::ldexp(double(low_word(x >> dropped)), exponent + dropped);
}

// The exponent of the lowest bit that is set; `x` is not 0.
int lowest_exponent(double x) {
  int exponent;
  const auto mantissa = int64_t(std::ldexp(std::frexp(x, &exponent), 53));
  return exponent - 53 + std::countr_zero(uint64_t(mantissa));
}

// ---- proofs

// As excess_of, infinite or no number if the row's dual is beyond float64. If it is not, a sum on the way may
// still round to infinity, but that of the quarters does not; what they lose of the least numbers that there
// are is made up for.
double finite_excess(double cost, double row, double col) {
  const double excess = excess_of(cost, row, col);
  if (std::isfinite(excess) || !std::isfinite(cost - col)) return excess;
  return 4 * (excess_of(cost / 4, row / 4, col / 4) + 0x1p-1074);
}

// `cost[i]` is that of the pair of row i, and `row_dual` what find_lowest found for these column duals.
// Columns without a row have dual 0.
RealProof prove(int64_t rows, const double* cost, const int32_t* col_of_row, const double* col_dual,
                const double* row_dual) {
  LongSum gap;
  Size size;
  bool tight = true;
  for (int64_t i = 0; i < rows; ++i) {
    const double row = row_dual[i], col = col_dual[col_of_row[i]];
    const double excess = finite_excess(cost[i], row, col);
    gap.add(excess);
    size.add(cost[i]);
    tight &= is_tight(excess, cost[i], row, col);
  }
  return {gap.bound(), size.value(), tight};
}

// On a square a constant may be moved from row duals to column duals. Where a row dual would exceed float64,
// the smallest constant that makes it fit is moved, since large column duals lose digits. Computed in halves,
// which cannot overflow.
void fit_row_duals(const std::vector<double>& cost, RealAnswer& answer) {
  constexpr double kHalf = kLargest / 2, kMargin = kHalf * 0x1p-50;  // room for what rounding adds
  double least = 0, greatest = 0, least_col = 0, greatest_col = 0;
  for (size_t i = 0; i < cost.size(); ++i) {
    const double col = answer.col_dual[answer.col_of_row[i]] / 2, row = cost[i] / 2 - col;
    least = std::min(least, row);
    greatest = std::max(greatest, row);
    least_col = std::min(least_col, col);
    greatest_col = std::max(greatest_col, col);
  }
  if (greatest <= kHalf && least >= -kHalf) return;
  double half = greatest > kHalf ? kHalf - kMargin - greatest : kMargin - kHalf - least;
  half = std::min(std::max(half, greatest_col - kHalf), least_col + kHalf);  // column duals are to fit, too
  for (size_t j = 0; j < cost.size(); ++j) answer.col_dual[j] -= 2 * half;
}

void find_proof(const RealCosts& costs, RealAnswer& answer, std::vector<double>& cost, Run& run) {
  cost.resize(size_t(costs.rows));
  costs.find_costs(answer.col_of_row, cost.data());
  if (costs.rows == costs.cols) fit_row_duals(cost, answer);
  costs.find_lowest(answer.col_dual, answer.row_dual, run);
  answer.proof = prove(costs.rows, cost.data(), answer.col_of_row, answer.col_dual, answer.row_dual);
}

// ---- repairs

class ExactCore {
 public:
  ExactCore(const RealCosts& costs, RealAnswer& answer, std::vector<double>& cost, Run& run)
      : costs_(costs), answer_(answer), cost_(cost), run_(run), bound_(size_t(costs.rows)) {}

  int64_t solve() {
    choose();
    for (int64_t solves = 1;; ++solves) {
      repair_core();
      find_proof(costs_, answer_, cost_, run_);
      if (answer_.proof.holds()) return solves;
      if (add_undercutting()) continue;
      const bool fit_or_never_will = answer_.proof.gap < kInfinity || costs_.rows < costs_.cols;
      if (wanted_ == Duals::fitting || (wanted_ == Duals::small && fit_or_never_will)) return solves;
      wanted_ = wanted_ == Duals::any ? Duals::small : Duals::fitting;
    }
  }

 private:
  using Pair = RealCosts::Pair;
  using Pairs = RealCosts::Pairs;
  static constexpr int64_t kMostPairs = 32;  // that a row adds at a time
  enum class Duals { any, small, fitting };

  // The pairs of each row whose reduced cost is within the gap, or the best of them, and the assigned one.
  // The others can neither be in an optimal assignment nor undercut the duals of the core (sparse/repair.h);
  // twice the gap makes up for rounding.
  void choose() {
    if (duals_fit())
      for (int64_t i = 0; i < costs_.rows; ++i)
        bound_[i] = std::nextafter(answer_.row_dual[i] + 2 * answer_.proof.gap, kInfinity);
    Pairs assigned;
    for (int64_t i = 0; i < costs_.rows; ++i) {
      assigned.start.push_back(i);
      assigned.pair.push_back({answer_.col_of_row[i], cost_[i]});
    }
    assigned.start.push_back(costs_.rows);
    core_ = std::move(assigned);
    join(costs_.find_pairs(answer_.col_dual, bound_.data(), kMostPairs, run_));
  }

  // If not, they say nothing about pairs: any may matter.
  bool duals_fit() {
    if (answer_.proof.gap < kInfinity) return true;
    std::fill_n(answer_.col_dual, costs_.cols, 0.0);
    std::fill(bound_.begin(), bound_.end(), kLargest);
    return false;
  }

  // Pairs outside the core that cost less than their column's dual and what the row pays now, and those that
  // soon might: repairing the others moves duals by up to the gap. Returns whether there are any.
  bool add_undercutting() {
    const size_t before = core_.pair.size();
    const bool fit = duals_fit();
    bool undercuts = !fit;
    for (int64_t i = 0; fit && i < costs_.rows; ++i) {
      const double paid = difference_below(cost_[i], answer_.col_dual[answer_.col_of_row[i]]);
      undercuts |= answer_.row_dual[i] < paid;
      bound_[i] = paid + answer_.proof.gap;
    }
    if (!undercuts) return false;
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

  // In the narrowest integers that hold every sum of a repair: those of at most 2 * rows costs and duals, and
  // a scan adds up three of them. Duals that are too large for them are no start.
  void repair_core() {
    const auto [lowest, highest] = extent_of_costs();
    const int bits = 120 - int(std::bit_width(uint64_t(costs_.rows + 1)));
    if (highest - lowest <= bits && wanted_ != Duals::fitting)
      repair_core_in<int128>(lowest, std::ldexp(1.0, lowest + bits));  // may be infinite
    else
      repair_core_in<Widest>(lowest, kInfinity);
  }

  // The exponents of the lowest bit of any cost of the core and of the highest of their differences in a row.
  std::pair<int, int> extent_of_costs() {
    least_.assign(size_t(costs_.rows), kInfinity);
    int lowest = 1024, highest = -1074;
    for (int64_t i = 0; i < costs_.rows; ++i) {
      for (int64_t e = core_.start[i]; e < core_.start[i + 1]; ++e)
        least_[i] = std::min(least_[i], core_.pair[e].cost);
      for (int64_t e = core_.start[i]; e < core_.start[i + 1]; ++e) {
        const double cost = core_.pair[e].cost, above = cost - least_[i];
        if (cost != 0) lowest = std::min(lowest, lowest_exponent(cost));
        if (above > 0) highest = std::max(highest, above < kInfinity ? std::ilogb(above) + 2 : 1026);
      }
    }
    return {std::min(lowest, highest), highest};
  }

  template <class T>
  void repair_core_in(int exponent, double largest) {
    std::vector<int32_t> col(core_.pair.size());
    std::vector<T> cost(core_.pair.size());
    for (int64_t i = 0; i < costs_.rows; ++i)
      for (int64_t e = core_.start[i]; e < core_.start[i + 1]; ++e) {
        col[e] = core_.pair[e].col;
        cost[e] = difference_on_grid<T>(core_.pair[e].cost, least_[i], exponent);
      }
    const SparseCosts<T> costs{costs_.rows, costs_.cols, core_.start.data(), col.data(), cost.data()};
    const bool is_square = costs_.rows == costs_.cols;
    std::vector<T> start(size_t(costs_.cols));
    for (int64_t j = 0; j < costs_.cols; ++j) {
      const double given = answer_.col_dual[j];
      const T dual = std::abs(given) < largest ? to_grid<T>(given, exponent) : T(0);
      start[j] = is_square ? dual : std::min(dual, T(0));
    }
    SparseRepair<T> repair(costs, answer_.col_of_row, start);
    repair.solve(run_);
    for (int64_t i = 0; i < costs_.rows; ++i) answer_.col_of_row[i] = repair.col_of_row(i);
    const std::vector<T> dual = wanted_duals<T>(repair, costs, exponent);
    // On a square a constant may be moved between the sides: duals near the largest float64 would not fit.
    const T least = dual.empty() ? T(0) : *std::min_element(dual.begin(), dual.end());
    const bool moves = is_square && wanted_ != Duals::fitting && from_grid(least, exponent) < -kLargest / 2;
    const T shift = moves ? least >> 1 : T(0);
    for (int64_t j = 0; j < costs_.cols; ++j) answer_.col_dual[j] = from_grid(dual[j] - shift, exponent);
  }

  template <class T>
  std::vector<T> wanted_duals(const SparseRepair<T>& repair, const SparseCosts<T>& costs, int exponent) {
    if (wanted_ == Duals::small) return small_duals<T>(repair, costs, run_);
    if (wanted_ == Duals::fitting) {
      const T largest = to_grid<T>(kLargest, exponent);  // of a column's dual, and of its row's
      const auto bound = [&](int64_t j) {
        const int32_t i = repair.row_of_col(j);
        return std::min(largest,
                        to_grid<T>(least_[i], exponent) + repair.row_dual(i) + repair.col_dual(j) + largest);
      };
      return largest_duals<T>(repair, costs, bound, run_);
    }
    std::vector<T> dual(size_t(costs.cols));
    for (int64_t j = 0; j < costs.cols; ++j) dual[j] = repair.col_dual(j);
    return dual;
  }

  const RealCosts& costs_;
  RealAnswer& answer_;
  std::vector<double>& cost_;  // of the assigned pairs
  Run& run_;
  std::vector<double> bound_;
  Pairs core_;
  std::vector<double> least_;  // cost of each row of the core
  Duals wanted_ = Duals::any;
};

}  // namespace

int64_t prove_or_solve_exactly(const RealCosts& costs, RealAnswer& answer, Run& run) {
  std::vector<double> cost;
  find_proof(costs, answer, cost, run);
  return answer.proof.holds() ? 0 : ExactCore(costs, answer, cost, run).solve();
}

}  // namespace konig
