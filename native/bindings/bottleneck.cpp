// Bottleneck assignment.
#include "bindings/bindings.h"

#include "assignment/bottleneck/task.h"
#include "assignment/sparse/task.h"

namespace konig {
namespace {

template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::object as_cover(std::vector<uint8_t>& rows, std::vector<uint8_t>& cols) {
  if (rows.empty() && cols.empty()) return nb::none();
  return nb::make_tuple(as_array(std::move(rows)), as_array(std::move(cols)));
}

// (feasible, partner of each row, masks of the cover, those of a cover of all entries or None, counts); None
// for bad costs.
template <class Solve>
nb::object solved(nb::object progress, const Solve& solve) {
  BottleneckAnswer answer;
  const nb::dict stats = run_released(progress, [&](Run& run) { answer = solve(run); });
  if (answer.bad_costs) return nb::none();
  return nb::make_tuple(
      answer.feasible, as_array(std::move(answer.col_of_row)),
      nb::make_tuple(as_array(std::move(answer.row_cover)), as_array(std::move(answer.col_cover))),
      as_cover(answer.all_row_cover, answer.all_col_cover), stats);
}

template <class S>
void bind_costs(nb::module_& m) {
  m.def(
      "bottleneck_dense",
      [](Matrix<S> cost, bool maximize, bool full, int threads, nb::object progress) {
        const DenseCosts<S> costs{cost.data(), int64_t(cost.shape(0)), int64_t(cost.shape(1))};
        return solved(progress,
                      [&](Run& run) { return dense_bottleneck<S>(costs, {maximize, full, threads}, run); });
      },
      "cost"_raw, "maximize"_a, "full"_a, "threads"_a, "progress"_a.none(),
      "A bottleneck assignment: (whether there is one, the partner of each row, masks of rows and columns "
      "that meet every better entry, masks that meet every allowed entry or None, counts); None if a cost is "
      "NaN or infinite on the wrong side.");
  m.def(
      "bottleneck_sparse",
      [](In<int64_t> start, In<int32_t> col, In<S> cost, int64_t cols, bool maximize, bool full, int threads,
         nb::object progress) {
        const SparseCosts<S> costs{int64_t(start.size()) - 1, cols, start.data(), col.data(), cost.data()};
        return solved(progress,
                      [&](Run& run) { return sparse_bottleneck<S>(costs, {maximize, full, threads}, run); });
      },
      "start"_raw, "col"_raw, "cost"_raw, "cols"_a, "maximize"_a, "full"_a, "threads"_a, "progress"_a.none(),
      "The same of sparse costs.");
}

}  // namespace

void bind_bottleneck(nb::module_& m) {
  bind_costs<int32_t>(m);
  bind_costs<int64_t>(m);
  bind_costs<float>(m);
  bind_costs<double>(m);
}

}  // namespace konig
