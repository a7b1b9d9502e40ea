// Reduces costs, solves them as any others, and shifts the duals back.
#include "assignment/unassigned.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>

#include "assignment/answer.h"
#include "assignment/sparse/transposed.h"
#include "core/large_array.h"
#include "core/shared_loop.h"

namespace konig {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Reduced costs of integers, sums of three numbers, and duals, sums of two of them and a cost, fit 64 bits.
constexpr double kMostReduced = 0x1p60;
// Reals above it are scaled, so that no difference is beyond float64.
constexpr double kLargestAsGiven = 0x1p1000, kScaleOfLarge = 0x1p-64;

// ---- reduced costs

// What leaving rows and columns alone costs, to be minimised.
template <class T>
class Alone {
 public:
  Alone(const T* of_rows, const T* of_cols, int64_t row_count, int64_t col_count, bool negated)
      : rows(row_count), cols(col_count), numbers_(size_t(rows + cols)) {
    std::copy_n(of_rows, rows, numbers_.data());
    std::copy_n(of_cols, cols, numbers_.data() + rows);
    for (T& number : numbers_) {
      largest = std::max(largest, std::abs(double(number)));
      number = negated ? T(0) - number : number;
    }
  }

  T row(int64_t i) const { return numbers_[i]; }
  T col(int64_t j) const { return numbers_[rows + j]; }
  const T* of_rows() const { return numbers_.data(); }
  const T* of_cols() const { return numbers_.data() + rows; }

  // Whether a pair of this cost is no dearer than leaving both alone, exactly.
  bool allows(T cost, int64_t i, int64_t j) const {
    if constexpr (std::is_integral_v<T>) {
      return cost - row(i) - col(j) <= 0;
    } else {
      const TwoSum both = two_sum(row(i), col(j));
      return std::isfinite(cost) && (cost < both.sum || (cost == both.sum && both.error >= 0));
    }
  }

  const int64_t rows, cols;
  double largest = 0;

 private:
  std::vector<T> numbers_;
};

template <class T>
bool are_equal(const T* numbers, int64_t count) {
  return std::all_of(numbers, numbers + count, [&](T number) { return number == numbers[0]; });
}

// Reduced costs are min(cost - row_shift[i] - col_shift[j], row_limit[i] + col_limit[j]), all to be
// minimised. `by_rows` if all rows are to be assigned, not all columns.
template <class T>
class Reduction {
 public:
  Reduction(const Alone<T>& alone, bool by_rows) : numbers_(size_t(2 * (alone.rows + alone.cols)), T(0)) {
    T* const row_limits = numbers_.data();
    T* const col_limits = row_limits + alone.rows;
    T* const row_shifts = col_limits + alone.cols;
    T* const col_shifts = row_shifts + alone.rows;
    row_limit = row_limits, col_limit = col_limits, row_shift = row_shifts, col_shift = col_shifts;
    const T *const of_rows = alone.of_rows(), *const of_cols = alone.of_cols();
    if constexpr (std::is_integral_v<T>) {
      std::copy_n(of_rows, alone.rows, row_shifts);
      std::copy_n(of_cols, alone.cols, col_shifts);
      rounds_nothing = alone.largest == 0;
      return;
    }
    const T* const longer = by_rows ? of_cols : of_rows;
    const int64_t extent = by_rows ? alone.cols : alone.rows;
    const bool equal = extent > 0 && are_equal(longer, extent);
    rounds_nothing = extent == 0 || equal;
    if (!equal) std::copy_n(longer, extent, by_rows ? col_shifts : row_shifts);
    const T constant = equal ? longer[0] : T(0);
    if (by_rows)
      std::transform(of_rows, of_rows + alone.rows, row_limits, [&](T number) { return number + constant; });
    else
      std::transform(of_cols, of_cols + alone.cols, col_limits, [&](T number) { return number + constant; });
  }
  Reduction(const Reduction&) = delete;
  Reduction& operator=(const Reduction&) = delete;

  const T *row_limit, *col_limit, *row_shift, *col_shift;
  bool rounds_nothing = false;  // reduced costs of pairs worth making are the costs themselves

