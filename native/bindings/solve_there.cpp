// Dense costs on a GPU: their extent, and the solve by one launch.
#include "assignment/solve_there.h"

#include <nanobind/stl/pair.h>

#include "assignment/extent_there.h"
#include "bindings/gpu.h"
#include "bindings/programs.h"

namespace konig {
namespace {

Driver::Kernel kernel_in(const nb::tuple& kernels, int k) {
  return as_kernel(nb::borrow<nb::tuple>(kernels[k]));
}

nb::object as_number(const std::variant<int128, double>& cost) {
  return std::visit([](auto number) { return konig::as_number(number); }, cost);
}

// None if a cost is bad.
nb::object cost_extent(const Driver& driver, uintptr_t stream, const nb::tuple& kernel,
                       std::pair<unsigned, unsigned> grid, uintptr_t words, uintptr_t costs, int64_t count,
                       bool is_real, bool maximize) {
  const Driver::Kernel reading = as_kernel(kernel);
  ExtentThere found;
  {
    const nb::gil_scoped_release released;
    found = find_extent(driver, reading, grid.first, grid.second, {costs, count, maximize}, words, stream);
  }
  if (!found.is_good) return nb::none();
  if (!found.some_finite) return nb::make_tuple(0, 0, found.forbids);
  if (!is_real)
    return nb::make_tuple(ExtentThere::whole(found.least), ExtentThere::whole(found.greatest), found.forbids);
  return nb::make_tuple(ExtentThere::real(found.least), ExtentThere::real(found.greatest), found.forbids);
}

}  // namespace

void bind_solve_there(nb::module_& m) {
  m.def("cost_extent", &cost_extent, "driver"_a, "stream"_a, "kernel"_a, "grid"_a, "words"_a, "costs"_a,
        "count"_a, "is_real"_a, "maximize"_a,
        "The least and the greatest finite cost on a GPU, zeros where there is none, and whether some are "
        "forbidden; None if a cost is one that no solver may see. `words` are four of 64 bits there.");
  nb::class_<SolveThere>(m, "SolveThere", "Dense costs on a GPU, solved from nothing by one launch.")
      .def(
          "__init__",
          [](SolveThere* made, const Driver& driver, uintptr_t stream, const Program& program,
             const nb::tuple& kernels, std::pair<unsigned, unsigned> grid, uintptr_t costs,
             const nb::dict& numbers, bool is_real, bool maximize, bool transposed) {
            const Numbers given = read_numbers(numbers);
            const CostsOnDevice there{costs,
                                      std::get<int64_t>(given.at("rows")),
                                      std::get<int64_t>(given.at("cols")),
                                      program.item_bytes.at("costs"),
                                      maximize ? -1.0 : 1.0,
                                      kernel_in(kernels, 2),
                                      kernel_in(kernels, 3),
                                      kernel_in(kernels, 4),
                                      stream};
            new (made) SolveThere(driver, {program, kernel_in(kernels, 0), kernel_in(kernels, 1), grid.first,
                                           grid.second, there, is_real, maximize, transposed, given});
          },
          "driver"_a, "stream"_a, "program"_a, "kernels"_a, "grid"_a, "costs"_a, "numbers"_a, "is_real"_a,
          "maximize"_a, "transposed"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 4>(),
          "`kernels` are the program's, real_col_duals, pair_costs, lowest_slacks and pairs_within, and "
          "`grid` "
          "the blocks and threads of the first. `costs` is where they are, with the shorter side as rows.")
      .def_prop_ro(
          "places",
          [](const SolveThere& solve) {
            const SolveThere::Places& places = solve.places();
            return nb::make_tuple(places.control, places.answer, places.block, places.distances, places.arcs,
                                  places.end);
          },
          "Where the control words, the answer, the program's block, distances and arcs begin, and the end.")
      .def_prop_ro(
          "answer_places",
          [](const SolveThere& solve) {
            const SolveThere::Answer answer = solve.answer();
            return nb::make_tuple(answer.row_ind, answer.col_ind, answer.row_dual, answer.col_dual,
                                  answer.bytes);
          },
          "Where row_ind, col_ind, row_dual and col_dual begin in what `write` writes, and the end.")
      .def(
          "launch",
          [](SolveThere& solve, uintptr_t memory, int64_t nanoseconds) {
            const nb::gil_scoped_release released;
            solve.launch(memory, nanoseconds);
          },
          "memory"_a, "nanoseconds"_a, "One launch, of so long, in memory at this address.")
      .def_prop_ro("is_long", &SolveThere::is_long, "Whether duals of the longer side stay on the device.")
      .def_prop_ro("reading", &SolveThere::reading, nb::rv_policy::reference_internal)
      .def_prop_ro(
          "state",
          [](const SolveThere& solve) {
            return nb::bytes(solve.state(), solve.task().program.fresh_state.size());
          },
          "The bytes of the state after the launch.")
      .def(
          "write",
          [](SolveThere& solve, uintptr_t to, double least_paid, nb::callable allocate,
             const std::optional<nb::tuple>& long_sides) -> nb::object {
            LongSides sides;
            if (long_sides)
              sides = {kernel_in(*long_sides, 0), kernel_in(*long_sides, 1),
                       nb::cast<unsigned>((*long_sides)[2]), nb::cast<unsigned>((*long_sides)[3])};
            const auto more = [&allocate](int64_t bytes) {
              const nb::gil_scoped_acquire gil;
              return nb::cast<uintptr_t>(allocate(bytes));
            };
            bool written = false;
            run_released(nb::none(),
                         [&](Run& run) { written = solve.write(to, least_paid, more, sides, run); });
            if (!written) return nb::none();
            solve.forget();
            return nb::make_tuple(as_number(solve.cost), solve.gap, solve.exact_solves);
          },
          "to"_a, "least_paid"_a, "allocate"_a, "long_sides"_a.none(),
          "After a launch that has ended as optimal: writes the caller's answer there, and returns its cost, "
          "its gap and how often it was repaired exactly; None if that takes more than this. If it "
          "`is_long`, "
          "`long_sides` are pair_costs of 64 bits, whole_sum, and the blocks and threads of the latter.");
}

}  // namespace konig
