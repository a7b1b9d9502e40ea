// What the distributed Hungarian methods need of each rank. Arguments are checked in Python.
#include "bindings/bindings.h"

#include <algorithm>

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
NumberBlock<S> block_of(const Matrix<S>& number, bool negated, int threads) {
  return {number.data(), int64_t(number.shape(0)), int64_t(number.shape(1)), negated, threads};
}

OpenColumns columns_of(const Out<int64_t>& dual, const Out<int64_t>& key, const Out<int32_t>& before,
                       const Out<int64_t>& block_least) {
  return {int64_t(dual.size()), dual.data(), key.data(), before.data(), block_least.data()};
}

template <class S>
void bind_whole_numbers(nb::module_& m) {
  m.def(
      "whole_numbers",
      [](Matrix<S> cost, double base, double first, double second, int threads,
         nb::ndarray<int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> number) {
        run_released(nb::none(), [&](Run& run) {
          whole_numbers(cost.data(), int64_t(cost.size()), base, first, second, threads, number.data(), run);
        });
      },
      "cost"_raw, "base"_a, "first"_a, "second"_a, "threads"_a, "number"_raw,
      "Real costs as the whole numbers that the Hungarian methods calculate with.");
}

template <class S>
void bind_sweeps(nb::module_& m) {
  m.def(
      "lowest_of_rows",
      [](Matrix<S> number, bool negated, int threads, In<int32_t> row, In<int64_t> col_dual,
         Out<int64_t> lowest) {
        run_released(nb::none(), [&](Run& run) {
          lowest_of_rows(block_of<S>(number, negated, threads), row.data(), int64_t(row.size()),
                         col_dual.data(), lowest.data(), run);
        });
      },
      "number"_raw, "negated"_a, "threads"_a, "row"_raw, "col_dual"_raw, "lowest"_raw,
      "The smallest number - column dual of each of these rows.");
  m.def(
      "lowest_of_cols",
      [](Matrix<S> number, bool negated, int threads, In<int64_t> row_dual, Out<int64_t> lowest) {
        run_released(nb::none(), [&](Run& run) {
          lowest_of_cols(block_of<S>(number, negated, threads), row_dual.data(), lowest.data(), run);
        });
      },
      "number"_raw, "negated"_a, "threads"_a, "row_dual"_raw, "lowest"_raw,
      "The smallest number - row dual of each column.");
  m.def(
      "zero_edges",
      [](Matrix<S> number, bool negated, int threads, In<int64_t> row_dual, In<int64_t> col_dual,
         Out<int32_t> count) {
        std::vector<int32_t> cols;
        run_released(nb::none(), [&](Run& run) {
          cols = zero_edges(block_of<S>(number, negated, threads), row_dual.data(), col_dual.data(),
                            count.data(), run);
        });
        return as_array(std::move(cols));
      },
      "number"_raw, "negated"_a, "threads"_a, "row_dual"_raw, "col_dual"_raw, "count"_raw,
      "The columns of the edges with zero slack, row after row; writes how many each row has.");
  m.def(
      "claim_zero_cols",
      [](Matrix<S> number, bool negated, In<int32_t> row, In<int64_t> row_dual, Out<int64_t> open_dual,
         Out<int32_t> claimed) {
        run_released(nb::none(), [&](Run& run) {
          claim_zero_cols(block_of<S>(number, negated, 1), row.data(), int64_t(row.size()), row_dual.data(),
                          open_dual.data(), claimed.data(), run);
        });
      },
      "number"_raw, "negated"_a, "row"_raw, "row_dual"_raw, "open_dual"_raw, "claimed"_raw,
      "Gives these rows columns with zero slack, greedily; -1 where none is left.");
  m.def(
      "relax_cols",
      [](Matrix<S> number, bool negated, int threads, In<int32_t> row, In<int64_t> row_dual, int64_t shift,
         Out<int64_t> open_dual, Out<int64_t> key, Out<int32_t> before, Out<int64_t> block_least) {
        run_released(nb::none(), [&](Run& run) {
          relax_cols(block_of<S>(number, negated, threads), row.data(), int64_t(row.size()), row_dual.data(),
                     shift, columns_of(open_dual, key, before, block_least), run);
        });
      },
      "number"_raw, "negated"_a, "threads"_a, "row"_raw, "row_dual"_raw, "shift"_a, "open_dual"_raw,
      "key"_raw, "before"_raw, "block_least"_raw,
      "Lowers the keys of open columns to their slacks against these rows.");
}

// ---- and their alternating paths

void bind_paths(nb::module_& m) {
  m.def(
      "take_reached",
      [](int64_t shift, int64_t first, Out<int64_t> open_dual, Out<int64_t> key, Out<int32_t> before,
         Out<int64_t> block_least) {
        return as_array(take_reached(columns_of(open_dual, key, before, block_least), shift, first));
      },
      "shift"_a, "first"_a, "open_dual"_raw, "key"_raw, "before"_raw, "block_least"_raw,
      "Takes the columns with keys up to `shift` out of the search: the least key that is left, and these "
      "columns with the rows before them.");
  m.def(
      "join_reached",
      [](const std::vector<In<int64_t>>& told, int64_t shift, In<int32_t> row_of_col,
         Out<int32_t> predecessor, Out<int64_t> row_since, Out<int64_t> col_since) {
        const TreeSearch search{row_of_col.data(), predecessor.data(), row_since.data(), col_since.data()};
        int64_t least = assignment::kInfinite;
        std::vector<int32_t> frontier, leaf;
        for (const auto& part : told) {
          least = std::min(least, part.data()[0]);
          join_reached(part.data() + 1, int64_t(part.size()) - 1, shift, search, frontier, leaf);
        }
        return nb::make_tuple(as_array(std::move(frontier)), as_array(std::move(leaf)), least);
      },
      "told"_a, "shift"_a, "row_of_col"_raw, "predecessor"_raw, "row_since"_raw, "col_since"_raw,
      "Adds what the ranks have told by take_reached to a search: the rows that join, the unassigned columns "
      "reached, and the least key.");
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
      [](Matrix<S> cost, bool maximize, In<int32_t> rows, In<double> col_dual, In<double> bound) {
        RealCosts::Pairs found;
        const std::vector<int32_t> asked(rows.data(), rows.data() + rows.size());
        run_released(nb::none(), [&](Run& run) {
          found = real_costs_of<S>(cost, maximize, 1).find_pairs(asked, col_dual.data(), bound.data(), run);
        });
        std::vector<int32_t> col;
        std::vector<double> of_pair;
        for (const RealCosts::Pair& pair : found.pair) {
          col.push_back(pair.col);
          of_pair.push_back(pair.cost);
        }
        return nb::make_tuple(as_array(std::move(found.start)), as_array(std::move(col)),
                              as_array(std::move(of_pair)));
      },
      "cost"_raw, "maximize"_a, "rows"_raw, "col_dual"_raw, "bound"_raw,
      "Where the pairs of each of these rows with cost - column dual at most its bound begin, their columns "
      "and costs.");
}

}  // namespace

void bind_hungarian_blocks(nb::module_& m) {
  m.attr("INFINITE") = assignment::kInfinite;
  m.attr("OUT_OF_SEARCH") = Bounds<int64_t>::scanned;
  m.attr("SCAN_BLOCK") = kScanBlock;
  bind_whole_numbers<float>(m);
  bind_whole_numbers<double>(m);
  bind_sweeps<int32_t>(m);
  bind_sweeps<int64_t>(m);
  bind_paths(m);
  bind_proofs<float>(m);
  bind_proofs<double>(m);
}

}  // namespace konig
