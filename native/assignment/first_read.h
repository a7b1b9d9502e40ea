// The first read of the costs of a dense problem: it checks all of them, and finds what the first stage of
// the solve wants to know.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "assignment/core.h"
#include "assignment/line_minima.h"
#include "assignment/scans/cost_check.h"
#include "assignment/task.h"
#include "assignment/turned_rows.h"
#include "core/kept.h"

namespace konig {

// With more columns a thread does not keep the memory of a solve.
inline constexpr int64_t kMostKept = 1 << 13;

// What was found while the costs were read for the first time.
template <class S>
struct FirstRead {
  double largest = 0;                         // at least every finite |cost|
  const LineMinima<S>* col_minima = nullptr;  // of squares
  const LineMinima<S>* row_minima = nullptr;  // of rectangles
  TurnedRows<S>* turned = nullptr;            // has the costs, where they are stored by columns
  FirstCore<S, NarrowSums<S>>* core = nullptr;
};

// Reads the costs of a task that has no more rows than columns, and keeps what it finds.
template <class S>
class CostReader {
 public:
  explicit CostReader(const DenseTask<S>& task) : task_(task), core_(task.rows, task.cols, task.costs()) {}

  // If `check` is bad then, the rest means nothing.
  FirstRead<S> read(CostCheck& check, Run& run) {
    const bool starts_anew = !task_.initial_col_dual;
    const bool starts_with_core = starts_anew && task_.plan.core && !task_.plan.reduce_before_core;
    FirstRead<S> found;
    if (starts_with_core)
      core_.choose(task_.threads, &check, task_.maximize, run);
    else if (!starts_anew || !find_minima(found, check, run))
      check = check_costs(task_.cost, task_.rows * task_.cols, task_.maximize, task_.threads, run);
    found.largest = check.largest;
    // Costs beyond the infinity of a type cannot be compared in it.
    if (starts_with_core &&
        (!std::is_integral_v<S> || check.largest < double(Bounds<NarrowSums<S>>::infinity)))
      found.core = &core_;
    return found;
  }

 private:
  // False if some costs seem to be bad.
  bool find_minima(FirstRead<S>& found, CostCheck& check, Run& run) {
    minima_.emplace();
    if (task_.cols > kMostKept) minima_->drop();
    LineMinima<S>& minima = **minima_;
    if (task_.rows == task_.cols) {
      minima.find_of_columns(task_.costs(), task_.rows, task_.cols, run);
      found.col_minima = &minima;
    } else {
      minima.find_of_rows(task_.costs(), task_.rows, task_.cols, task_.threads, run);
      found.row_minima = &minima;
    }
    const auto largest = minima.largest();
    if (largest) check.largest = *largest;
    return largest.has_value();
  }

  const DenseTask<S>& task_;
  FirstCore<S, NarrowSums<S>> core_;
  std::optional<Kept<LineMinima<S>>> minima_;
};

}  // namespace konig
