// Dense problems in which nearly all pairs cost the same, by the pairs that cost less.
#pragma once

#include <cstdint>
#include <type_traits>

#include "assignment/cheaper_pairs.h"
#include "assignment/common_cost_paths.h"
#include "assignment/dense_answers.h"
#include "core/kept.h"

namespace konig {

inline constexpr int64_t kMostKept = 1 << 13;       // columns for which a thread keeps the memory of a solve
inline constexpr int64_t kMostKeptOfPairs = 1024;   // the same where pairs are listed
inline constexpr double kLargestAsGiven = 0x1p900;  // a real |cost|

template <class T, class S>
bool solve_by_cheaper_pairs(const CheaperPairs<S>& pairs, DenseTask<S> task, const Oriented& shape,
                            SignedCosts<S> cost, DenseAnswer<S>& answer, Run& run) {
  Kept<CommonCostPaths<S, T>> kept;
  if (shape.cols > kMostKeptOfPairs) kept.drop();
  CommonCostPaths<S, T>& paths = *kept;
  paths.prepare(pairs.costs(), pairs.common(), cost);
  if (!paths.solve(run)) return false;
  task.largest = pairs.largest();
  if constexpr (std::is_integral_v<S>) {
    if (write_integers<T>(task, shape, paths, answer) != Outcome::optimal) return false;
  } else {
    if (write_reals(task, shape, cost, paths, answer, run) != Outcome::optimal) return false;
  }
  if (task.method == DenseMethod::core)
    count_core(pairs.count(), paths.counts(), run);
  else
    count(paths, run);
  return true;
}

// By the pairs that cost less than the rest, if that is what there is; see common_cost_paths.h. `cost` is in
// the orientation given. Nothing else need be known about the costs.
template <class S>
bool solve_by_cheaper_pairs(const DenseTask<S>& task, const Oriented& shape, SignedCosts<S> cost,
                            DenseAnswer<S>& answer, double& largest, Run& run) {
  Kept<CheaperPairs<S>> kept;
  if (shape.cols > kMostKeptOfPairs) kept.drop();
  if (!kept->find(cost, shape.rows, shape.cols, task.threads, run)) return false;
  largest = kept->largest();
  if constexpr (std::is_integral_v<S>) {
    const double bound = 8.0 * double(shape.rows + 1) * largest;
    if (sizeof(S) == 4 && bound < double(Bounds<int32_t>::largest))
      return solve_by_cheaper_pairs<S>(*kept, task, shape, cost, answer, run);
    if (!(bound < double(Bounds<int64_t>::largest))) return false;
    return solve_by_cheaper_pairs<int64_t>(*kept, task, shape, cost, answer, run);
  } else {
    if (!(largest <= kLargestAsGiven)) return false;
    return solve_by_cheaper_pairs<double>(*kept, task, shape, cost, answer, run);
  }
}

}  // namespace konig