 private:
  std::vector<T> numbers_;
};

// A cost as it is minimised, in a type that has the negative of each.
template <class T, class S>
T minimised(S cost, bool negated) {
  return negated ? T(0) - T(cost) : T(cost);
}

// By how much all column duals of the reduced costs move up, and the row duals down, so that none exceeds
// what leaving its row or column alone costs. Something left alone determines it. Where all are assigned the
// duals move as little as they can: small ones keep their digits.
template <class T>
T dual_shift(const Alone<T>& alone, const Reduction<T>& reduction, const T* row_dual, const T* col_dual,
             bool all_assigned) {
  constexpr T kFar = std::numeric_limits<T>::max();
  T least = -kFar, largest = kFar;
  for (int64_t i = 0; i < alone.rows; ++i)
    least = std::max(least, row_dual[i] + reduction.row_shift[i] - alone.row(i));
  for (int64_t j = 0; j < alone.cols; ++j)
    largest = std::min(largest, alone.col(j) - reduction.col_shift[j] - col_dual[j]);
  if (all_assigned) return std::max(std::min(T(0), largest), std::min(least, largest));
  return alone.rows <= alone.cols ? largest : least;
}

// Whether all duals are in the range of float64, and the gap.
struct Proved {
  bool holds = false;
  double gap = 0;
};

// The column of each row and the row of each column; -1 for what is left alone.
struct Pairing {
  Pairing(int64_t rows, int64_t cols) : rows_(rows), partner_(size_t(rows + cols), -1) {}

  void pair(int64_t i, int64_t j) {
    partner_[i] = int32_t(j);
    partner_[rows_ + j] = int32_t(i);
  }
  int32_t* col_of_row() { return partner_.data(); }
  int32_t col_of_row(int64_t i) const { return partner_[i]; }
  bool is_alone(int64_t j) const { return partner_[rows_ + j] < 0; }
  // After the columns of rows have changed.
  void find_rows_of_cols() {
    std::fill(partner_.begin() + rows_, partner_.end(), -1);
    for (int64_t i = 0; i < rows_; ++i)
      if (partner_[i] >= 0) partner_[rows_ + partner_[i]] = int32_t(i);
  }

 private:
  int64_t rows_;
  std::vector<int32_t> partner_;
};

// Shifts duals of reduced costs that were not rounded, which are at most the costs: rounded down they prove
// the costs themselves, and no cost need be read again. `paid(i)` is the cost of row i, paired or alone.
template <class Paid>
Proved prove_by_reduced(const Alone<double>& alone, double shift, const Pairing& pairing, const Paid& paid,
                        double* row_dual, double* col_dual) {
  LongSum gap;
  Size size;
  bool tight = true;
  const auto add = [&](double cost, double row, double col) {
    const double excess = excess_of(cost, row, col);
    gap.add(excess);
    size.add(cost);
    tight &= is_tight(excess, cost, row, col);
  };
  for (int64_t j = 0; j < alone.cols; ++j) {
    col_dual[j] = std::min(difference_below(col_dual[j], -shift), alone.col(j));
    if (pairing.is_alone(j)) add(alone.col(j), col_dual[j], 0.0);
  }
  for (int64_t i = 0; i < alone.rows; ++i) {
    row_dual[i] = std::min(difference_below(row_dual[i], shift), alone.row(i));
    const int32_t j = pairing.col_of_row(i);
    add(paid(i), row_dual[i], j < 0 ? 0.0 : col_dual[j]);
  }
  const RealProof proof{gap.bound(), size.value(), tight};
  return {proof.holds(), proof.gap};
}

// What the rows cost, and the columns left alone.
template <class S, class Paid>
TotalOf<S> total_cost(const Alone<DualOf<S>>& alone, const Pairing& pairing, const Paid& paid) {
  return total_of<S>(alone.rows + alone.cols, [&](int64_t k) {
    if (k < alone.rows) return paid(k);
    return pairing.is_alone(k - alone.rows) ? alone.col(k - alone.rows) : DualOf<S>(0);
  });
}

// ---- dense

template <class S, class T>
class DenseUnassigned {
  using Dual = DualOf<S>;

 public:
  DenseUnassigned(const DenseTask<S>& task, const Alone<Dual>& alone, double scale = 1.0)
      : task_(task),
        alone_(alone),
        reduction_(alone, task.rows <= task.cols),
        only_limits_(reduction_.rounds_nothing && task.rows <= task.cols),
        scale_(scale),
        pairing_(task.rows, task.cols) {}

