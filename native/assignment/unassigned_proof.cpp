// Proofs of assignments of reals in which rows and columns may be left alone: those of the extended matrix,
// which is never stored, with the duals of what was added put into those of the rows and columns.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "assignment/answer.h"
#include "assignment/unassigned.h"

namespace konig {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kRounds = 4;  // of passing on what was rounded, before pairs are doubted
constexpr int kTurns = 3;   // of proofs; the second one is seldom needed

// The extended matrix. Its first rows and columns are the given ones; column cols + i is that of row i left
// alone, row rows + j that of column j left alone. Where i and j are a pair these two are, at no cost.
class ExtendedCosts : public RealCosts {
 public:
  // `row_of_col` is an assignment, -1 for columns left alone.
  ExtendedCosts(const RealCosts& costs, const UnassignedCosts<double>& alone,
                const std::vector<int32_t>& row_of_col, const std::function<RowLists()>& list_rows)
      : RealCosts(costs.rows + costs.cols, costs.rows + costs.cols),
        costs_(costs),
        alone_(alone),
        row_of_col_(row_of_col),
        list_rows_(list_rows) {
    rows_at_a_time = costs.rows_at_a_time;
  }

  void find_costs(const int32_t* col_of_row, double* cost) const override {
    std::vector<int32_t> given(col_of_row, col_of_row + costs_.rows);
    for (int32_t& j : given)
      if (j >= costs_.cols) j = 0;
    costs_.find_costs(given.data(), cost);
    for (int64_t i = 0; i < costs_.rows; ++i)
      if (col_of_row[i] >= costs_.cols) cost[i] = alone_.row[i];
    for (int64_t j = 0; j < costs_.cols; ++j)
      cost[costs_.rows + j] = col_of_row[costs_.rows + j] == j ? alone_.col[j] : 0.0;
  }

  void find_lowest(const double* col_dual, double* lowest, Run& run) const override {
    costs_.find_lowest(col_dual, lowest, run);
    const double* const of_alone = col_dual + costs_.cols;
    for (int64_t i = 0; i < costs_.rows; ++i)
      lowest[i] = std::min(lowest[i], difference_below(alone_.row[i], of_alone[i]));
    const auto [least, largest] = std::minmax_element(of_alone, of_alone + costs_.rows);
    // While added columns have dual 0, lists are not needed for a column whose own slack is 0, or that has a
    // row: what was added for these two is a pair at no cost.
    const bool all_zero = *least == 0 && *largest == 0;
    for (int64_t j = 0; j < costs_.cols; ++j) {
      const double slack = difference_below(alone_.col[j], col_dual[j]);
      double free = 0.0 - *largest;
      if (list_rows_ && !(all_zero && (slack <= 0 || row_of_col_[j] >= 0))) {
        free = kInfinity;
        for_rows_of(j, [&](int32_t i) { free = std::min(free, 0.0 - of_alone[i]); });
      }
      lowest[costs_.rows + j] = std::min(free, slack);
    }
  }

  Pairs find_pairs(const std::vector<int32_t>& asked, const double* col_dual, const double* bound,
                   Run& run) const override {
    std::vector<int32_t> given;
    std::vector<double> given_bound;
    for (size_t k = 0; k < asked.size(); ++k)
      if (asked[k] < costs_.rows) {
        given.push_back(asked[k]);
        given_bound.push_back(bound[k]);
      }
    Pairs of_given{{0}, {}};
    if (!given.empty()) of_given = costs_.find_pairs(given, col_dual, given_bound.data(), run);
    Pairs found{{0}, {}};
    size_t next = 0;
    for (size_t k = 0; k < asked.size(); ++k) {
      const auto add = [&](int64_t j, double cost) {
        if (cost - col_dual[j] <= bound[k]) found.pair.push_back({int32_t(j), cost});
      };
      if (asked[k] < costs_.rows) {
        for (int64_t e = of_given.start[next]; e < of_given.start[next + 1]; ++e)
          found.pair.push_back(of_given.pair[e]);
        ++next;
        add(costs_.cols + asked[k], alone_.row[asked[k]]);
      } else {
        const int64_t j = asked[k] - costs_.rows;
        add(j, alone_.col[j]);
        for_rows_of(j, [&](int64_t i) { add(costs_.cols + i, 0.0); });
        run.spend(costs_.rows / 4 + 1);
      }
      found.start.push_back(int64_t(found.pair.size()));
    }
    return found;
  }

  void fetch_pairs(const double* col_dual, const double* bound, Run& run) const override {
    costs_.fetch_pairs(col_dual, bound, run);
  }
  void forget_pairs() const override { costs_.forget_pairs(); }

 private:
  template <class Visit>
  void for_rows_of(int64_t j, const Visit& visit) const {
    if (!list_rows_) {
      for (int32_t i = 0; i < costs_.rows; ++i) visit(i);
      return;
    }
    if (!lists_) lists_ = std::make_unique<RowLists>(list_rows_());
    for (int64_t e = lists_->start[j]; e < lists_->start[j + 1]; ++e) visit(lists_->row[e]);
  }

