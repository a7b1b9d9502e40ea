// What an assignment by several processes needs of each. Arguments are checked in Python.
#include "assignment/cost_block.h"

#include <cstring>

#include "assignment/distributed_core.h"
#include "assignment/sparse/shared_auction.h"
#include "bindings/bindings.h"

namespace konig {
namespace {

template <class S>
using Matrix = nb::ndarray<const S, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A block, and the array that it reads.
template <class S>
struct HeldBlock {
  HeldBlock(Matrix<S> cost, bool maximize, int threads)
      : array(cost),
        block(int64_t(cost.shape(0)), int64_t(cost.shape(1)), {cost.data(), maximize}, threads) {}

  Matrix<S> array;
  CostBlock<S> block;
};

// (start, col, cost): costs as they are minimised.
template <class S>
nb::tuple as_tuple(const CostBlock<S>& block, ColumnLists lists) {
  std::vector<S> cost;
  cost.reserve(lists.col.size());
  for (size_t i = 0; i + 1 < lists.start.size(); ++i)
    for (int64_t e = lists.start[i]; e < lists.start[i + 1]; ++e)
      cost.push_back(block.cost(int64_t(i), lists.col[e]));
  return nb::make_tuple(as_array(std::move(lists.start)), as_array(std::move(lists.col)),
                        as_array(std::move(cost)));
}

template <class S>
void bind_block(nb::module_& m, const char* name) {
  using Held = HeldBlock<S>;
  nb::class_<Held>(m, name, "Some rows of a dense matrix of costs, to be minimised or maximised.")
      .def(
          "choose",
          [](Held& held, int64_t first_row) {
            CostCheck check;
            ColumnLists lists;
            run_released(nb::none(), [&](Run& run) { lists = held.block.choose(first_row, check, run); });
            return nb::make_tuple(
                nb::make_tuple(check.largest, check.first_nan, check.first_wrong, check.forbids),
                as_tuple(held.block, std::move(lists)));
          },
          "first_row"_a,
          "What check_costs says about the block, and its lists (start, col, cost) of the smallest costs of "
          "each row. Costs are negated to maximise.")
      .def(
          "undercutting",
          [](Held& held, In<DualOf<S>> row_dual, In<DualOf<S>> col_dual, int64_t most) {
            ColumnLists lists;
            run_released(nb::none(), [&](Run& run) {
              lists = held.block.undercutting(row_dual.data(), col_dual.data(), most, run);
            });
            return as_tuple(held.block, std::move(lists));
          },
          "row_dual"_raw, "col_dual"_raw, "most"_a,
          "Lists of the entries, at most so many of a row, that cost less than the sum of their duals; duals "
          "are those of the costs as they are minimised.");
  m.def(
      "cost_block",
      [](Matrix<S> cost, bool maximize, int threads) { return new Held(cost, maximize, threads); },
      "cost"_raw, "maximize"_a, "threads"_a, "A block of these rows, which must not change.");
}

template <class T>
std::vector<T> copied(const In<T>& values) {
  return {values.data(), values.data() + values.size()};
}

// Bids travel as bytes.
using Bytes = In<uint8_t>;

void bind_shared_auction(nb::module_& m) {
  using Bid = SharedAuction::Bid;
  nb::class_<SharedAuction>(m, "SharedAuction", "An auction whose rows several processes share.")
      .def(
          "__init__",
          [](SharedAuction* made, int32_t first_row, int64_t cols, In<int64_t> start, In<int32_t> col,
             In<double> cost) {
            new (made) SharedAuction(first_row, cols, copied(start), copied(col), copied(cost));
          },
          "first_row"_a, "cols"_a, "start"_raw, "col"_raw, "cost"_raw)
      .def(
          "give_up",
          [](SharedAuction& auction, double epsilon) { return as_array(auction.give_up(epsilon)); },
          "epsilon"_a, "Begin a phase; the columns whose rows here give them up.")
      .def(
          "release",
          [](SharedAuction& auction, In<int32_t> cols) {
            auction.release(cols.data(), int64_t(cols.size()));
          },
          "cols"_raw, "The columns that rows of all processes have given up.")
      .def(
          "bids",
          [](SharedAuction& auction, double epsilon) {
            const std::vector<Bid> made = auction.bids(epsilon);
            const auto* const first = reinterpret_cast<const uint8_t*>(made.data());
            return as_array(std::vector<uint8_t>(first, first + made.size() * sizeof(Bid)));
          },
          "epsilon"_a, "The bids of the free rows here, in bytes.")
      .def(
          "settle",
          [](SharedAuction& auction, Bytes bids) {
            std::vector<Bid> all(bids.size() / sizeof(Bid));
            std::memcpy(all.data(), bids.data(), bids.size());
            auction.settle(all.data(), int64_t(all.size()));
            return all.size();
          },
          "bids"_raw, "The bids of all processes; how many they are.")
      .def_prop_ro(
          "prices", [](const SharedAuction& auction) { return as_array(auction.prices()); },
          nb::rv_policy::automatic);
}

void bind_shared_core(nb::module_& m) {
  nb::class_<SharedCore>(m, "SharedCore", "The core of a square matrix that several processes share.")
      .def(nb::init<int64_t>(), "size"_a)
      .def(
          "add",
          [](SharedCore& core, In<int64_t> count, In<int32_t> col, In<int64_t> cost) {
            core.add(count.data(), col.data(), cost.data());
          },
          "count"_raw, "col"_raw, "cost"_raw, "Entries join, so many of each row; none is there already.")
      .def(
          "solve",
          [](SharedCore& core, In<int64_t> initial, Out<int64_t> col_of_row, Out<int64_t> row_dual,
             Out<int64_t> col_dual, nb::object progress) {
            bool feasible = false;
            const nb::dict stats =
                run_released(progress, [&](Run& run) { feasible = core.solve(initial.data(), run); });
            if (!feasible)
              return nb::make_tuple(as_array(core.violator().rows), as_array(core.violator().cols), stats);
            const int64_t cost = core.answer(col_of_row.data(), row_dual.data(), col_dual.data());
            return nb::make_tuple(cost, nb::none(), stats);
          },
          "initial"_raw, "col_of_row"_raw, "row_dual"_raw, "col_dual"_raw, "progress"_a.none(),
          "The cost, None and what was counted; or the rows and the columns of a Hall violator, as masks. "
          "The first solve starts from these duals of columns, and so does one after a violator.");
}

}  // namespace

void bind_cost_blocks(nb::module_& m) {
  bind_block<int32_t>(m, "CostBlockInt32");
  bind_block<int64_t>(m, "CostBlockInt64");
  bind_block<float>(m, "CostBlockFloat32");
  bind_block<double>(m, "CostBlockFloat64");
  bind_shared_auction(m);
  bind_shared_core(m);
}

}  // namespace konig