  // A bad cost shows in `check`, and so does a reduced cost that overflows.
  Outcome solve(DenseAnswer<S>& answer, int64_t& size, CostCheck& check, Run& run) {
    const int64_t rows = task_.rows, cols = task_.cols;
    if (rows == 0 || cols == 0) {
      std::copy_n(alone_.of_rows(), rows, answer.row_dual);
      std::copy_n(alone_.of_cols(), cols, answer.col_dual);
      size = write(answer);
      return Outcome::optimal;
    }
    LargeArray<T> reduced(size_t(rows * cols));
    for_rows(task_.threads, rows, cols, run, [&](int, int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) reduce(i, reduced.data() + i * cols);
    });
    DenseTask<T> task{reduced.data(), rows, cols};
    task.plan = task_.plan;
    task.threads = task_.threads;
    DenseAnswer<T> found{answer.row_ind, answer.col_ind, answer.row_dual, answer.col_dual};
    HallViolator violator;
    if (const Outcome outcome = solve_dense(task, found, violator, check, run);
        check.is_bad() || outcome != Outcome::optimal)
      return outcome;
    const int64_t full = std::min(rows, cols);
    size = 0;
    for (int64_t p = 0; p < full; ++p) {
      const int64_t i = answer.row_ind[p], j = answer.col_ind[p];
      if (!alone_.allows(cost(i, j), i, j)) continue;
      pairing_.pair(i, j);
      ++size;
    }
    if (!write_duals(answer, size == rows && size == cols, run)) return Outcome::duals_too_large;
    size = write(answer);
    return Outcome::optimal;
  }

 private:
  Dual cost(int64_t i, int64_t j) const {
    return minimised<Dual>(task_.cost[i * task_.cols + j], task_.maximize);
  }
  Dual paid(int64_t i) const {
    const int32_t j = pairing_.col_of_row(i);
    return j < 0 ? alone_.row(i) : cost(i, j);
  }

  void reduce(int64_t i, T* reduced) const {
    if (scale_ != 1.0) return reduce_scaled(i, reduced);
    if (task_.maximize) return reduce_row(i, [](S cost) { return Dual(0) - Dual(cost); }, reduced);
    reduce_row(i, [](S cost) { return Dual(cost); }, reduced);
  }

  template <class Signed>
  void reduce_row(int64_t i, const Signed& of, T* reduced) const {
    const S* const cost = task_.cost + i * task_.cols;
    const Dual *const shift = reduction_.col_shift, *const limit = reduction_.col_limit;
    const Dual row_shift = reduction_.row_shift[i], row_limit = reduction_.row_limit[i];
    const int64_t cols = task_.cols;
    if (only_limits_)  // those of rows: by far the most frequent case, and half the numbers to read
      for (int64_t j = 0; j < cols; ++j) reduced[j] = T(std::min(of(cost[j]), row_limit));
    else
      for (int64_t j = 0; j < cols; ++j)
        reduced[j] = T(std::min(of(cost[j]) - shift[j] - row_shift, limit[j] + row_limit));
  }

  void reduce_scaled(int64_t i, T* reduced) const {
    const double row_shift = double(reduction_.row_shift[i]), row_limit = double(reduction_.row_limit[i]);
    for (int64_t j = 0; j < task_.cols; ++j) {
      const double shift = scale_ * double(reduction_.col_shift[j]) + scale_ * row_shift;
      const double limit = scale_ * double(reduction_.col_limit[j]) + scale_ * row_limit;
      reduced[j] = T(std::min(scale_ * double(cost(i, j)) - shift, limit));
    }
  }

