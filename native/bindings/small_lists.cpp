// Small sparse assignment problems, in one call (small.h).
#include <algorithm>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "assignment/answer.h"
#include "assignment/scans/cost_check.h"
#include "assignment/sparse/task.h"
#include "assignment/sparse/transposed.h"
#include "bindings/arrays.h"
#include "bindings/small.h"
#include "bindings/small_assignment.h"
#include "core/stopwatch.h"
#include "core/sweeps.h"

namespace konig {
namespace {

// Sound lists of ascending columns: an entry that does not ascend is the first of its row. These are counted
// without loops over short rows, whose ends could not be predicted.
template <class S>
bool are_sound(const SparseCosts<S>& lists) {
  const int64_t entries = lists.start[lists.rows];
  if (first_out_of_range(lists.col, entries, lists.cols) >= 0) return false;
  if (entries < 2) return true;
  int64_t descents = 0, between_rows = 0;
  for (int64_t e = 1; e < entries; ++e) descents += lists.col[e - 1] >= lists.col[e];
  for (int64_t i = 1; i < lists.rows; ++i) {
    const int64_t first = lists.start[i];
    const bool follows = first > 0 && first < lists.start[i + 1];
    const int64_t e = follows ? first : 1;
    between_rows += int(follows) & int(lists.col[e - 1] >= lists.col[e]);
  }
  return descents == between_rows;
}

template <class S>
FoundResult assign_lists(nb::handle result, const View& starts, const View& ids, const View& data,
                         int64_t rows, int64_t cols, bool maximize) {
  Stopwatch watch;
  const Integers<int64_t> start(starts);
  const int64_t entries = start.data[rows];
  if (start.data[0] != 0 || entries > ids.extent(0) || entries > data.extent(0) ||
      first_decrease(start.data, rows + 1) >= 0)
    return std::nullopt;
  const Integers<int32_t> col(ids);
  const RowsOf<S> values(data, false);
  const S* const cost = values.data;
  SparseCosts<S> costs{rows, cols, start.data, col.data, cost};
  if (!col.fits || !are_sound(costs)) return std::nullopt;
  const CostCheck check = check_costs(cost, entries, maximize);
  // Costs in 32 bits are summed in 64, and the negative of the least one has a bit more.
  const bool too_narrow = check.largest >= 0x1p31 || check.largest * double(rows + cols) >= 0x1p56;
  if (check.is_bad() || (std::is_same_v<S, int32_t> && too_narrow)) return std::nullopt;

  const bool transposed = rows > cols;
  const SmallArrays<S> arrays(rows, cols);
  int64_t *const row_ind = arrays.row_ind.data, *const col_ind = arrays.col_ind.data;
  SparseAnswer<S> answer{col_ind, arrays.row_dual(), arrays.col_dual()};
  if (transposed) std::swap(answer.row_dual, answer.col_dual);
  Run run;
  Outcome outcome;
  run_small(run, entries >= kGilEntries, [&](Run& running) {
    std::vector<S> negated;
    for (int64_t e = 0; maximize && e < entries; ++e) negated.push_back(-cost[e]);
    if (maximize) costs.cost = negated.data();
    std::optional<TransposedCosts<S>> turned;
    if (transposed) costs = turned.emplace(costs).costs();
    HallViolator violator;
    outcome = sparse_jv({costs, check.largest, nullptr}, answer, violator, running);
  });
  if (outcome != Outcome::optimal) return std::nullopt;
  std::iota(row_ind, row_ind + std::min(rows, cols), int64_t(0));
  if (transposed) transpose_pairs(row_ind, col_ind, rows, cols);
  if (maximize) {
    answer.total = -answer.total;
    DualOf<S>* const dual = arrays.row_dual();
    for (int64_t k = 0; k < rows + cols; ++k) dual[k] = 0 - dual[k];
  }
  return small_answer<S>(result, answer, arrays, maximize, run, watch);
}

FoundResult assign_sparse_small(nb::handle result, nb::handle indptr, nb::handle indices, nb::handle data,
                                nb::handle row_count, nb::handle col_count, bool maximize, int64_t most) {
  const View starts(indptr), ids(indices), costs(data);
  const int64_t rows = within_64_bits(row_count), cols = within_64_bits(col_count);
  if (!starts.lists_integers() || !ids.lists_integers() || !costs.has_dimensions(1)) return std::nullopt;
  if (rows <= 0 || cols <= 0 || rows > most || cols > most || ids.extent(0) > most) return std::nullopt;
  if (starts.extent(0) != rows + 1) return std::nullopt;
  return in_cost_type(
      costs, [&]<class S>(S) { return assign_lists<S>(result, starts, ids, costs, rows, cols, maximize); });
}

}  // namespace

void bind_small_lists(nb::module_& m) {
  if (_import_array() != 0) nb::raise_python_error();
  m.def("assign_sparse_small", &assign_sparse_small, "result"_a, "indptr"_a.none(), "indices"_a.none(),
        "data"_a.none(), "rows"_a, "cols"_a, "maximize"_a, "most"_a,
        "Solve the costs of a matrix of at most `most` rows, columns and entries in compressed rows, columns "
        "ascending: as small_assignments, or None for what this does not take.");
}

}  // namespace konig
