// A dense problem in a plain array, solved as auto does; see plain_assignment.cpp.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "assignment/scans/cost_rows.h"
#include "assignment/task.h"
#include "bindings/dense_plan.h"
#include "bindings/plain.h"
#include "konig/bsp/cores.h"

namespace konig {

inline constexpr int64_t kHeldForEntries = 4097;  // for fewer the GIL is not worth releasing

// The costs row after row, or column after column, in the type that they are solved in: the array's own where
// it is that already.
template <class S, class Given>
const S* as_rows(const View& view, bool turned, std::unique_ptr<S[]>& made) {
  const int down = turned ? 1 : 0, right = turned ? 0 : 1;
  const CostLayout given{view.memory(), view.extent(down), view.extent(right), view.stride(down),
                         view.stride(right)};
  if constexpr (std::is_same_v<S, Given>)
    if (given.right == sizeof(S) && given.down == int64_t(given.cols * sizeof(S)))
      return reinterpret_cast<const S*>(given.base);
  made.reset(new S[size_t(given.rows * given.cols)]);
  write_rows<S, Given>(given, made.get());
  return made.get();
}

template <class S>
struct PlainSolve {
  Outcome outcome = Outcome::infeasible;
  bool is_bad = false;
  const S* cost = nullptr;
  int64_t cols = 0;  // of the costs as they were solved
  DenseAnswer<S> answer;
  HallViolator violator;
  Run run;
  double seconds = 0;
};

// Whether an array is best solved as the transposed one: it lies column after column, so that this need not
// be copied, or it has more rows than columns and is not so large that transposing it is work for threads.
template <class S, class Given>
bool is_best_turned(const View& view, const DensePlan& plan) {
  const bool by_columns = std::is_same_v<S, Given> && view.stride(0) == sizeof(S) &&
                          view.stride(1) == int64_t(view.extent(0) * sizeof(S)) && view.extent(0) > 1 &&
                          view.extent(1) > 1;
  const bool is_tall = view.extent(0) > view.extent(1) && !plan.parallel;
  return by_columns || is_tall;
}

// The pairs of a transposed problem as those of the problem itself, rows ascending.
template <class S>
void turn_pairs(DenseAnswer<S>& answer, int64_t rows, int64_t size) {
  std::vector<int64_t> col_of_row(size_t(rows), -1);
  for (int64_t p = 0; p < size; ++p) col_of_row[answer.col_ind[p]] = answer.row_ind[p];
  for (int64_t i = 0, p = 0; i < rows; ++i) {
    if (col_of_row[i] < 0) continue;
    answer.row_ind[p] = i;
    answer.col_ind[p++] = col_of_row[i];
  }
}

// Into the places of `solved.answer`. The view outlives the costs.
template <class S, class Given>
void solve_plain(const View& view, std::unique_ptr<S[]>& made, bool maximize, PlainSolve<S>& solved) {
  const auto began = std::chrono::steady_clock::now();
  const DensePlan plan = host_plan(view.extent(0), view.extent(1));
  const bool turned = is_best_turned<S, Given>(view, plan);
  const int64_t rows = view.extent(turned ? 1 : 0), cols = view.extent(turned ? 0 : 1);
  if (turned) std::swap(solved.answer.row_dual, solved.answer.col_dual);
  DenseTask<S> task;
  task.rows = rows;
  task.cols = cols;
  task.maximize = maximize;
  task.plan = plan;
  if (plan.parallel) task.threads = bsp::idle_cores();
  run_plain(solved.run, rows * cols >= kHeldForEntries, [&](Run& run) {
    task.cost = as_rows<S, Given>(view, turned, made);
    CostSurvey seen;
    solved.outcome = solve_dense(task, solved.answer, solved.violator, &seen, run);
    solved.is_bad = seen.is_bad();
  });
  solved.cost = task.cost;
  solved.cols = cols;
  if (turned) {
    std::swap(solved.answer.row_dual, solved.answer.col_dual);
    // Of a square it is about the rows of what was solved, and else about the shorter side.
    if (rows == cols) std::swap(solved.violator.rows, solved.violator.cols);
    if (solved.outcome == Outcome::optimal && !solved.is_bad)
      turn_pairs(solved.answer, cols, std::min(rows, cols));
  }
  solved.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// f<S, Given>() for the types of an array and of its solution; false if there is no such.
template <class F>
bool with_types(const View& view, const F& f) {
  if (!view.has_dimensions(2) || view.extent(0) == 0 || view.extent(1) == 0) return false;
  switch (view.type()) {
    case 'd':
      return f.template operator()<double, double>(), true;
    case 'f':
      return f.template operator()<float, float>(), true;
    case '?':
    case 'B':
      return f.template operator()<int32_t, uint8_t>(), true;
    case 'b':
      return f.template operator()<int32_t, int8_t>(), true;
    case 'h':
      return f.template operator()<int32_t, int16_t>(), true;
    case 'H':
      return f.template operator()<int32_t, uint16_t>(), true;
    case 'i':
    case 'l':
    case 'q':
      if (view.item_bytes() == 4) return f.template operator()<int32_t, int32_t>(), true;
      return f.template operator()<int64_t, int64_t>(), true;
    default:
      return false;
  }
}

}  // namespace konig
