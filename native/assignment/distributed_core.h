// The core of a square matrix that several processes share, on the one that solves it.
//
// Entries join between solves. What is assigned stays so where it still attains the smallest slack of its
// row, so that a solve after the first takes paths for few rows. Whole numbers; their sums fit into 64 bits:
// the caller sees to it that 8 (rows + 1) times the largest cost or dual is below Bounds<int64_t>::largest.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "assignment/sums.h"
#include "assignment/task.h"
#include "core/run.h"

namespace konig {

class SharedCore {
 public:
  explicit SharedCore(int64_t size);
  ~SharedCore();

  // Entries join: count[i] of row i, row after row; none is there already.
  void add(const int64_t* count, const int32_t* col, const int64_t* cost);

  // Whether there is a full assignment; the first solve, and one after it was in vain, starts from these
  // duals.
  bool solve(const int64_t* col_dual, Run& run);

  // After a solve that was not in vain, and after one that was.
  void answer(int64_t* col_of_row, int64_t* row_dual, int64_t* col_dual) const;
  int64_t cost() const;
  const HallViolator& violator() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace konig
