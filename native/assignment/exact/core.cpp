// Proofs in float64, and assignments repaired in integers.
#include "assignment/exact/core.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "assignment/exact/all_pairs.h"
#include "assignment/exact/grid.h"
#include "assignment/exact/largest_duals.h"
#include "assignment/exact/paths_by_scale.h"
#include "assignment/exact/repair.h"
#include "assignment/exact/rounded_duals.h"
#include "assignment/exact/smallest_duals.h"

namespace konig {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();

// ---- proofs

// On a square a constant may be moved from row duals to column duals. Where a row dual would exceed float64,
// the smallest constant that makes it fit is moved, since large column duals lose digits. Computed in halves,
// which cannot overflow. Returns whether there is such a row.
bool fit_row_duals(const std::vector<double>& cost, RealAnswer& answer) {
  constexpr double kHalf = kLargest / 2, kMargin = kHalf * 0x1p-50;  // room for what rounding adds
  double least = 0, greatest = 0, least_col = 0, greatest_col = 0;
  for (size_t i = 0; i < cost.size(); ++i) {
    const double col = answer.col_dual[answer.col_of_row[i]] / 2, row = cost[i] / 2 - col;
    least = std::min(least, row);
    greatest = std::max(greatest, row);
    least_col = std::min(least_col, col);
    greatest_col = std::max(greatest_col, col);
  }
  if (greatest <= kHalf && least >= -kHalf) return false;
  double half = greatest > kHalf ? kHalf - kMargin - greatest : kMargin - kHalf - least;
  half = std::min(std::max(half, greatest_col - kHalf), least_col + kHalf);  // column duals are to fit, too
  for (size_t j = 0; j < cost.size(); ++j) answer.col_dual[j] -= 2 * half;
  return true;
}

void find_proof(const RealCosts& costs, RealAnswer& answer, std::vector<double>& cost, Run& run) {
  cost.resize(size_t(costs.rows));
  costs.find_costs(answer.col_of_row, cost.data());
  const auto read = [&] {
    costs.find_lowest(answer.col_dual, answer.row_dual, run);
    answer.proof = prove_pairs(costs.rows, cost.data(), answer.row_dual,
                               [&](int64_t i) { return answer.col_dual[answer.col_of_row[i]]; });
    return std::isfinite(answer.proof.gap);
  };
  if (!read() && costs.rows == costs.cols && fit_row_duals(cost, answer)) read();
}

// ---- repairs

// What a repair starts from: duals that no cost undercuts, an assignment, and at least the sum of its pairs'
// excess over their duals, each less its tolerance.
struct Start {
  const RealCosts& costs;
  const RealAnswer& answer;
  double gap;
};

// The entries of each row whose reduced cost is within the gap, read row by row, the least first. The others
// can neither be in an optimal assignment nor undercut the duals of a repair.
template <class T>
class ListsWithinGap {
 public:
  using Entry = ReducedEntry<T>;

  // `held` are the reduced costs of the assigned pairs, less what is tolerated.
  ListsWithinGap(const Start& start, const Grid<T>& grid, const std::vector<T>& held, Run& run)
      : at_a_time(start.costs.rows_at_a_time),
        start_(start),
        grid_(grid),
        held_(held),
        run_(run),
        within_(start.gap < kInfinity ? grid.at(start.gap) : Bounds<T>::infinity),
        lists_(size_t(start.costs.rows)) {}

  std::span<const Entry> list(int32_t row) const { return lists_[row]; }

  void read(const std::vector<int32_t>& rows) {
    bound_.clear();
    for (const int32_t i : rows) bound_.push_back(bound_of(i));
    const double* const duals = start_.answer.col_dual;
    const RealCosts::Pairs found = start_.costs.find_pairs(rows, duals, bound_.data(), run_);
    for (size_t k = 0; k < rows.size(); ++k) {
      const int32_t i = rows[k], held = start_.answer.col_of_row[i];
      std::vector<Entry>& list = lists_[i];
      list.reserve(size_t(found.start[k + 1] - found.start[k] + 1));
      list.push_back({held_[i], held});
      for (int64_t e = found.start[k]; e < found.start[k + 1]; ++e) {
        const auto [col, cost] = found.pair[e];
        if (col == held || is_far(cost, i, col)) continue;
        const T reduced = grid_.difference(cost, duals[col], start_.answer.row_dual[i]);
        if (!(within_ < reduced)) list.push_back({reduced, col});
      }
      std::sort(list.begin(), list.end(), [](const Entry& a, const Entry& b) { return a.cost < b.cost; });
    }
  }

