// What a rank of the distributed Hungarian methods reads of its block of the matrix.
//
// Date, Nagi, Parallel Computing 57 (2016), §5: ranks hold blocks of rows (classical) or of columns
// (alternating tree). The method itself, and what travels between ranks, is in Python
// (konig/distributed/hungarian_*.py); here are the loops over the entries of one block.
//
// Entries are whole numbers, of which a slack is number - row dual - column dual. Their magnitudes, and those
// of duals, leave room as konig/assignment/costs.h has it: a forbidden pair is kOut, and a column that is out
// of a search has the dual `scanned` of the scans.
#pragma once

#include <cstdint>
#include <vector>

#include "assignment/distributed_paths.h"
#include "assignment/scans/dense_scans.h"
#include "core/run.h"

namespace konig {

template <class S>
struct NumberBlock {
  const S* number;  // row after row
  int64_t rows, cols;
  bool negated;  // they count with the other sign
  int threads;
};

// Reals as whole numbers, by the scale of konig/assignment/costs.h.
template <class S>
void whole_numbers(const S* cost, int64_t count, double base, double first, double second, int threads,
                   int64_t* number, Run& run);

// lowest[k] is the smallest number - column dual of row[k], at most Bounds::infinity.
template <class S>
void lowest_of_rows(const NumberBlock<S>& block, const int32_t* row, int64_t count, const int64_t* col_dual,
                    int64_t* lowest, Run& run);

// The smallest number - row dual of each column, at most kInfinite.
template <class S>
void lowest_of_cols(const NumberBlock<S>& block, const int64_t* row_dual, int64_t* lowest, Run& run);

// §3.3: the columns of the edges with zero slack, row after row, of which count[i] are of row i.
template <class S>
std::vector<int32_t> zero_edges(const NumberBlock<S>& block, const int64_t* row_dual, const int64_t* col_dual,
                                int32_t* count, Run& run);

// A greedy assignment of the given rows, in this order, to columns with zero slack. claimed[k] is the column
// of row[k], or -1. Columns whose dual is `scanned` are taken; those claimed become it.
template <class S>
void claim_zero_cols(const NumberBlock<S>& block, const int32_t* row, int64_t count, const int64_t* row_dual,
                     int64_t* open_dual, int32_t* claimed, Run& run);

// Columns in a search of the alternating tree variant. key[j] is the least slack against the rows reached,
// counted from the start of the search, before[j] the row that it comes from, and block_least[b] the least
// key of kScanBlock columns. A column that was reached is out: its key is kInfinite, its dual `scanned`.
struct OpenColumns {
  int64_t cols;
  int64_t* dual;
  int64_t* key;
  int32_t* before;
  int64_t* block_least;
};

// Algorithm 4: the keys against more rows, which are reached at `shift`.
template <class S>
void relax_cols(const NumberBlock<S>& block, const int32_t* row, int64_t count, const int64_t* row_dual,
                int64_t shift, const OpenColumns& open, Run& run);

// Takes the columns with keys up to `shift` out of the search. Returns what other ranks have to know: the
// least key that is left, and then each of these columns with the row before it (a PackedEdge), as if the
// first column had the number `first`.
std::vector<int64_t> take_reached(const OpenColumns& open, int64_t shift, int64_t first);

}  // namespace konig
