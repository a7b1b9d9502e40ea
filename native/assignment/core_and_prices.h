// The dense assignment problem through a sparse core: the smallest costs of each row, then what prices bring
// in.
//
// T. Volgenant, Linear and semi-assignment problems: a core oriented approach, Computers & Operations
// Research 23 (1996). The core is solved as a sparse problem; then every cost of the matrix is compared with
// the duals, pairs that undercut them join the core, and the core is solved again from where it stands. When
// no pair undercuts them the duals prove the answer for the whole matrix. Choosing and comparing run on all
// threads, and read the matrix once each.
//
// If the core has no full assignment, the rows of its Hall violator get more columns, by reduced cost. Where
// that does not help soon, because most rows want the same few columns, or where nearly any columns would do,
// the matrix is solved as it is. So it is where the reductions of Jonker and Volgenant leave few rows free,
// as they do on costs of tracking and on long rectangles; a problem that is not too large begins with them.
//
// The interface is that of ShortestAugmentingPaths.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "assignment/first_core.h"
#include "assignment/shortest_augmenting_paths.h"
#include "assignment/sparse/augmenting_paths.h"
#include "assignment/worth_reducing.h"
#include "core/exact.h"
#include "core/row_workers.h"

namespace konig {

template <class S, class T>
class CoreAndPrices {
 public:
  void prepare(int64_t rows, int64_t cols, SignedCosts<S> cost, int threads) {
    rows_ = rows;
    cols_ = cols;
    cost_ = cost;
    scans_ = &dense_scans<S, T>(cost.negated);
    threads_ = threads;
  }

  // From a core that was chosen before, perhaps in a narrower type; `worth` is what its choice returned.
  template <class N>
  void adopt(FirstCore<S, N>& chosen, bool worth) {
    chosen_ = true;
    worth_a_core_ = worth;
    tied_ = chosen.tied;
    columns_ = std::move(chosen.columns);
    outside_.resize(rows_);
    for (int64_t i = 0; i < rows_; ++i)
      outside_[i] = chosen.outside[i] < Bounds<N>::infinity ? T(chosen.outside[i]) : Bounds<T>::infinity;
  }

  // The smallest cost of each column, known before; they stay with the caller.
  void adopt(const ColumnMinima<S>& minima) { minima_ = &minima; }

  bool solve(Run& run) {
    if (!chosen_ && (minima_ || is_worth_reducing(cost_, rows_, cols_))) {
      using Paths = ShortestAugmentingPaths<S, T>;
      whole_ = std::make_unique<Paths>();
      whole_->prepare(rows_, cols_, cost_);
      if (minima_) whole_->adopt(*minima_);
      const typename Paths::Start start = whole_->solve_if_easy(run);
      violator = std::move(whole_->violator);
      if (start != Paths::Start::kGivenUp) return start == Paths::Start::kSolved;
      whole_.reset();
    }
    if (!chosen_) {
      FirstCore<S, T> first(rows_, cols_, cost_);
      const bool worth = first.choose(threads_, nullptr, false, run);
      adopt(first, worth);
    }
    if (!worth_a_core_) return solve_whole(run);
    replace_core(columns_, run);
    core_.prepare(core());
    bool feasible = core_.solve(run);
    const int64_t most_rounds = rows_ < kFewRows ? kMostRounds / 4 : kMostRounds;
    for (int64_t round = 1; round <= most_rounds; ++round) {
      const int64_t before = int64_t(core_col_.size());
      if (feasible) {
        if (add_undercutting(run) == 0) {
          counts_.rounds = round;
          counts_.core_entries = before;
          return true;
        }
      } else if (rows_ < kFewRows || round > kMostExtensions || !extend_violator(run)) {
        break;
      }
      feasible = core_.solve_again(core(), run);
    }
    return solve_whole(run);
  }

  T row_dual(int64_t row) const { return whole_ ? whole_->row_dual(row) : core_.row_dual(row); }
  T col_dual(int64_t col) const { return whole_ ? whole_->col_dual(col) : core_.col_dual(col); }
  int32_t col_of_row(int64_t row) const { return whole_ ? whole_->col_of_row(row) : core_.col_of_row(row); }
  int32_t row_of_col(int64_t col) const { return whole_ ? whole_->row_of_col(col) : core_.row_of_col(col); }
  // Of real costs, for a proof (dense_real_costs.h): by the pairs of the core, if those outside are dear
  // enough whatever the duals of their columns.
  double lowest_listed(int64_t i, const double* col_dual, double largest) const {
    if (whole_) return std::numeric_limits<double>::quiet_NaN();
    double lowest = std::numeric_limits<double>::infinity();
    for (int64_t e = core_start_[i]; e < core_start_[i + 1]; ++e)
      lowest = std::min(lowest, difference_below(double(core_cost_[e]), col_dual[core_col_[e]]));
    const double outside = difference_below(double(outside_[i]), largest);
    return lowest <= outside ? lowest : std::numeric_limits<double>::quiet_NaN();
  }

