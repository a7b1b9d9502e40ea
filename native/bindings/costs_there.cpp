// Real costs on a GPU, as proofs read them.
#include "assignment/exact/costs_there.h"

#include "bindings/gpu.h"

namespace konig {
namespace {

// (start, col, cost), or None.
nb::object as_tuple(std::optional<RealCosts::Pairs> found) {
  if (!found) return nb::none();
  std::vector<int32_t> col;
  std::vector<double> cost;
  for (const auto& pair : found->pair) col.push_back(pair.col), cost.push_back(pair.cost);
  return nb::make_tuple(as_array(std::move(found->start)), as_array(std::move(col)),
                        as_array(std::move(cost)));
}

}  // namespace

void bind_costs_there(nb::module_& m) {
  nb::class_<CostsThere>(m, "CostsThere", "Real costs on a GPU, as proofs read them.")
      .def(
          "__init__",
          [](CostsThere* made, const Driver& driver, uintptr_t stream, uintptr_t cost, int64_t rows,
             int64_t cols, int64_t item_bytes, double sign, const nb::tuple& kernels, uintptr_t memory,
             nb::callable allocate) {
            const auto kernel = [&](int k) { return as_kernel(nb::borrow<nb::tuple>(kernels[k])); };
            const CostsOnDevice there{cost,      rows,      cols,      item_bytes, sign,
                                      kernel(0), kernel(1), kernel(2), stream};
            new (made) CostsThere(driver, there, memory, [allocate](int64_t bytes) {
              const nb::gil_scoped_acquire gil;
              return nb::cast<uintptr_t>(allocate(bytes));
            });
          },
          "driver"_a, "stream"_a, "cost"_a, "rows"_a, "cols"_a, "item_bytes"_a, "sign"_a, "kernels"_a,
          "memory"_a, "allocate"_a, nb::keep_alive<1, 2>(),
          "`kernels` are pair_costs, lowest_slacks and pairs_within; `allocate` gives the address of so many "
          "more bytes.")
      .def_static("scratch_bytes", &CostsThere::scratch_bytes, "rows"_a, "cols"_a,
                  "How many bytes `memory` has.")
      .def(
          "know_costs",
          [](CostsThere& costs, In<int32_t> col_of_row, In<double> paid) {
            costs.know_costs(col_of_row.data(), paid.data());
          },
          "col_of_row"_raw, "paid"_raw, "What these pairs cost the caller.")
      .def(
          "know_lowest",
          [](CostsThere& costs, In<double> col_dual, In<double> lowest) {
            costs.know_lowest(col_dual.data(), lowest.data());
          },
          "col_dual"_raw, "lowest"_raw, "The smallest cost - dual of each row for these duals.")
      .def(
          "find_costs",
          [](const CostsThere& costs, In<int32_t> col_of_row, Out<double> cost) {
            const nb::gil_scoped_release released;
            costs.find_costs(col_of_row.data(), cost.data());
          },
          "col_of_row"_raw, "cost"_raw, "What one pair in each row costs, minimised.")
      .def(
          "find_lowest",
          [](const CostsThere& costs, In<double> col_dual, Out<double> lowest) {
            run_released(nb::none(),
                         [&](Run& run) { costs.find_lowest(col_dual.data(), lowest.data(), run); });
          },
          "col_dual"_raw, "lowest"_raw, "The smallest cost - dual of each row, rounded down.")
      .def(
          "find_pairs",
          [](const CostsThere& costs, In<int32_t> rows, In<double> col_dual, In<double> bound, int64_t most) {
            const std::vector<int32_t> asked(rows.data(), rows.data() + rows.size());
            std::optional<RealCosts::Pairs> found;
            run_released(nb::none(),
                         [&](Run&) { found = costs.list_pairs(asked, col_dual.data(), bound.data(), most); });
            return as_tuple(std::move(found));
          },
          "rows"_raw, "col_dual"_raw, "bound"_raw, "most"_a,
          "(start, col, cost): where the pairs of these rows with cost - dual at most their bound begin, "
          "their columns and costs; None if there are more than `most`, of which 0 is no limit.");
}

}  // namespace konig
