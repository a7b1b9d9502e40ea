// Matching, searches along alternating paths for block triangular forms, and compressed lists.
#include "bindings/bindings.h"

#include <optional>

#include "core/compressed.h"
#include "matching/alternating_paths.h"
#include "matching/solvers.h"
#include "matching/strong_components.h"

namespace konig {
namespace {

template <class Id, class Offset>
Adjacency<Id, Offset> adjacency(const std::optional<In<Offset>>& start,
                                const std::optional<In<Id>>& neighbour) {
  if (!start) return {};
  return {start->data(), neighbour->data()};
}

template <class Id, class Offset>
nb::dict solve(const std::string& name, const std::optional<In<Offset>>& row_start,
               const std::optional<In<Id>>& row_cols, const std::optional<In<Offset>>& col_start,
               const std::optional<In<Id>>& col_rows, Out<Id> col_of_row, Out<Id> row_of_col,
               const nb::dict& settings, nb::object progress) {
  const auto solver = find_solver<Id, Offset>(name);
  if (!solver) throw nb::key_error(name.c_str());
  const Knobs knobs = read_knobs(settings);
  const Pattern<Id, Offset> graph{Id(col_of_row.size()), Id(row_of_col.size()),
                                  adjacency<Id, Offset>(row_start, row_cols),
                                  adjacency<Id, Offset>(col_start, col_rows)};
  const Mates<Id> mates{col_of_row.data(), row_of_col.data()};
  return run_released(progress, [&](Run& run) { solver(graph, mates, knobs, run); });
}

// Calls work(graph, mates, run), which reads column lists and a matching, without the GIL.
template <class Id, class Offset, class Work>
void read_matching(const In<Offset>& col_start, const In<Id>& col_rows, const In<Id>& col_of_row,
                   const In<Id>& row_of_col, const Work& work) {
  const Pattern<Id, Offset> graph{
      Id(col_of_row.size()), Id(row_of_col.size()), {}, {col_start.data(), col_rows.data()}};
  const Mates<Id> mates{const_cast<Id*>(col_of_row.data()), const_cast<Id*>(row_of_col.data())};
  run_released(nb::none(), [&](Run& run) { work(graph, mates, run); });
}

template <class Id, class Offset>
void bind_searches(nb::module_& m) {
  m.def(
      "alternating_reach",
      [](In<Offset> col_start, In<Id> col_rows, In<Id> col_of_row, In<Id> row_of_col,
         Out<uint8_t> row_reached, Out<uint8_t> col_reached) {
        read_matching(col_start, col_rows, col_of_row, row_of_col, [&](auto& graph, auto mates, Run& run) {
          alternating_reach(graph, mates, row_reached.data(), col_reached.data(), run);
        });
      },
      "col_start"_raw, "col_rows"_raw, "col_of_row"_raw, "row_of_col"_raw, "row_reached"_raw,
      "col_reached"_raw, "Mark what alternating paths from unmatched columns reach.");
  m.def(
      "strong_components",
      [](In<Offset> col_start, In<Id> col_rows, In<Id> col_of_row, In<Id> row_of_col, In<uint8_t> in_square,
         Out<Id> component) {
        int64_t components = 0;
        read_matching(col_start, col_rows, col_of_row, row_of_col, [&](auto& graph, auto mates, Run& run) {
          components = strong_components(graph, mates, in_square.data(), component.data(), run);
        });
        return components;
      },
      "col_start"_raw, "col_rows"_raw, "col_of_row"_raw, "row_of_col"_raw, "in_square"_raw, "component"_raw,
      "Number the strong components of the matched square part in block upper triangular order.");
  m.def(
      "alternating_forest",
      [](In<Offset> col_start, In<Id> col_rows, In<Id> col_of_row, In<Id> row_of_col, In<Id> roots,
         In<Id> block_of_row, In<Id> block_of_col, Out<Id> col_before_row) {
        read_matching(col_start, col_rows, col_of_row, row_of_col, [&](auto& graph, auto mates, Run& run) {
          alternating_forest(graph, mates, roots.data(), int64_t(roots.size()), block_of_row.data(),
                             block_of_col.data(), col_before_row.data(), run);
        });
      },
      "col_start"_raw, "col_rows"_raw, "col_of_row"_raw, "row_of_col"_raw, "roots"_raw, "block_of_row"_raw,
      "block_of_col"_raw, "col_before_row"_raw,
      "The column before each row on alternating paths from the roots that stay inside their block.");
}

template <class Id, class Offset>
void bind_for(nb::module_& m) {
  m.def("solve", &solve<Id, Offset>, "name"_a, "row_start"_raw.none(), "row_cols"_raw.none(),
        "col_start"_raw.none(), "col_rows"_raw.none(), "col_of_row"_raw, "row_of_col"_raw, "knobs"_a,
        "progress"_a.none(),
        "Improve the matching in place with the named solver and return what it counted.");
  m.def(
      "transpose",
      [](In<Offset> start, In<Id> neighbour, Out<Offset> out_start, Out<Id> out_neighbour, int threads) {
        const int64_t vertices = int64_t(start.size()) - 1, others = int64_t(out_start.size()) - 1;
        run_released(nb::none(), [&](Run& run) {
          transpose(start.data(), neighbour.data(), vertices, others, out_start.data(), out_neighbour.data(),
                    threads, run);
        });
      },
      "start"_raw, "neighbour"_raw, "out_start"_raw, "out_neighbour"_raw, "threads"_a = 1,
      "Fill the other orientation of compressed lists; out_start holds zeros on entry.");
  m.def(
      "compress_pairs",
      [](In<Id> major, In<Id> minor, Out<Offset> out_start, Out<Id> out_neighbour, int threads) {
        const int64_t pairs = int64_t(major.size()), vertices = int64_t(out_start.size()) - 1;
        run_released(nb::none(), [&](Run& run) {
          compress_pairs(major.data(), minor.data(), pairs, vertices, out_start.data(), out_neighbour.data(),
                         threads, run);
        });
      },
      "major"_raw, "minor"_raw, "out_start"_raw, "out_neighbour"_raw, "threads"_a = 1,
      "Compress pairs into lists; out_start holds zeros on entry.");
  bind_searches<Id, Offset>(m);
}

template <class Id>
void bind_checks(nb::module_& m) {
  m.def(
      "first_out_of_range",
      [](In<Id> values, int64_t bound, int threads) {
        nb::gil_scoped_release released;
        return first_out_of_range(values.data(), int64_t(values.size()), bound, threads);
      },
      "values"_raw, "bound"_a, "threads"_a = 1,
      "The first position whose value is not in [0, bound), or -1.");
  m.def(
      "fill",
      [](Out<Id> values, Id value, int threads) {
        nb::gil_scoped_release released;
        parallel_fill(values.data(), int64_t(values.size()), value, threads);
      },
      "values"_raw, "value"_a, "threads"_a, "Set every value, by several threads.");
  m.def(
      "first_decrease",
      [](In<Id> start, int threads) {
        nb::gil_scoped_release released;
        return first_decrease(start.data(), int64_t(start.size()), threads);
      },
      "start"_raw, "threads"_a = 1, "The first position at which the offsets decrease, or -1.");
}

}  // namespace

void bind_matching(nb::module_& m) {
  bind_for<int32_t, int32_t>(m);
  bind_for<int32_t, int64_t>(m);
  bind_for<int64_t, int64_t>(m);
  bind_checks<int32_t>(m);
  bind_checks<int64_t>(m);
}

}  // namespace konig
