// The proof of an assignment of real costs, and assignments made exact: where float64 arithmetic leaves a
// gap, the pairs that could still matter are solved in integers.
//
// Minimises; rows <= cols. Whatever the column duals are, row duals of the smallest cost - column dual of
// each row, rounded down, are feasible in exact arithmetic: row_dual + col_dual <= cost everywhere. So no
// assignment costs less than the sum of the duals, and `gap`, the cost of this one less that sum, is a proven
// bound on cost - optimum. Nothing is compared with the largest cost of all, which may be on a pair that no
// good assignment uses.
//
// Let an assignment have a proven gap. A pair whose reduced cost exceeds the gap is in no
// optimal assignment. The others, few as a rule, are the core: its costs are float64, so they are integers
// times a power of two. The assignment and its duals, nearly always right but for their last digits, are
// repaired among them without any rounding (sparse/repair.h), in 128 bits as a rule and in as many as it
// takes where costs are very far apart.
//
// A repair moves no dual further than the gap, so that one core does unless rows have more pairs within the
// gap than they may add. Pairs outside the core that undercut its duals join it. Any optimal duals will do
// but for their size: duals on the scale of a prohibitive cost lose the digits of the others when they are
// rounded to float64. Where that leaves a gap they are replaced by small ones (small_duals.h), and where
// these are beyond float64 by others that are not, if there are any.
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

  // cost[i] is that of the pair (i, col_of_row[i]).
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
  double size = 0;       // of the assigned costs (konig/exact.h)
  bool is_tight = true;  // whether every assigned pair is
  bool holds() const { return is_tight && gap <= kProvenGap * size; }
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
// optimal and its duals differ from exact ones by their rounding. Returns how many cores were repaired.
int64_t prove_or_solve_exactly(const RealCosts& costs, RealAnswer& answer, Run& run);

}  // namespace konig
