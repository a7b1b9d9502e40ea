// Assignments in which rows and columns may be left alone at a cost.
//
// To be minimised is what the pairs cost, and row[i] for each row and col[j] for each column left alone.
// Duals prove it: row_dual[i] + col_dual[j] <= cost[i, j], row_dual[i] <= row[i] and col_dual[j] <= col[j],
// with equality on pairs and on what is left alone. Then everything costs the sum of all duals.
//
// A pair is worth making only if cost - row[i] - col[j] <= 0. So let the shorter side be the rows, and let
// all of them be assigned at min(cost - col[j], row[i]): pairs that cost more than leaving both alone are
// dropped again. That is an ordinary assignment, and its duals are those above but for what was subtracted.
// Lists hold only pairs worth making, and what leaving a row alone costs is a limit in their searches
// (sparse/limited.h).
//
// Integers are exact. Of reals cost - col[j] is rounded, unless all col[j] are equal: a constant may move to
// the rows. What is proved are the costs as given: the extended matrix
//
//     cost[i, j]   row[i], on the diagonal
//     col[j]       0
//
// of (rows + columns) squared holds them as they are, and is never stored. The answer with its duals, 0 for
// what was added, is an answer of the extended problem, where exact/core.h proves or repairs it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "assignment/exact/core.h"
#include "assignment/sparse/task.h"
#include "assignment/task.h"

namespace konig {

// What leaving each row and each column alone costs; earns, where the costs are maximised.
template <class S>
struct UnassignedCosts {
  const DualOf<S>* row = nullptr;
  const DualOf<S>* col = nullptr;
};

// A dense problem with rows and columns. The answer has `size` pairs. Integers whose reduced costs are beyond
// 64 bits end as duals that are too large do.
template <class S>
Outcome solve_dense_unassigned(const DenseTask<S>& task, const UnassignedCosts<S>& alone,
                               DenseAnswer<S>& answer, int64_t& size, CostCheck& check, Run& run);

// Lists with rows and columns, no pair twice and no bad cost; `largest` is at least every finite |cost|. The
// column of a row left alone is -1.
template <class S>
Outcome solve_sparse_unassigned(const SparseCosts<S>& costs, double largest, bool maximize,
                                const UnassignedCosts<S>& alone, SparseAnswer<S>& answer, Run& run);

// Which rows a column may be paired with: where the rows of column j begin, and the rows.
struct RowLists {
  std::vector<int64_t> start;
  std::vector<int32_t> row;
};

// An answer of real costs that are minimised; the column of a row left alone is -1.
struct UnassignedAnswer {
  int32_t* col_of_row = nullptr;
  double* row_dual = nullptr;  // need not be there yet
  double* col_dual = nullptr;
  double gap = 0;
};

// Row duals and the gap; an answer that these do not prove optimal is replaced by one. Of a pair that is not
// allowed `costs` may say any cost. Without `list_rows` any pair is taken to be allowed. False if no duals
// fit into float64.
bool prove_unassigned(const RealCosts& costs, const UnassignedCosts<double>& alone, UnassignedAnswer& answer,
                      const std::function<RowLists()>& list_rows, Run& run);

}  // namespace konig