  void count(Run& run) const {
    run.count("core_entries", counts_.core_entries);
    run.count("pricing_rounds", counts_.rounds);
    run.count("whole_solves", int64_t(whole_ != nullptr));
    run.count("bids", core_.counts().bids + (whole_ ? whole_->counts().bids : 0));
    run.count("row_reductions",
              core_.counts().row_reductions + (whole_ ? whole_->counts().row_reductions : 0));
    run.count("paths", core_.counts().paths + (whole_ ? whole_->counts().paths : 0));
  }

  HallViolator violator;

 private:
  static constexpr int64_t kFewest = FirstCore<S, T>::kFewest;
  static constexpr int64_t kRoom = FirstCore<S, T>::kRoom;
  static constexpr int64_t kMostAdded = 16;      // columns that a row gets in one round of pricing
  static constexpr int64_t kMostRounds = 40;     // of pricing; then the whole matrix is solved
  static constexpr int64_t kMostExtensions = 3;  // of an infeasible core
  static constexpr int64_t kFewRows = 1500;      // with fewer the whole matrix is soon solved

  const S* row(int64_t i) const { return cost_.data + i * cols_; }  // as it is stored
  S cost(int64_t i, int64_t j) const { return cost_[i * cols_ + j]; }
  SparseCosts<S> core() const {
    return {rows_, cols_, core_start_.data(), core_col_.data(), core_cost_.data()};
  }

  // Above the smallest 2 * kFewest slacks of a row, and not far above.
  T bound_of_smallest(int64_t i, const T* dual, std::vector<T>& sorted) const {
    sorted.resize(cols_);
    for (int64_t j = 0; j < cols_; ++j) sorted[j] = T(cost(i, j)) - dual[j];
    const int64_t rank = std::min(2 * kFewest, cols_ - 1);
    std::nth_element(sorted.begin(), sorted.begin() + rank, sorted.end());
    return sorted[rank];
  }

  // The columns below the bound, and some that attain it.
  int64_t collect_below(int64_t i, const T* dual, T bound, std::vector<int32_t>& found) const {
    const int64_t below = scans_->below(row(i), dual, bound, cols_, found.data(), kRoom);
    return add_attaining(i, dual, bound, std::min(below, kRoom), found);
  }

  // Columns that attain the bound, as many as make 2 * kFewest with those found, from a place that differs
  // from row to row: ties must not lead all rows to the same columns.
  int64_t add_attaining(int64_t i, const T* dual, T bound, int64_t count, std::vector<int32_t>& found) const {
    const int64_t wanted = std::min(2 * kFewest, cols_);
    int64_t j = (i * 7919) % cols_;
    for (int64_t step = 0; step < cols_ && count < wanted; ++step, j = j + 1 < cols_ ? j + 1 : 0)
      if (T(cost(i, j)) - dual[j] == bound && bound < Bounds<T>::infinity) found[count++] = int32_t(j);
    std::sort(found.begin(), found.begin() + count);
    return count;
  }

  // What pairs must undercut to join the core: of reals, by more than one subtraction may be off.
  static T below(T dual) {
    if constexpr (std::is_floating_point_v<T>) return dual - 0x1p-51 * std::abs(dual);
    return dual;
  }

  // More columns for the rows that have too few between them: the best by reduced cost outside of what they
  // have.
  bool extend_violator(Run& run) {
    const HallViolator stuck = core_.violator();
    std::vector<T> dual(cols_);
    for (int64_t j = 0; j < cols_; ++j) dual[j] = stuck.cols[j] ? Bounds<T>::scanned : core_.col_dual(j);
    std::vector<std::vector<int32_t>> more(rows_);
    std::vector<uint8_t> grew(rows_, 0);
    for_rows(threads_, rows_, cols_, run, [&](int, int64_t first, int64_t last) {
      std::vector<int32_t> found(kRoom + kMoreRoom);
      std::vector<T> sorted;
      for (int64_t i = first; i < last; ++i) {
        if (!stuck.rows[i]) continue;
        const T bound = std::min(bound_of_smallest(i, dual.data(), sorted), Bounds<T>::infinity);
        const int64_t count = collect_below(i, dual.data(), bound, found);
        more[i].assign(found.begin(), found.begin() + count);
        grew[i] = count > 0;
      }
    });
    add_to_core(more, run);
    return std::any_of(grew.begin(), grew.end(), [](uint8_t g) { return g != 0; });
  }

