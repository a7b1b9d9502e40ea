// The core of a square matrix that several processes share, on the one that solves it.
//
// Entries join between solves. What is assigned stays so where it still attains the smallest slack of its
// row, so that a solve after the first takes paths for few rows. Whole numbers; their sums fit into 64 bits:
// the caller sees to it that 8 (rows + 1) times the largest cost or dual is below Bounds<int64_t>::largest.
#pragma once

#include <cstdint>
#include <vector>

#include "assignment/sparse/augmenting_paths.h"
#include "core/run.h"

namespace konig {

class SharedCore {
 public:
  explicit SharedCore(int64_t size) : size_(size), start_(size_t(size) + 1) {}

  // Entries join: count[i] of row i, row after row; none is there already.
  void add(const int64_t* count, const int32_t* col, const int64_t* cost);

  // Whether there is a full assignment; the first solve, and one after it was in vain, starts from these
  // duals.
  bool solve(const int64_t* col_dual, Run& run);

  // After a solve that was not in vain: writes the answer, and returns its cost.
  int64_t answer(int64_t* col_of_row, int64_t* row_dual, int64_t* col_dual);
  // After one that was.
  const HallViolator& violator() { return paths_.violator(); }

 private:
  SparseCosts<int64_t> costs() const { return {size_, size_, start_.data(), col_.data(), cost_.data()}; }

  const int64_t size_;
  std::vector<int64_t> start_;
  std::vector<int32_t> col_;
  std::vector<int64_t> cost_;
  SparseAugmentingPaths<int64_t, int64_t> paths_;
  bool is_solved_ = false;
};

}  // namespace konig