  const int64_t at_a_time;

 private:
  // Rounding keeps the order of numbers; twice the gap allows for the rounding of this sum.
  double bound_of(int32_t row) const {
    if (!(start_.gap < kInfinity)) return kLargest;
    return std::min(std::nextafter(start_.answer.row_dual[row] + 2 * start_.gap, kInfinity), kLargest);
  }

  // An entry that is within the bound only because the bound is rounded: too far beyond the gap for the grid.
  bool is_far(double cost, int32_t row, int32_t col) const {
    const double above = cost - start_.answer.col_dual[col] - start_.answer.row_dual[row];
    return start_.gap < kInfinity && above > 4 * start_.gap;
  }

  const Start start_;
  const Grid<T> grid_;
  const std::vector<T>& held_;
  Run& run_;
  const T within_;
  std::vector<std::vector<Entry>> lists_;
  std::vector<double> bound_;
};

class ExactSolve {
 public:
  ExactSolve(const RealCosts& costs, RealAnswer& answer, std::vector<double>& cost, Run& run)
      : costs_(costs), answer_(answer), cost_(cost), run_(run) {}

  int64_t solve() {
    if (may_overflow()) return solve_all_pairs();
    bool tolerates = choose_tolerance();
    if (tolerates && correct_in_float64()) {
      find_proof(costs_, answer_, cost_, run_);
      if (answer_.proof.holds()) return solves_;
      tolerates = choose_tolerance();
    }
    if (!tolerates && take_smallest_in_float64()) return solves_;
    if (tolerates && proves_after([&] { repair(); })) return solves_;
    tolerate_nothing();
    if (proves_after([&] { repair(); })) return solves_;
    if (has_smallest() && answer_.proof.gap < kInfinity && answer_.proof.is_tight) return solves_;
    // The assignment is optimal now, but its duals are so large that rounding has cost them the digits that
    // matter. Costs of many scales may need large duals: the smallest possible need not prove more.
    const std::vector<double> col_dual(answer_.col_dual, answer_.col_dual + costs_.cols);
    const std::vector<double> row_dual(answer_.row_dual, answer_.row_dual + costs_.rows);
    const RealProof proof = answer_.proof;
    if (proves_after([&] { take_largest_duals(0.0); })) return solves_;
    if (proof.gap < kInfinity && proof.is_tight && !(answer_.proof.gap < proof.gap)) {
      std::copy(col_dual.begin(), col_dual.end(), answer_.col_dual);
      std::copy(row_dual.begin(), row_dual.end(), answer_.row_dual);
      answer_.proof = proof;
    }
    const bool fit_or_never_will = answer_.proof.gap < kInfinity || costs_.rows < costs_.cols;
    if (!fit_or_never_will) proves_after([&] { take_largest_duals(kLargest); });
    return solves_;
  }

 private:
  enum class Correction { done, improved, given_up };
  // Optimal assignments take 1 to 5; where duals have lost all digits to a prohibitive cost no number will
  // do.
  static constexpr int64_t kScansPerRow = 6;
  // Of paths from nothing. Products, minimised, take up to half as many as there are columns: 400 x 400 of
  // them 0.04 s, where the repair in the widest integers took 1.9 s.
  static constexpr int64_t kPathScansPerRow = 512;

  static constexpr int64_t kMostPairs = int64_t(1) << 26;  // that are read at once; 1 GiB

  bool may_overflow() const {
    if (costs_.rows * costs_.cols > kMostPairs) return false;
    return !(answer_.proof.gap < kInfinity) || largest_number() > 0x1p1000;
  }

