// The proof of an assignment of real costs: duals that no pair undercuts, and how far they are from its cost.
//
// Minimises; rows <= cols. Whatever the column duals are, row duals of the smallest cost - column dual of
// each row, rounded down, are feasible in exact arithmetic: row_dual + col_dual <= cost everywhere. So no
// assignment costs less than the sum of the duals, and `gap`, the cost of this one less that sum, is a proven
// bound on cost - optimum. Nothing is compared with the largest cost of all: pairs that nobody would take
// have no say.
#pragma once

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
  // Pairs row after row; those of row i begin at start[i].
  struct Pairs {
    std::vector<int64_t> start;
    std::vector<Pair> pair;
  };

  RealCosts(int64_t rows, int64_t cols) : rows(rows), cols(cols) {}
  virtual ~RealCosts() = default;

  // Of one pair in each row.
  virtual void find_costs(const int32_t* col_of_row, double* cost) const = 0;
  // lowest[i] is the smallest cost - dual of row i, rounded down.
  virtual void find_lowest(const double* col_dual, double* lowest, Run& run) const = 0;
  // The pairs with cost - dual, rounded to the nearest, at most the bound of their row. Of more than
  // `most` in a row it may leave out any; none is infinite.
  virtual Pairs find_pairs(const double* col_dual, const double* bound, int64_t most, Run& run) const = 0;

  const int64_t rows, cols;
};

struct RealProof {
  double gap = 0;
  double size = 0;       // of the costs (konig/exact.h)
  bool is_tight = true;  // every assigned pair
  bool holds() const { return is_tight && gap <= kProvenGap * size; }
};

// `cost[i]` is that of the pair of row i, and `row_dual` what find_lowest found for these column duals.
// Columns without a row have dual 0.
inline RealProof prove(int64_t rows, const double* cost, const int32_t* col_of_row, const double* col_dual,
                       const double* row_dual) {
  LongSum gap;
  Size size;
  bool tight = true;
  for (int64_t i = 0; i < rows; ++i) {
    const double row = row_dual[i], col = col_dual[col_of_row[i]], excess = excess_of(cost[i], row, col);
    gap.add(excess);
    size.add(cost[i]);
    tight &= is_tight(excess, cost[i], row, col);
  }
  return {gap.bound(), size.value(), tight};
}

}  // namespace konig