  // The duals of the reduced costs become those of the costs; false if none fit.
  bool write_duals(DenseAnswer<S>& answer, bool all_assigned, Run& run) {
    Dual *const row_dual = answer.row_dual, *const col_dual = answer.col_dual;
    if (scale_ != 1.0) {
      for (int64_t i = 0; i < task_.rows; ++i) row_dual[i] = Dual(double(row_dual[i]) / scale_);
      for (int64_t j = 0; j < task_.cols; ++j) col_dual[j] = Dual(double(col_dual[j]) / scale_);
    }
    const Dual shift = dual_shift(alone_, reduction_, row_dual, col_dual, all_assigned);
    if constexpr (std::is_floating_point_v<S>) {
      if (scale_ == 1.0 && reduction_.rounds_nothing) {
        const Proved proved =
            prove_by_reduced(alone_, shift, pairing_, [&](int64_t i) { return paid(i); }, row_dual, col_dual);
        answer.gap = proved.gap;
        if (proved.holds) return true;
      } else {
        for (int64_t j = 0; j < task_.cols; ++j) col_dual[j] += reduction_.col_shift[j] + shift;
      }
      const DenseRealCosts<S> costs(task_.rows, task_.cols, task_.costs(), NoLists(), task_.threads);
      UnassignedAnswer proved{pairing_.col_of_row(), row_dual, col_dual};
      const bool fits = prove_unassigned(costs, {alone_.of_rows(), alone_.of_cols()}, proved, {}, run);
      pairing_.find_rows_of_cols();
      answer.gap = proved.gap;
      return fits;
    }
    for (int64_t i = 0; i < task_.rows; ++i) row_dual[i] += reduction_.row_shift[i] - shift;
    for (int64_t j = 0; j < task_.cols; ++j) col_dual[j] += reduction_.col_shift[j] + shift;
    return true;
  }

  // Pairs, cost and duals as they are asked for; returns how many pairs there are.
  int64_t write(DenseAnswer<S>& answer) const {
    int64_t size = 0;
    for (int64_t i = 0; i < task_.rows; ++i) {
      const int32_t j = pairing_.col_of_row(i);
      if (j < 0) continue;
      answer.row_ind[size] = i;
      answer.col_ind[size++] = j;
    }
    answer.total = total_cost<S>(alone_, pairing_, [&](int64_t i) { return paid(i); });
    if (!task_.maximize) return size;
    answer.total = 0 - answer.total;
    for (int64_t i = 0; i < task_.rows; ++i) answer.row_dual[i] = 0 - answer.row_dual[i];
    for (int64_t j = 0; j < task_.cols; ++j) answer.col_dual[j] = 0 - answer.col_dual[j];
    return size;
  }

  const DenseTask<S>& task_;
  const Alone<Dual>& alone_;
  const Reduction<Dual> reduction_;
  const bool only_limits_;  // reduced costs are min(cost, row_limit)
  const double scale_;      // so that no difference overflows float64
  Pairing pairing_;
};

// ---- lists

// Lists of real costs as a proof reads them, minimised.
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
    for (int64_t i = 0; i < rows; ++i) {
      LowestDifference of_row{kInfinity};
      for (int64_t e = costs_.start[i]; e < costs_.start[i + 1]; ++e)
        of_row.see(double(signed_[e]), col_dual[costs_.col[e]]);
      lowest[i] = of_row.value();
      run.spend(costs_.start[i + 1] - costs_.start[i] + 1);
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
  const SparseCosts<S>& costs_;
  const SignedCosts<S> signed_;
};

// All rows are assigned, each perhaps to a column of its own.
template <class S>
class SparseUnassigned {
  using Dual = DualOf<S>;

 public:
  SparseUnassigned(const SparseCosts<S>& costs, bool maximize, const Alone<Dual>& alone, double largest)
      : costs_(costs),
        maximize_(maximize),
        alone_(alone),
        reduction_(alone, true),
        scale_(largest > kLargestAsGiven ? kScaleOfLarge : 1.0),
        pairing_(costs.rows, costs.cols),
        paid_(alone.of_rows(), alone.of_rows() + alone.rows) {}

  Outcome solve(SparseAnswer<S>& answer, Run& run) {
    const int64_t rows = costs_.rows, cols = costs_.cols;
    list_reduced(run);
    std::vector<int64_t> col_of_row(static_cast<size_t>(rows));
    std::vector<Dual> col_dual(size_t(rows + cols));
    SparseAnswer<Dual> found{col_of_row.data(), answer.row_dual, col_dual.data()};
    HallViolator violator;
    const SparseCosts<Dual> lists{rows, rows + cols, start_.data(), col_.data(), cost_.data()};
    if (const Outcome outcome = sparse_jv<Dual>({lists, largest_, nullptr}, found, violator, run);
        outcome != Outcome::optimal)
      return outcome;
    int64_t size = 0;
    for (int64_t i = 0; i < rows; ++i) {
      if (col_of_row[i] < cols) {
        pairing_.pair(i, col_of_row[i]);
        ++size;
      }
      // The dual of a column of its own may always be 0.
      const Dual unscaled = scale_ == 1.0 ? answer.row_dual[i] : Dual(double(answer.row_dual[i]) / scale_);
      answer.row_dual[i] = std::min(unscaled, reduction_.row_limit[i]);
    }
    for (int64_t j = 0; j < cols; ++j)
      answer.col_dual[j] = scale_ == 1.0 ? col_dual[j] : Dual(double(col_dual[j]) / scale_);
    find_costs_of_rows();
    if (!write_duals(size == rows && size == cols, answer, run)) return Outcome::duals_too_large;
    write(answer);
    return Outcome::optimal;
  }