  int64_t solve_all_pairs() {
    const RealCosts::Pairs pairs = all_pairs(costs_, run_);
    double largest = 0;
    for (const RealCosts::Pair& pair : pairs.pair) largest = std::max(largest, std::abs(pair.cost));
    try {
      solve_all_pairs(pairs, Grid<int128>(largest, 2 + std::bit_width(uint64_t(costs_.rows))));
    } catch (const GridTooCoarse&) {
      solve_all_pairs(pairs, Grid<Widest>(largest));
    }
    return solves_;
  }

  // Exact duals that fit prove the answer but for their own rounding: every pair is tight. Of the three that
  // are tried the first that is proved by its costs, too, is taken, or else the one that leaves least. The
  // last one fits if any does; on a rectangle the first.
  template <class T>
  void solve_all_pairs(const RealCosts::Pairs& pairs, const Grid<T>& grid) {
    AllPairs<T> exact(costs_, pairs, grid, run_);
    exact.solve(answer_.col_dual);
    for (int64_t i = 0; i < costs_.rows; ++i) answer_.col_of_row[i] = exact.col_of_row(i);
    std::vector<double> best(size_t(costs_.cols), 0.0);
    double least = kInfinity;
    const auto proves_with = [&](const std::vector<T>& duals, bool may_move) {
      if (proves_after([&] { write_duals(grid, duals, may_move); })) return true;
      if (answer_.proof.is_tight && answer_.proof.gap < least) {
        least = answer_.proof.gap;
        std::copy_n(answer_.col_dual, costs_.cols, best.begin());
      }
      return false;
    };
    if (proves_with(exact.largest_duals(0.0), true) || proves_with(exact.col_dual(), true)) return;
    if (costs_.rows == costs_.cols && proves_with(exact.largest_duals(kLargest), false)) return;
    std::copy(best.begin(), best.end(), answer_.col_dual);
    find_proof(costs_, answer_, cost_, run_);
    if (least == kInfinity) answer_.proof.gap = kInfinity;  // no duals fit
  }

  template <class Step>
  bool proves_after(const Step& step) {
    step();
    ++solves_;
    find_proof(costs_, answer_, cost_, run_);
    return answer_.proof.holds();
  }

  double excess(int64_t i) const {
    return ProofSums::finite_excess(cost_[i], answer_.row_dual[i], answer_.col_dual[answer_.col_of_row[i]]);
  }

  double unit(int64_t i) const {
    const double row = answer_.row_dual[i], col = answer_.col_dual[answer_.col_of_row[i]];
    return 0x1p-52 * std::max({std::abs(cost_[i]), std::abs(row), std::abs(col)});
  }

  // A proof takes pairs for tight that are within four units. Half of that is for the rounding of the duals
  // to come; the other half is tolerated, or less if it would add up to too much. False if nothing is
  // tolerated, no pair is doubted or the bounds do not fit.
  bool choose_tolerance() {
    if (!(answer_.proof.gap < kInfinity)) return false;
    LongSum of_all;
    for (int64_t i = 0; i < costs_.rows; ++i) of_all.add(unit(i));
    units_ = std::min(0.75 * kProvenGap * answer_.proof.size / of_all.value() - 1, 2.0);
    if (!(units_ > 0.25)) return false;
    doubt_pairs();
    return !doubted_.empty() && bounds_fit();
  }

  // Without tolerance every pair must be exactly tight.
  void tolerate_nothing() {
    units_ = 0;
    gap_ = answer_.proof.gap;
    if (!bounds_fit()) {  // the duals say nothing about pairs: any may matter
      std::fill_n(answer_.col_dual, costs_.cols, 0.0);
      costs_.find_lowest(answer_.col_dual, answer_.row_dual, run_);
    }
    doubt_pairs();
    if (!bounds_fit()) gap_ = largest_held_ = kInfinity;
  }

