// The assignment methods on a CPU team: the Hungarian ones and core-paths.
#include "assignment/assignment_on_team.h"
#include "bindings/bindings.h"

namespace konig {
namespace {

// Rows may lie apart; the entries of a row are neighbours.
template <class Cost>
using Matrix = nb::ndarray<const Cost, nb::ndim<2>, nb::any_contig, nb::device::cpu>;

template <class Cost>
nb::dict solve(assignment::Tile<Cost> tile, int64_t rows, int64_t cols, Out<int32_t> col_of_row,
               Out<int32_t> row_of_col, Out<int64_t> row_dual, Out<int64_t> col_dual,
               Out<uint8_t> row_reached, Out<uint8_t> col_reached, bool warm, const nb::dict& settings,
               nb::object progress) {
  const TeamProblem<Cost> problem{rows,
                                  cols,
                                  tile,
                                  col_of_row.data(),
                                  row_of_col.data(),
                                  row_dual.data(),
                                  col_dual.data(),
                                  row_reached.data(),
                                  col_reached.data(),
                                  warm};
  const Knobs knobs = read_knobs(settings);
  const auto on_team = knobs.text("variant") == "core" ? core_paths_on_team<Cost> : hungarian_on_team<Cost>;
  return run_released(progress,
                      [&](Run& run) { run.count("feasible", int64_t(on_team(problem, knobs, run))); });
}

template <class Cost>
void bind_integers(nb::module_& m) {
  m.def(
      "assign_on_team",
      [](Matrix<Cost> costs, int64_t base, bool maximize, bool masked, Out<int32_t> col_of_row,
         Out<int32_t> row_of_col, Out<int64_t> row_dual, Out<int64_t> col_dual, Out<uint8_t> row_reached,
         Out<uint8_t> col_reached, bool warm, const nb::dict& settings, nb::object progress) {
        const assignment::Tile<Cost> tile{costs.data(), costs.stride(0), base, maximize ? -1 : 0, masked};
        return solve<Cost>(tile, int64_t(costs.shape(0)), int64_t(costs.shape(1)), col_of_row, row_of_col,
                           row_dual, col_dual, row_reached, col_reached, warm, settings, progress);
      },
      "costs"_a.noconvert(), "base"_a, "maximize"_a, "masked"_a, "col_of_row"_a.noconvert(),
      "row_of_col"_a.noconvert(), "row_dual"_a.noconvert(), "col_dual"_a.noconvert(),
      "row_reached"_a.noconvert(), "col_reached"_a.noconvert(), "warm"_a, "knobs"_a, "progress"_a.none(),
      "Assign all rows at least cost; duals are those of entry - base, or base - entry when maximising.");
}

template <class Cost>
void bind_reals(nb::module_& m) {
  m.def(
      "assign_on_team",
      [](Matrix<Cost> costs, double base, double first, double second, Out<int32_t> col_of_row,
         Out<int32_t> row_of_col, Out<int64_t> row_dual, Out<int64_t> col_dual, Out<uint8_t> row_reached,
         Out<uint8_t> col_reached, bool warm, const nb::dict& settings, nb::object progress) {
        const assignment::Tile<Cost> tile{costs.data(), costs.stride(0), {base, first, second}};
        return solve<Cost>(tile, int64_t(costs.shape(0)), int64_t(costs.shape(1)), col_of_row, row_of_col,
                           row_dual, col_dual, row_reached, col_reached, warm, settings, progress);
      },
      "costs"_a.noconvert(), "base"_a, "first"_a, "second"_a, "col_of_row"_a.noconvert(),
      "row_of_col"_a.noconvert(), "row_dual"_a.noconvert(), "col_dual"_a.noconvert(),
      "row_reached"_a.noconvert(), "col_reached"_a.noconvert(), "warm"_a, "knobs"_a, "progress"_a.none(),
      "The same for real costs; duals are those of the whole part of (entry - base) * first * second.");
}

}  // namespace

void bind_assignment_on_team(nb::module_& m) {
  bind_integers<int32_t>(m);
  bind_integers<int64_t>(m);
  bind_reals<float>(m);
  bind_reals<double>(m);
}

}  // namespace konig