 private:
  // Pairs that may be made at their reduced costs, and each row's own column.
  void list_reduced(Run& run) {
    start_.push_back(0);
    for (int64_t i = 0; i < costs_.rows; ++i) {
      for (int64_t e = costs_.start[i]; e < costs_.start[i + 1]; ++e) {
        const int32_t j = costs_.col[e];
        if (const Dual cost = minimised<Dual>(costs_.cost[e], maximize_); alone_.allows(cost, i, j))
          list(j, scaled(cost) - scaled(reduction_.row_shift[i]) - scaled(reduction_.col_shift[j]));
      }
      list(int32_t(costs_.cols + i), scaled(reduction_.row_limit[i]));
      start_.push_back(int64_t(col_.size()));
      run.spend(costs_.start[i + 1] - costs_.start[i] + 1);
    }
  }
  Dual scaled(Dual number) const { return scale_ == 1.0 ? number : Dual(scale_ * double(number)); }
  void list(int32_t col, Dual cost) {
    col_.push_back(col);
    cost_.push_back(cost);
    largest_ = std::max(largest_, std::abs(double(cost)));
  }

  bool write_duals(bool all_assigned, SparseAnswer<S>& answer, Run& run) {
    Dual *const row_dual = answer.row_dual, *const col_dual = answer.col_dual;
    const Dual shift = dual_shift(alone_, reduction_, row_dual, col_dual, all_assigned);
    if constexpr (std::is_floating_point_v<S>) {
      if (scale_ == 1.0 && reduction_.rounds_nothing) {
        // Pairs that are not worth making cost more than both duals can be.
        const Proved proved = prove_by_reduced(
            alone_, shift, pairing_, [&](int64_t i) { return paid_[i]; }, row_dual, col_dual);
        answer.gap = proved.gap;
        if (proved.holds) return true;
      } else {
        for (int64_t j = 0; j < costs_.cols; ++j) col_dual[j] += reduction_.col_shift[j] + shift;
      }
      const ListedRealCosts<S> costs(costs_, maximize_);
      UnassignedAnswer proved{pairing_.col_of_row(), row_dual, col_dual};
      const auto list_rows = [&]() -> RowLists {
        TransposedCosts<S> transposed(costs_);
        return {std::move(transposed.start), std::move(transposed.col)};
      };
      const bool fits = prove_unassigned(costs, {alone_.of_rows(), alone_.of_cols()}, proved, list_rows, run);
      answer.gap = proved.gap;
      pairing_.find_rows_of_cols();
      find_costs_of_rows();
      return fits;
    }
    for (int64_t i = 0; i < costs_.rows; ++i) row_dual[i] += reduction_.row_shift[i] - shift;
    for (int64_t j = 0; j < costs_.cols; ++j) col_dual[j] += reduction_.col_shift[j] + shift;
    return true;
  }

  // What each row costs, paired or alone.
  void find_costs_of_rows() {
    for (int64_t i = 0; i < costs_.rows; ++i) {
      const int32_t j = pairing_.col_of_row(i);
      paid_[i] = alone_.row(i);
      for (int64_t e = costs_.start[i]; j >= 0 && e < costs_.start[i + 1]; ++e)
        if (costs_.col[e] == j) paid_[i] = minimised<Dual>(costs_.cost[e], maximize_);
    }
  }

  void write(SparseAnswer<S>& answer) const {
    for (int64_t i = 0; i < costs_.rows; ++i) answer.col_of_row[i] = pairing_.col_of_row(i);
    answer.total = total_cost<S>(alone_, pairing_, [&](int64_t i) { return paid_[i]; });
    if (!maximize_) return;
    answer.total = 0 - answer.total;
    for (int64_t i = 0; i < costs_.rows; ++i) answer.row_dual[i] = 0 - answer.row_dual[i];
    for (int64_t j = 0; j < costs_.cols; ++j) answer.col_dual[j] = 0 - answer.col_dual[j];
  }

