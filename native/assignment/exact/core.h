// Real assignments made exact: where float64 arithmetic leaves a gap, the pairs that could still matter are
// solved in integers.
//
// Let an assignment have a proven gap (real_proof.h). A pair whose reduced cost exceeds the gap is in no
// optimal assignment. The others, few as a rule, are the core: its costs are float64, so they are integers
// times a power of two. The assignment and its duals, nearly always right but for their last digits, are
// repaired among them without any rounding (sparse_repair.h), in 128 bits as a rule and in as many as it
// takes where costs are very far apart.
//
// A repair moves no dual further than the gap, so that one core does unless rows have more pairs within the
// gap than they may add. Pairs outside the core that undercut its duals join it. Any optimal duals will do
// but for their size: duals on the scale of a forbiddingly dear pair lose the digits of the others when they
// are rounded to float64. Where that leaves a gap they are replaced by small ones (small_duals.h).
#pragma once

#include <cstdint>
#include <vector>

#include "assignment/exact/real_proof.h"
#include "core/run.h"

namespace konig {

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
