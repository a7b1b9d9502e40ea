// The proof of an assignment of real costs: duals that no pair undercuts, and how far they are from its cost.
//
// Minimises; rows <= cols. Whatever the column duals are, row duals of the smallest cost - column dual of
// each row, rounded down, are feasible in exact arithmetic: row_dual + col_dual <= cost everywhere. So no
// assignment costs less than the sum of the duals, and `gap`, the cost of this one less that sum, is a proven
// bound on cost - optimum. Nothing is compared with the largest cost of all: pairs that nobody would take
// have no say.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

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

  RealCosts(int64_t rows, int64_t cols) : rows(rows), cols(cols) {}
  virtual ~RealCosts() = default;

  virtual double cost(int64_t row, int64_t col) const = 0;
  // lowest[i] is the smallest cost - dual of row i, rounded down.
  virtual void find_lowest(const double* col_dual, double* lowest, Run& run) const = 0;
  // Appends the pairs of a row with cost - dual, rounded to the nearest, at most `bound`; none is infinite.
  virtual void find_pairs(int64_t row, const double* col_dual, double bound,
                          std::vector<Pair>& found) const = 0;

  const int64_t rows, cols;
};

struct RealProof {
  // The largest gap, as a part of the sum of |cost|, with which an answer of float64 arithmetic is accepted,
  // and the most by which an assigned pair may miss its duals, in units in the last place of the largest of
  // its three numbers: each of them may be rounded, and one more for good measure.
  static constexpr double kGap = 1e-12;
  static constexpr double kUnits = 4;

  double gap = 0;
  double assigned = 0;   // the sum of |cost|
  bool is_tight = true;  // every assigned pair
  bool holds() const { return is_tight && gap <= kGap * assigned; }
};

// `row_dual` is what find_lowest found for these column duals. Columns without a row have dual 0.
inline RealProof prove(const RealCosts& costs, const int32_t* col_of_row, const double* col_dual,
                       const double* row_dual) {
  RealProof proof;
  LongSum gap, assigned;
  for (int64_t i = 0; i < costs.rows; ++i) {
    const int32_t j = col_of_row[i];
    const double cost = costs.cost(i, j), row = row_dual[i], col = col_dual[j];
    const auto [slack, error] = two_sum(cost, -col);
    const auto [excess, rest] = two_sum(slack, -row);
    gap.add(excess);
    gap.add(error + rest);
    assigned.add(std::abs(cost));
    const double largest = std::max({std::abs(cost), std::abs(row), std::abs(col)});
    proof.is_tight &= excess + (error + rest) <= RealProof::kUnits * (0x1p-52 * largest + 0x1p-1074);
  }
  proof.gap = gap.bound();
  proof.assigned = assigned.value();
  return proof;
}

}  // namespace konig
