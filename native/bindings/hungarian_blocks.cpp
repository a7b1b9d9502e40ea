// What the distributed Hungarian methods need of each rank. Arguments are checked in Python.
#include "bindings/bindings.h"

#include <algorithm>
#include <utility>

#include "assignment/answer.h"
#include "assignment/distributed_paths.h"
#include "assignment/distributed_sweeps.h"
#include "konig/assignment/costs.h"

namespace konig {
namespace {

template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// ---- the Hungarian methods: sweeps over a block of whole numbers

template <class S>
void bind_whole_numbers(nb::module_& m) {
  m.def(
      "whole_numbers",
      [](Matrix<S> cost, double base, double first, double second, int threads,
         nb::ndarray<int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> number) {
        run_released(nb::none(), [&](Run& run) {
          whole_numbers(cost.data(), int64_t(cost.size()), {base, first, second}, threads, number.data(),
                        run);
        });
      },
      "cost"_raw, "base"_a, "first"_a, "second"_a, "threads"_a, "number"_raw,
      "Real costs as the whole numbers that the Hungarian methods calculate with.");
}

// A block, and the array that it reads.
template <class S>
struct HeldNumbers {
  Matrix<S> array;
  NumberBlock<S> block;
};

// work(run) without the GIL; the numbers that it returns.
template <class Work>
auto array_of(const Work& work) {
  decltype(work(std::declval<Run&>())) numbers;
  run_released(nb::none(), [&](Run& run) { numbers = work(run); });
  return as_array(std::move(numbers));
}

template <class S>
void bind_number_block(nb::module_& m, const char* name) {
  using Held = HeldNumbers<S>;
  nb::class_<Held>(m, name, "A block of whole numbers of which a rank of a Hungarian method finds slacks.")
      .def(
          "lowest_of_rows",
          [](Held& held, In<int32_t> row, In<int64_t> col_dual) {
            return array_of([&](Run& run) {
              return held.block.lowest_of_rows(row.data(), int64_t(row.size()), col_dual.data(), run);
            });
          },
          "row"_raw, "col_dual"_raw, "The smallest number - column dual of each of these rows.")
      .def(
          "lowest_of_cols",
          [](Held& held, In<int64_t> row_dual) {
            return array_of([&](Run& run) { return held.block.lowest_of_cols(row_dual.data(), run); });
          },
          "row_dual"_raw, "The smallest number - row dual of each column.")
      .def(
          "zero_edges",
          [](Held& held, In<int64_t> row_dual, In<int64_t> col_dual) {
            typename NumberBlock<S>::Edges edges;
            run_released(nb::none(), [&](Run& run) {
              edges = held.block.zero_edges(row_dual.data(), col_dual.data(), run);
            });
            return nb::make_tuple(as_array(std::move(edges.count)), as_array(std::move(edges.col)));
          },
          "row_dual"_raw, "col_dual"_raw,
          "How many edges with zero slack each row has, and their columns, row after row.")
      .def(
          "claim_zero_cols",
          [](Held& held, In<int32_t> row, In<int64_t> row_dual, Out<int64_t> open_dual) {
            return array_of([&](Run& run) {
              return held.block.claim_zero_cols(row.data(), int64_t(row.size()), row_dual.data(),
                                                open_dual.data(), run);
            });
          },
          "row"_raw, "row_dual"_raw, "open_dual"_raw,
          "Gives these rows open columns with zero slack, greedily; -1 where none is left. Columns whose "
          "dual "
          "is OUT_OF_SEARCH are not open; those claimed become it.")
      .def(
          "begin_search", [](Held& held, In<int64_t> col_dual) { held.block.begin_search(col_dual.data()); },
          "col_dual"_raw, "Begins a search with these duals of all columns.")
      .def(
          "relax",
          [](Held& held, In<int32_t> row, In<int64_t> row_dual, int64_t shift) {
            run_released(nb::none(), [&](Run& run) {
              held.block.relax(row.data(), int64_t(row.size()), row_dual.data(), shift, run);
            });
          },
          "row"_raw, "row_dual"_raw, "shift"_a,
          "Lowers the keys of open columns to their slacks against these rows (Algorithm 4).")
      .def(
          "take_reached",
          [](Held& held, int64_t shift, int64_t first) {
            return as_array(held.block.take_reached(shift, first));
          },
          "shift"_a, "first"_a,
          "Takes the columns with keys up to `shift` out of the search: the least key that is left, and "
          "these "
          "columns, counted from `first` and in the high half of a word, with the rows before them.");
  m.def(
      "number_block",
      [](Matrix<S> number, bool negated, int threads) {
        return new Held{
            number, {number.data(), int64_t(number.shape(0)), int64_t(number.shape(1)), negated, threads}};
      },
      "number"_raw, "negated"_a, "threads"_a, "A block of these rows, which must not change.");
}

// ---- and their alternating paths

void bind_paths(nb::module_& m) {
  m.def(
      "pair_greedily",
      [](In<int64_t> start, In<int32_t> neighbour, Out<int32_t> col_of_row, Out<int32_t> row_of_col) {
        return pair_greedily({int64_t(col_of_row.size()), start.data(), neighbour.data()},
                             {col_of_row.data(), row_of_col.data()});
      },
      "start"_raw, "neighbour"_raw, "col_of_row"_raw, "row_of_col"_raw,
      "Pairs rows with the first free columns in their lists; how many.");
  m.def(
      "forward_pass",
      [](In<int64_t> start, In<int32_t> neighbour, In<int32_t> row_of_col, Out<int32_t> queue,
         int64_t reached, Out<int32_t> predecessor) {
        ForwardPass pass;
        run_released(nb::none(), [&](Run& run) {
          pass = forward_pass({int64_t(queue.size()), start.data(), neighbour.data()}, row_of_col.data(),
                              {queue.data(), reached, predecessor.data()}, run);
        });
        return nb::make_tuple(pass.reached, as_array(std::move(pass.leaf)), pass.levels, pass.edges_scanned);
      },
      "start"_raw, "neighbour"_raw, "row_of_col"_raw, "queue"_raw, "reached"_a, "predecessor"_raw,
      "Grows alternating trees over lists of edges: how many rows they have then, the unassigned columns "
      "reached, levels and edges scanned.");
  m.def(
      "reverse_pass",
      [](In<int32_t> leaf, In<int32_t> predecessor, In<int32_t> col_of_row, Out<int32_t> successor) {
        return as_array(reverse_pass(leaf.data(), int64_t(leaf.size()), predecessor.data(), col_of_row.data(),
                                     successor.data()));
      },
      "leaf"_raw, "predecessor"_raw, "col_of_row"_raw, "successor"_raw,
      "The first rows of vertex-disjoint paths; writes the column after each of their rows.");
  m.def(
      "augment_paths",
      [](In<int32_t> root, In<int32_t> successor, Out<int32_t> col_of_row, Out<int32_t> row_of_col) {
        return augment_paths({root.data(), root.data() + root.size()}, successor.data(),
                             {col_of_row.data(), row_of_col.data()});
      },
      "root"_raw, "successor"_raw, "col_of_row"_raw, "row_of_col"_raw,
      "Changes the pairs along paths; how many edges these have.");
}

// ---- proofs of real costs: what one rank contributes

template <class S>
DenseRealCosts<S> real_costs_of(const Matrix<S>& cost, bool maximize, int threads) {
  return {int64_t(cost.shape(0)), int64_t(cost.shape(1)), {cost.data(), maximize}, NoLists(), threads};
}

constexpr size_t kRowsListed = 256;  // after each of which it is known how many pairs there are

template <class S>
void bind_proofs(nb::module_& m) {
  m.def(
      "lowest_below",
      [](Matrix<S> cost, bool maximize, int threads, In<double> col_dual, Out<double> lowest) {
        run_released(nb::none(), [&](Run& run) {
          real_costs_of<S>(cost, maximize, threads).find_lowest(col_dual.data(), lowest.data(), run);
        });
      },
      "cost"_raw, "maximize"_a, "threads"_a, "col_dual"_raw, "lowest"_raw,
      "The smallest cost - column dual of each row, rounded down; of negated costs to maximise.");
  m.def(
      "pairs_within",
      [](Matrix<S> cost, bool maximize, In<int32_t> rows, In<double> col_dual, In<double> bound,
         int64_t most) -> nb::object {
        std::vector<int64_t> start{0};
        std::vector<int32_t> col;
        std::vector<double> of_pair;
        const DenseRealCosts<S> costs = real_costs_of<S>(cost, maximize, 1);
        bool too_many = false;
        run_released(nb::none(), [&](Run& run) {
          for (size_t first = 0; first < rows.size() && !too_many; first += kRowsListed) {
            const size_t last = std::min(first + kRowsListed, rows.size());
            const std::vector<int32_t> asked(rows.data() + first, rows.data() + last);
            const RealCosts::Pairs found =
                costs.find_pairs(asked, col_dual.data(), bound.data() + first, run);
            for (size_t k = 1; k < found.start.size(); ++k)
              start.push_back(int64_t(col.size()) + found.start[k]);
            for (const RealCosts::Pair& pair : found.pair) {
              col.push_back(pair.col);
              of_pair.push_back(pair.cost);
            }
            too_many = most > 0 && int64_t(col.size()) > most;
          }
        });
        if (too_many) return nb::none();
        return nb::make_tuple(as_array(std::move(start)), as_array(std::move(col)),
                              as_array(std::move(of_pair)));
      },
      "cost"_raw, "maximize"_a, "rows"_raw, "col_dual"_raw, "bound"_raw, "most"_a = 0,
      "Where the pairs of each of these rows with cost - column dual at most its bound begin, their columns "
      "and costs; None if there are more than `most`, of which 0 is no limit.");
}

}  // namespace

void bind_hungarian_blocks(nb::module_& m) {
  m.attr("INFINITE") = assignment::kInfinite;
  m.attr("OUT_OF_SEARCH") = kOutOfSearch;
  bind_whole_numbers<float>(m);
  bind_whole_numbers<double>(m);
  bind_number_block<int32_t>(m, "NumberBlock32");
  bind_number_block<int64_t>(m, "NumberBlock64");
  bind_paths(m);
  bind_proofs<float>(m);
  bind_proofs<double>(m);
}

}  // namespace konig