  const SparseCosts<S>& costs_;
  const bool maximize_;
  const Alone<Dual>& alone_;
  const Reduction<Dual> reduction_;
  const double scale_;
  std::vector<int64_t> start_;
  std::vector<int32_t> col_;
  std::vector<Dual> cost_;
  Pairing pairing_;
  std::vector<Dual> paid_;  // of each row
  double largest_ = 0;
};

}  // namespace

template <class S>
Outcome solve_dense_unassigned(const DenseTask<S>& task, const UnassignedCosts<S>& given,
                               DenseAnswer<S>& answer, int64_t& size, CostCheck& check, Run& run) {
  const auto check_given = [&] {
    check = check_costs(task.cost, task.rows * task.cols, task.maximize, task.threads, run);
  };
  const Alone<DualOf<S>> alone(given.row, given.col, task.rows, task.cols, task.maximize);
  if constexpr (std::is_floating_point_v<S>) {
    // Bad costs stay bad when they are reduced; then, or where differences overflow, the costs are read
    // again.
    if (alone.largest < kLargestAsGiven) {
      const Outcome outcome = DenseUnassigned<S, double>(task, alone).solve(answer, size, check, run);
      if (!check.is_bad()) return outcome;
    }
    check_given();
    if (check.is_bad()) return Outcome::infeasible;
    return DenseUnassigned<S, double>(task, alone, kScaleOfLarge).solve(answer, size, check, run);
  } else {
    check_given();
    if (check.is_bad()) return Outcome::infeasible;
    const double largest = check.largest + 2 * alone.largest;
    if (largest >= kMostReduced) return Outcome::duals_too_large;
    if (largest < 0x1p30) return DenseUnassigned<S, int32_t>(task, alone).solve(answer, size, check, run);
    return DenseUnassigned<S, int64_t>(task, alone).solve(answer, size, check, run);
  }
}

template <class S>
Outcome solve_sparse_unassigned(const SparseCosts<S>& costs, double largest, bool maximize,
                                const UnassignedCosts<S>& given, SparseAnswer<S>& answer, Run& run) {
  using Dual = DualOf<S>;
  const Alone<Dual> alone(given.row, given.col, costs.rows, costs.cols, maximize);
  largest += 2 * alone.largest;
  if (std::is_integral_v<S> && largest >= kMostReduced) return Outcome::duals_too_large;
  // The fewer rows the better; but real costs are not rounded where the columns' costs are all equal.
  const bool rows_equal = are_equal(alone.of_rows(), costs.rows);
  const bool cols_equal = are_equal(alone.of_cols(), costs.cols);
  const bool either = std::is_integral_v<S> || rows_equal == cols_equal;
  if (either ? costs.rows <= costs.cols : cols_equal)
    return SparseUnassigned<S>(costs, maximize, alone, largest).solve(answer, run);
  const TransposedCosts<S> transposed(costs);
  const SparseCosts<S> turned = transposed.costs();
  const Alone<Dual> alone_turned(given.col, given.row, costs.cols, costs.rows, maximize);
  std::vector<int64_t> row_of_col(size_t(costs.cols));
  SparseAnswer<S> found{row_of_col.data(), answer.col_dual, answer.row_dual};
  const Outcome outcome = SparseUnassigned<S>(turned, maximize, alone_turned, largest).solve(found, run);
  if (outcome != Outcome::optimal) return outcome;
  answer.total = found.total;
  answer.gap = found.gap;
  std::fill_n(answer.col_of_row, costs.rows, -1);
  for (int64_t j = 0; j < costs.cols; ++j)
    if (row_of_col[j] >= 0) answer.col_of_row[row_of_col[j]] = j;
  return outcome;
}

#define KONIG_INSTANTIATE(S)                                                                               \
  template Outcome solve_dense_unassigned(const DenseTask<S>&, const UnassignedCosts<S>&, DenseAnswer<S>&, \
                                          int64_t&, CostCheck&, Run&);                                     \
  template Outcome solve_sparse_unassigned(const SparseCosts<S>&, double, bool, const UnassignedCosts<S>&, \
                                           SparseAnswer<S>&, Run&);
KONIG_FOR_EACH_COST(KONIG_INSTANTIATE)

}  // namespace konig