  const RealCosts& costs_;
  const UnassignedCosts<double> alone_;
  const std::vector<int32_t>& row_of_col_;
  const std::function<RowLists()>& list_rows_;
  mutable std::unique_ptr<RowLists> lists_;
};

// The row of each column, or -1.
std::vector<int32_t> rows_of_cols(const int32_t* col_of_row, int64_t rows, int64_t cols) {
  std::vector<int32_t> row_of_col(size_t(cols), -1);
  for (int64_t i = 0; i < rows; ++i)
    if (col_of_row[i] >= 0) row_of_col[col_of_row[i]] = int32_t(i);
  return row_of_col;
}

// The largest row duals for these column duals, and what they prove; `cost[i]` is that of the pair of row i.
RealProof find_row_duals(const RealCosts& costs, const UnassignedCosts<double>& alone,
                         UnassignedAnswer& answer, std::vector<double>& cost, Run& run) {
  costs.find_lowest(answer.col_dual, answer.row_dual, run);
  std::vector<int32_t> paired(answer.col_of_row, answer.col_of_row + costs.rows);
  for (int32_t& j : paired) j = std::max(j, 0);
  cost.resize(size_t(costs.rows));
  costs.find_costs(paired.data(), cost.data());
  ProofSums sums;
  for (int64_t i = 0; i < costs.rows; ++i) {
    const double row = answer.row_dual[i] = std::min(answer.row_dual[i], alone.row[i]);
    const int32_t j = answer.col_of_row[i];
    j < 0 ? sums.add(alone.row[i], row, 0.0) : sums.add(cost[i], row, answer.col_dual[j]);
  }
  const std::vector<int32_t> row_of_col = rows_of_cols(answer.col_of_row, costs.rows, costs.cols);
  for (int64_t j = 0; j < costs.cols; ++j)
    if (row_of_col[j] < 0) sums.add(alone.col[j], answer.col_dual[j], 0.0);
  const RealProof proof = sums.proof();
  answer.gap = proof.gap;
  return proof;
}

// Whether the answer is proved by its column duals, but for rounding: columns left alone have the dual that
// they should have. Where that lowers the dual of a row, its column gets what is missing, and so on.
bool is_proved_by_rounds(const RealCosts& costs, const UnassignedCosts<double>& alone,
                         UnassignedAnswer& answer, Run& run) {
  std::vector<double> cost;
  for (int round = 0; round < kRounds; ++round) {
    if (find_row_duals(costs, alone, answer, cost, run).holds()) return true;
    for (int64_t i = 0; i < costs.rows; ++i) {
      const int32_t j = answer.col_of_row[i];
      if (j < 0) continue;
      const double above = std::min(difference_below(cost[i], answer.row_dual[i]), alone.col[j]);
      answer.col_dual[j] = std::max(answer.col_dual[j], above);
    }
  }
  return false;
}

}  // namespace

bool prove_unassigned(const RealCosts& costs, const UnassignedCosts<double>& alone, UnassignedAnswer& answer,
                      const std::function<RowLists()>& list_rows, Run& run) {
  const int64_t rows = costs.rows, cols = costs.cols;
  const std::vector<int32_t> row_of_col = rows_of_cols(answer.col_of_row, rows, cols);
  for (int64_t j = 0; j < cols; ++j) {
    double& dual = answer.col_dual[j];
    dual = row_of_col[j] < 0 ? alone.col[j] : std::min(std::isfinite(dual) ? dual : 0.0, alone.col[j]);
  }
  if (is_proved_by_rounds(costs, alone, answer, run)) {
    run.count("extended_solves", 0);
    return true;
  }
  std::vector<int32_t> col_of_row(size_t(rows + cols));
  std::vector<double> row_dual(size_t(rows + cols)), col_dual(size_t(rows + cols), 0.0);
  const ExtendedCosts extended(costs, alone, row_of_col, list_rows);
  for (int64_t i = 0; i < rows; ++i)
    col_of_row[i] = answer.col_of_row[i] < 0 ? int32_t(cols + i) : answer.col_of_row[i];
  for (int64_t j = 0; j < cols; ++j) {
    col_of_row[rows + j] = int32_t(row_of_col[j] < 0 ? j : cols + row_of_col[j]);
    col_dual[j] = answer.col_dual[j];
  }
  // The duals of what was added are put into those of the rows and columns, and proved again: a sum of two
  // large duals may be small, with the rounding of large ones.
  int64_t solves = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    RealAnswer found{col_of_row.data(), row_dual.data(), col_dual.data(), {}};
    solves += prove_or_solve_exactly(extended, found, run);
    answer.gap = found.proof.gap;
    if (!std::isfinite(answer.gap)) return false;
    bool is_extended = false;  // what was added has duals
    for (int64_t i = 0; i < rows; ++i) {
      answer.col_of_row[i] = col_of_row[i] < cols ? col_of_row[i] : -1;
      answer.row_dual[i] = row_dual[i];
      is_extended |= col_dual[cols + i] != 0;
      col_dual[cols + i] = 0.0;
    }
    for (int64_t j = 0; j < cols; ++j) {
      is_extended |= row_dual[rows + j] != 0;
      const bool is_alone = col_of_row[rows + j] == j;  // it then has the dual that it should have
      col_dual[j] = is_alone ? alone.col[j]
                             : std::min(difference_below(col_dual[j], -row_dual[rows + j]), alone.col[j]);
      answer.col_dual[j] = col_dual[j];
    }
    if (!is_extended) break;
    // The dual of a row is at least the sum of its own and that of its added column: added ones of allowed
    // pairs sum up to 0 at most.
    std::vector<double> cost;
    find_row_duals(costs, alone, answer, cost, run);
  }
  run.count("extended_solves", solves);
  return std::isfinite(answer.gap);
}

}  // namespace konig