  // Pairs that cost less than the sum of their duals; how many there are. Where even the largest column dual
  // leaves every pair outside the first core dear enough, the row is not read.
  int64_t add_undercutting(Run& run) {
    std::vector<T> dual(cols_);
    for (int64_t j = 0; j < cols_; ++j) dual[j] = core_.col_dual(j);
    const T largest = cols_ ? *std::max_element(dual.begin(), dual.end()) : T(0);
    std::vector<std::vector<int32_t>> more(rows_);
    for_rows(threads_, rows_, cols_, run, [&](int, int64_t first, int64_t last) {
      std::vector<int32_t> found(cols_ + kMoreRoom);
      for (int64_t i = first; i < last; ++i) {
        const T bound = below(core_.row_dual(i));
        if (bound <= outside_[i] - largest) continue;
        int64_t count = scans_->below(row(i), dual.data(), bound, cols_, found.data(), cols_);
        if (count == 0) continue;
        if (count > kMostAdded) {
          const auto by_slack = [&](int32_t a, int32_t b) {
            return T(cost(i, a)) - dual[a] < T(cost(i, b)) - dual[b];
          };
          std::nth_element(found.begin(), found.begin() + kMostAdded, found.begin() + count, by_slack);
          count = kMostAdded;
        }
        more[i].assign(found.begin(), found.begin() + count);
      }
    });
    int64_t added = 0;
    for (const auto& columns : more) added += int64_t(columns.size());
    if (added > 0) add_to_core(more, run);
    return added;
  }

  void add_to_core(std::vector<std::vector<int32_t>>& more, Run& run) {
    for (int64_t i = 0; i < rows_; ++i) {
      auto& columns = more[i];
      columns.insert(columns.end(), core_col_.begin() + core_start_[i],
                     core_col_.begin() + core_start_[i + 1]);
      std::sort(columns.begin(), columns.end());
      columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    }
    replace_core(more, run);
  }

  void replace_core(const std::vector<std::vector<int32_t>>& columns, Run& run) {
    core_start_.assign(1, 0);
    for (int64_t i = 0; i < rows_; ++i)
      core_start_.push_back(core_start_.back() + int64_t(columns[i].size()));
    core_col_.resize(core_start_.back());
    core_cost_.resize(core_start_.back());
    for (int64_t i = 0; i < rows_; ++i) {
      std::copy(columns[i].begin(), columns[i].end(), core_col_.begin() + core_start_[i]);
      for (int64_t e = core_start_[i]; e < core_start_[i + 1]; ++e) core_cost_[e] = cost(i, core_col_[e]);
      run.spend(core_start_[i + 1] - core_start_[i] + 1);
    }
  }

  bool solve_whole(Run& run) {
    whole_ = std::make_unique<ShortestAugmentingPaths<S, T>>();
    whole_->prepare(rows_, cols_, cost_);
    const bool soon = rows_ < kFewRows || tied_;
    if (soon ? whole_->solve_adaptively(run) : whole_->solve_after_auction(run)) return true;
    violator = std::move(whole_->violator);
    return false;
  }

  struct Counts {
    int64_t rounds = 0;        // of pricing
    int64_t core_entries = 0;  // at the end
  };

  const DenseScans<S, T>* scans_ = nullptr;
  int64_t rows_ = 0, cols_ = 0;
  SignedCosts<S> cost_;
  int threads_ = 1;
  const ColumnMinima<S>* minima_ = nullptr;
  bool chosen_ = false, worth_a_core_ = false, tied_ = false;
  std::vector<std::vector<int32_t>> columns_;  // of the first core
  std::vector<int64_t> core_start_;
  std::vector<int32_t> core_col_;
  std::vector<S> core_cost_;
  std::vector<T> outside_;  // all pairs of a row that cost less are in the core
  SparseAugmentingPaths<S, T> core_;
  std::unique_ptr<ShortestAugmentingPaths<S, T>> whole_;
  Counts counts_;
};

}  // namespace konig