  // Those whose excess is not tolerated.
  void doubt_pairs() {
    LongSum gap;
    largest_held_ = 0;
    doubted_.clear();
    for (int64_t i = 0; i < costs_.rows; ++i) {
      const double whole = excess(i), above = whole - units_ * unit(i);
      if (above <= 0) continue;
      gap.add(above);
      largest_held_ = std::max(largest_held_, whole);
      doubted_.push_back(int32_t(i));
    }
    gap_ = gap.bound() * (1 + 0x1p-20);  // tolerances are rounded down to the grid
    largest_held_ = std::max(largest_held_, gap_);
  }
  bool bounds_fit() const {
    if (!(gap_ < kInfinity)) return false;
    for (int64_t i = 0; i < costs_.rows; ++i)
      if (!(answer_.row_dual[i] + 3 * gap_ <= kLargest)) return false;
    return true;
  }

  // The result of a function of a grid that holds a few times the largest number.
  template <class Function>
  static auto in_narrow_or_widest(double largest, const Function& function) {
    try {
      if (largest < 0x1p900) return function(Grid<int128>(4 * largest));
    } catch (const GridTooCoarse&) {
    }
    return function(Grid<Widest>(largest));
  }

  // Takes cheaper cycles as long as there are any; then corrects the duals. If that takes too long or cannot
  // be done, replace_pairs().
  void repair() {
    costs_.forget_pairs();  // duals only fall from here on
    for (int64_t rounds = kScansPerRow; rounds > 0;) {
      const Correction outcome = correct_duals(rounds);
      if (outcome == Correction::done) return;
      if (outcome == Correction::given_up) break;
      costs_.find_costs(answer_.col_of_row, cost_.data());
      doubt_pairs();
    }
    replace_pairs();
  }

  bool correct_in_float64() {
    costs_.forget_pairs();
    if (costs_.keeps_fetched) fetch_pairs_within_gap();
    RoundedDuals duals(costs_, answer_.col_of_row, cost_, answer_.col_dual);
    return duals.correct(doubted_, gap_, kScansPerRow * costs_.rows, run_);
  }

  // Whether they prove the answer; if not, they stay if they leave less. Not where every row would be a
  // question that takes long.
  bool take_smallest_in_float64() {
    if (costs_.rows_at_a_time > 1) return false;
    costs_.forget_pairs();
    SmallestDuals smallest(costs_, answer_.col_of_row, cost_);
    if (!smallest.find(answer_.col_dual, kScansPerRow * costs_.rows, run_)) return false;
    const std::vector<double> before(answer_.col_dual, answer_.col_dual + costs_.cols);
    const double gap = answer_.proof.gap;
    std::copy(smallest.duals().begin(), smallest.duals().end(), answer_.col_dual);
    find_proof(costs_, answer_, cost_, run_);
    if (answer_.proof.holds()) return true;
    if (answer_.proof.gap < gap) {
      pairs_of_smallest_.assign(answer_.col_of_row, answer_.col_of_row + costs_.rows);
      return false;
    }
    std::copy(before.begin(), before.end(), answer_.col_dual);
    find_proof(costs_, answer_, cost_, run_);
    return false;
  }

  // Whether the smallest duals were kept, and no repair has found other pairs.
  bool has_smallest() const {
    return !pairs_of_smallest_.empty() &&
           std::equal(pairs_of_smallest_.begin(), pairs_of_smallest_.end(), answer_.col_of_row);
  }

  // Costs of so many scales that only the widest integers hold them take long to repair: once, another answer
  // is looked for whose pairs and duals are nearly right at all scales. Not where every row would be a
  // question that takes long.
  bool start_by_scale() {
    if (std::exchange(started_by_scale_, true) || costs_.rows_at_a_time > 1) return false;
    if (largest_number() > 0x1p1000) return false;  // sums would overflow
    PathsByScale paths(costs_);
    if (!paths.solve(kPathScansPerRow * costs_.rows, run_)) return false;
    const auto is_far = [](double dual) { return !(std::abs(dual) < kLargest / 8); };  // differences overflow
    if (std::any_of(paths.col_dual().begin(), paths.col_dual().end(), is_far)) return false;
    std::copy(paths.col_of_row().begin(), paths.col_of_row().end(), answer_.col_of_row);
    std::copy(paths.col_dual().begin(), paths.col_dual().end(), answer_.col_dual);
    costs_.find_lowest(answer_.col_dual, answer_.row_dual, run_);
    return true;
  }

