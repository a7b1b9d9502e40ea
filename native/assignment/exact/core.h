// The proof of an assignment of real costs, and assignments made exact: where float64 arithmetic leaves a
// gap, the pairs that could still matter are solved in integers.
//
// Minimises; rows <= cols. Whatever the column duals are, row duals of the smallest cost - column dual of
// each row, rounded down, are feasible in exact arithmetic: row_dual + col_dual <= cost everywhere. So no
// assignment costs less than the sum of the duals, and `gap`, the cost of this one less that sum, is a proven
// bound on cost - optimum. Nothing is compared with the largest cost of all, which may be on a pair that no
// good assignment uses.
//
// An answer is accepted if every pair is tight but for a few units in the last place of its cost and duals,
// and if the gap is negligible. If not, it is repaired without any rounding: costs are float64, so they are
// integers times a power of two. Nearly always the assignment is right, and its duals are but for their last
// digits: these are corrected, first in float64 (rounded_duals.h), and cycles of pairs that turn out to cost
// less are taken (largest_duals.h). Where the duals are on the scale of a prohibitive cost smaller ones come
// first, in float64, too (smallest_duals.h): as a rule they prove the answer, or leave all that is left to
// prove among the pairs at that cost.
// Where costs are of so many scales that only the widest integers hold them, duals are right at the largest
// scales alone: then another answer is found first, whose duals are nearly right at all (paths_by_scale.h).
// Where corrections take too long, pairs are replaced along shortest augmenting paths (repair.h). Let an
// assignment have a proven gap. A pair whose reduced cost exceeds the gap is in no optimal assignment: the
// others, few as a rule, are all that matters then.
//
// First, pairs that are tight but for rounding count as tight: their costs are taken to be lower by that
// much, in the repair alone. What is left to repair, and with it the gap and the number of pairs that matter,
// is little then, even where all costs of many rows tie. If that proves too little every pair must be exactly
// tight. Then the assignment is optimal, and any optimal duals will do but for their size: duals on the scale
// of a prohibitive cost lose the digits of the others when they are rounded to float64. Where that leaves a
// gap they are replaced by the smallest possible (largest_duals.h) if these prove more, and where these are
// beyond float64 by others that are not, if there are any.
//
// Near the largest float64 differences overflow, and nothing of this can be trusted: all pairs are solved in
// integers (all_pairs.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "assignment/exact/proof.h"
#include "core/exact.h"
#include "core/run.h"

namespace konig {

// A matrix of real costs as a proof reads it, whatever it is stored in.
class RealCosts {
 public:
  struct Pair {
    int32_t col;
    double cost;
  };
  // Pairs row after row; those of the k-th row asked for begin at start[k].
  struct Pairs {
    std::vector<int64_t> start;
    std::vector<Pair> pair;
  };

  RealCosts(int64_t rows, int64_t cols) : rows(rows), cols(cols) {}
  virtual ~RealCosts() = default;

  // cost[i] is that of the pair (i, col_of_row[i]).
  virtual void find_costs(const int32_t* col_of_row, double* cost) const = 0;
  // lowest[i] is the smallest cost - dual of row i, rounded down.
  virtual void find_lowest(const double* col_dual, double* lowest, Run& run) const = 0;
  // The pairs of these rows with cost - dual, rounded to the nearest, at most the bound, of which there is
  // one for each row asked for; none is infinite.
  virtual Pairs find_pairs(const std::vector<int32_t>& asked, const double* col_dual, const double* bound,
                           Run& run) const = 0;
  // Until forget_pairs() questions are about pairs within these bounds of these duals, one for each row, or
  // of duals that are no larger: where a question is a long way, all such pairs may be fetched at once. A
  // bound may turn out larger.
  virtual void fetch_pairs(const double* /*col_dual*/, const double* /*bound*/, Run& /*run*/) const {}
  virtual void forget_pairs() const {}
  // Those of all rows, if they were fetched and are kept as they are.
  virtual const Pairs* fetched() const { return nullptr; }

  const int64_t rows, cols;
  int64_t rows_at_a_time = 1;  // that are best asked for together, if it is not known which will be needed
  bool keeps_fetched = false;  // whether fetched() may answer
};

// The pairs of all rows within bounds of some duals, fetched at once. Rounding keeps the order of numbers: a
// pair beyond the bound is beyond a smaller one of smaller duals, so that these answer later questions.
class FetchedPairs {
 public:
  using Pairs = RealCosts::Pairs;

  void keep(Pairs pairs, const double* bound);
  void forget() { pairs_ = {}; }
  const Pairs* all() const { return pairs_.start.empty() ? nullptr : &pairs_; }
  bool answer(const std::vector<int32_t>& asked, const double* bound) const;
  Pairs among(const std::vector<int32_t>& asked, const double* col_dual, const double* bound) const;

 private:
  Pairs pairs_;  // none, or those of all rows
  std::vector<double> bound_;
};

// What a solver leaves. Every row is assigned. On a rectangle column duals are at most 0, and 0 where no row
// is assigned.
struct RealAnswer {
  int32_t* col_of_row = nullptr;
  double* row_dual = nullptr;  // need not be there yet
  double* col_dual = nullptr;
  RealProof proof;
};

// Row duals and the proof of an answer. If it does not hold, the answer is improved until its assignment is
// optimal and its duals differ from exact ones by their rounding. Returns how many repairs that took.
int64_t prove_or_solve_exactly(const RealCosts& costs, RealAnswer& answer, Run& run);

// The same of what a solver found for these costs, divided by `divisor`, a power of two. The pairs go to
// `col_of_row`. False if no duals fit into float64.
template <class Paths>
bool prove_answer(const RealCosts& costs, const Paths& paths, double divisor,
                  std::vector<int32_t>& col_of_row, double* row_dual, double* col_dual, double& gap,
                  Run& run) {
  col_of_row.resize(size_t(costs.rows));
  if (costs.rows < costs.cols) std::fill_n(col_dual, costs.cols, 0.0);  // columns without a row have no dual
  for (int64_t i = 0; i < costs.rows; ++i) {
    const int32_t j = col_of_row[i] = paths.col_of_row(i);
    col_dual[j] = divisor * paths.col_dual(j);
  }
  RealAnswer answer{col_of_row.data(), row_dual, col_dual, {}};
  run.count("exact_solves", prove_or_solve_exactly(costs, answer, run));
  gap = answer.proof.gap;
  return std::isfinite(gap);
}

}  // namespace konig