  // In integers that hold every dual.
  Correction correct_duals(int64_t& rounds) {
    if (!(gap_ < kInfinity)) return Correction::given_up;
    return in_narrow_or_widest(largest_number(), [&]<class T>(const Grid<T>& grid) {
      if (Grid<T>::kHoldsAll && start_by_scale()) return Correction::improved;
      LargestDuals<T> duals(costs_, grid, answer_.col_of_row, cost_);
      for (int64_t i = 0; i < costs_.rows; ++i)
        if (const double above = excess(i); above > 0)
          duals.set_excess(int32_t(i), above, std::min(above, units_ * unit(i)));
      fetch_pairs_within_gap();
      using Outcome = typename LargestDuals<T>::Outcome;
      const Outcome outcome = duals.correct(answer_.col_dual, doubted_, rounds, run_);
      if (outcome == Outcome::given_up) return Correction::given_up;
      if (outcome == Outcome::done) {
        write_duals(grid, duals.duals(), true);
        keep_exact([&](int64_t j) { return grid.exactly(duals.duals()[j]); });
        return Correction::done;
      }
      for (const auto [row, col] : duals.better_pairs()) answer_.col_of_row[row] = col;
      return Correction::improved;
    });
  }
  // No dual falls by more than the gap, and no row's rises by more.
  void fetch_pairs_within_gap() const {
    std::vector<double> bound(answer_.row_dual, answer_.row_dual + costs_.rows);
    for (double& of_row : bound) of_row = std::nextafter(of_row + 2 * gap_, kInfinity);
    costs_.fetch_pairs(answer_.col_dual, bound.data(), run_);
  }
  double largest_number() const {
    double largest = 0;
    for (const double cost : cost_) largest = std::max(largest, std::abs(cost));
    for (int64_t j = 0; j < costs_.cols; ++j) largest = std::max(largest, 2 * std::abs(answer_.col_dual[j]));
    return largest;
  }

  // In the narrowest integers that hold every sum of a repair.
  void replace_pairs() {
    if (gap_ < 0x1p900 && (try_repair_in<int64_t>() || try_repair_in<int128>())) return;
    try_repair_in<Widest>();
  }

  // False if these integers do not hold the reduced costs; nothing has changed then.
  template <class T>
  bool try_repair_in() {
    try {
      repair_in(Grid<T>(largest_held_));
    } catch (const GridTooCoarse&) {
      return false;
    }
    return true;
  }

  template <class T>
  void repair_in(const Grid<T>& grid) {
    std::vector<T> held(size_t(costs_.rows), T(0));
    for (const int32_t i : doubted_) {
      const double row = answer_.row_dual[i], col = answer_.col_dual[answer_.col_of_row[i]];
      held[i] = grid.difference(cost_[i], col, row) - grid.at_most(units_ * unit(i));
    }
    ListsWithinGap<T> lists({costs_, answer_, gap_}, grid, held, run_);
    const std::vector<int32_t> before(answer_.col_of_row, answer_.col_of_row + costs_.rows);
    Repair<T, ListsWithinGap<T>> repair(lists, costs_.cols, before, held);
    if (costs_.rows < costs_.cols)
      for (const int32_t j : before)
        if (-answer_.col_dual[j] <= gap_) repair.set_near_spare(j, grid.at(answer_.col_dual[j]));
    repair.solve(doubted_, run_);
    for (int64_t i = 0; i < costs_.rows; ++i) answer_.col_of_row[i] = repair.col_of_row(i);
    const Grid<Widest> widest(0.0);
    const auto exact_dual = [&](int64_t j) {
      return repair.has_row(j) ? widest.at(answer_.col_dual[j]) + grid.exactly(repair.moved(j)) : Widest(0);
    };
    keep_exact(exact_dual);
    if constexpr (Grid<T>::kHoldsAll) {
      std::vector<T> dual;
      for (int64_t j = 0; j < costs_.cols; ++j) dual.push_back(exact_dual(j));
      write_duals(grid, dual, true);
    } else {
      for (int64_t j = 0; j < costs_.cols; ++j) {
        const double from = answer_.col_dual[j];
        answer_.col_dual[j] = repair.has_row(j) ? grid.moved_below(from, repair.moved(j)) : 0.0;
      }
    }
  }

  // The duals before they are rounded, if they are those of the costs as they are.
  template <class DualOf>
  void keep_exact(const DualOf& dual_of) {
    exact_.clear();
    for (int64_t j = 0; units_ == 0 && j < costs_.cols; ++j) exact_.push_back(dual_of(j));
  }

  // Rounded down. On a square a constant may be moved between the sides, if it `may_move`: duals near the
  // largest float64 would not fit.
  template <class T>
  void write_duals(const Grid<T>& grid, const std::vector<T>& dual, bool may_move) {
    const T least = dual.empty() ? T(0) : *std::min_element(dual.begin(), dual.end());
    const bool moves = may_move && costs_.rows == costs_.cols && grid.below(least) < -kLargest / 2;
    const T shift = moves ? least >> 1 : T(0);
    for (int64_t j = 0; j < costs_.cols; ++j) answer_.col_dual[j] = grid.below(dual[j] - shift);
  }

  // Column duals up to this number; the same bound holds for the duals of the rows if it is not 0. Exact
  // duals are known.
  void take_largest_duals(double bound) {
    costs_.forget_pairs();
    in_narrow_or_widest(std::max(bound, largest_number()), [&]<class T>(const Grid<T>& grid) {
      LargestDuals<T> duals(costs_, grid, answer_.col_of_row, cost_);
      duals.find(bound, exact_, run_);
      write_duals(grid, duals.duals(), bound == 0);
    });
  }

  const RealCosts& costs_;
  RealAnswer& answer_;
  std::vector<double>& cost_;  // of the assigned pairs
  Run& run_;
  std::vector<int32_t> doubted_;  // rows whose pairs a repair may replace
  double units_ = 0;              // that are tolerated in the pair of each row
  double gap_ = 0;                // at least the sum, over doubted pairs, of excess less tolerance
  double largest_held_ = 0;       // the larger of gap_ and the largest whole excess of a doubted pair
  std::vector<Widest> exact_;     // column duals of a repair without tolerance
  std::vector<int32_t> pairs_of_smallest_;  // for which the duals are, but for what a repair moves them by
  bool started_by_scale_ = false;
  int64_t solves_ = 0;
};

}  // namespace

void FetchedPairs::keep(Pairs pairs, const double* bound) {
  pairs_ = std::move(pairs);
  bound_.assign(bound, bound + std::max<int64_t>(int64_t(pairs_.start.size()) - 1, 0));
}

bool FetchedPairs::answer(const std::vector<int32_t>& asked, const double* bound) const {
  if (pairs_.start.empty()) return false;
  for (size_t k = 0; k < asked.size(); ++k)
    if (!(bound[k] <= bound_[asked[k]])) return false;
  return true;
}

RealCosts::Pairs FetchedPairs::among(const std::vector<int32_t>& asked, const double* col_dual,
                                     const double* bound) const {
  Pairs found{{0}, {}};
  for (size_t k = 0; k < asked.size(); ++k) {
    for (int64_t e = pairs_.start[asked[k]]; e < pairs_.start[asked[k] + 1]; ++e)
      if (const RealCosts::Pair& pair = pairs_.pair[e]; pair.cost - col_dual[pair.col] <= bound[k])
        found.pair.push_back(pair);
    found.start.push_back(int64_t(found.pair.size()));
  }
  return found;
}

int64_t prove_or_solve_exactly(const RealCosts& costs, RealAnswer& answer, Run& run) {
  std::vector<double> cost;
  find_proof(costs, answer, cost, run);
  return answer.proof.holds() ? 0 : ExactSolve(costs, answer, cost, run).solve();
}

}  // namespace konig
