// Maximum flow on arcs and on grids, cancelling of circulations, and the sorting of arcs.
#include "bindings/bindings.h"

#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>
#include <vector>

#include "flow/arcs.h"
#include "flow/circulations.h"
#include "flow/grid_flow.h"
#include "flow/maximum_flow.h"
#include "flow/net_flows.h"

namespace konig {
namespace {

// The counts, and as "value" the result of solve(run): None if it is too large.
template <class Solve>
nb::dict counts_and_value(nb::object progress, Solve solve) {
  std::optional<int64_t> value;
  nb::dict stats = run_released(progress, [&](Run& run) { value = solve(run); });
  stats["value"] = value ? nb::cast(*value) : nb::object(nb::none());
  return stats;
}

template <class Index>
void bind_for(nb::module_& m) {
  m.def(
      "maximum_flow",
      [](const FlowPlan& plan, const std::optional<In<Index>>& start, const std::optional<In<Index>>& tail,
         In<Index> head, In<int64_t> capacity, In<uint8_t> role, bool undirected,
         const std::optional<In<int64_t>>& initial, Out<int64_t> flow, Out<uint8_t> source_side,
         nb::object progress) {
        const Arcs<Index> arcs{Index(role.size()),
                               start ? start->data() : nullptr,
                               head.data(),
                               capacity.data(),
                               reinterpret_cast<const Role*>(role.data()),
                               undirected,
                               tail ? tail->data() : nullptr,
                               Index(head.size())};
        return counts_and_value(progress, [&](Run& run) {
          return maximum_flow<Index>(plan, arcs, initial ? initial->data() : nullptr,
                                     {flow.data(), source_side.data()}, run);
        });
      },
      "plan"_a, "start"_raw.none(), "tail"_raw.none(), "head"_raw, "capacity"_raw, "role"_raw, "undirected"_a,
      "initial"_raw.none(), "flow"_raw, "source_side"_raw, "progress"_a.none(),
      "Write a maximum flow and the source side of a minimum cut. Arcs are sorted lists that begin at start, "
      "or have a tail each and come in any order. Returns what was counted and the value, None if it is "
      "above 2^62.");
  m.def(
      "cancel_circulations",
      [](In<Index> tail, In<Index> head, In<uint8_t> role, bool undirected, Out<int64_t> flow) {
        Arcs<Index> arcs;
        arcs.vertices = Index(role.size());
        arcs.head = head.data();
        arcs.role = reinterpret_cast<const Role*>(role.data());
        arcs.undirected = undirected;
        arcs.tail = tail.data();
        arcs.listed = Index(head.size());
        run_released(nb::none(), [&](Run& run) { cancel_all_circulations(arcs, flow.data(), run); });
      },
      "tail"_raw, "head"_raw, "role"_raw, "undirected"_a, "flow"_raw,
      "Take all circulation off the flow of arcs in any order, in place.");
  m.def(
      "sorted_lists",
      [](In<Index> start, In<Index> head) {
        nb::gil_scoped_release released;
        return sorted_lists(start.data(), head.data(), Index(start.size() - 1));
      },
      "start"_raw, "head"_raw, "Whether the heads of each vertex increase, so that none occurs twice.");
  m.def(
      "net_flows",
      [](In<Index> start, In<Index> head, In<int64_t> flow, Out<Index> net_start, Out<Index> net_head,
         Out<int64_t> net_flow) {
        int64_t count = 0;
        run_released(nb::none(), [&](Run& run) {
          count = net_flows(start.data(), head.data(), flow.data(), Index(start.size() - 1), net_start.data(),
                            net_head.data(), net_flow.data(), run);
        });
        return count;
      },
      "start"_raw, "head"_raw, "flow"_raw, "net_start"_raw, "net_head"_raw, "net_flow"_raw,
      "The flow of sorted lists minus its transpose, on the entries of both; returns how many there are.");
  m.def(
      "sort_arcs",
      [](In<Index> tail, In<Index> head, Out<Index> start, Out<Index> order) {
        run_released(nb::none(), [&](Run& run) {
          sort_arcs(tail.data(), head.data(), Index(tail.size()), Index(start.size() - 1), start.data(),
                    order.data(), run);
        });
      },
      "tail"_raw, "head"_raw, "start"_raw, "order"_raw,
      "Order arcs by tail and head, stably; start holds zeros on entry and gets each tail's first place.");
}

void bind_grid(nb::module_& m) {
  m.def(
      "grid_flow",
      [](const FlowPlan& plan, const std::vector<int64_t>& shape, int directions, bool symmetric,
         In<int64_t> source, In<int64_t> sink, In<int64_t> neighbour,
         const std::optional<std::tuple<In<int64_t>, In<int64_t>, In<int64_t>>>& initial,
         Out<int64_t> source_flow, Out<int64_t> sink_flow, Out<int64_t> flow, Out<uint8_t> source_side,
         nb::object progress) {
        GridProblem problem{{shape[0], shape[1], shape[2]},
                            directions,
                            symmetric,
                            {source.data(), sink.data(), neighbour.data()},
                            {},
                            {source_flow.data(), sink_flow.data(), flow.data()},
                            source_side.data()};
        if (initial) std::apply([&](auto&... part) { problem.start = {part.data()...}; }, *initial);
        return counts_and_value(progress, [&](Run& run) { return grid_flow(plan, problem, run); });
      },
      "plan"_a, "shape"_a, "directions"_a, "symmetric"_a, "source"_raw, "sink"_raw, "neighbour"_raw,
      "initial"_a.none(), "source_flow"_raw, "sink_flow"_raw, "flow"_raw, "source_side"_raw,
      "progress"_a.none(),
      "Write a maximum flow of a grid and the source side of a minimum cut; `flow` holds zeros on entry. "
      "Returns what was counted and the value, None if it is above 2^62.");
}

}  // namespace

void bind_plan(nb::module_& m) {
  using Trees = std::tuple<int64_t, double, int64_t>;
  nb::class_<FlowPlan>(m, "FlowPlan",
                       "A sequential solver, its knobs, and where search trees come before it.")
      .def(
          "__init__",
          [](FlowPlan* self, const std::string& solver, const nb::dict& knobs,
             const std::optional<Trees>& trees) {
            new (self) FlowPlan{solver, read_knobs(knobs), {}};
            if (trees) self->trees = std::make_from_tuple<TreeRule>(*trees);
          },
          "solver"_a, "knobs"_a, "trees"_a.none());
}

void bind_flow(nb::module_& m) {
  bind_plan(m);
  bind_grid(m);
  bind_for<int32_t>(m);
  bind_for<int64_t>(m);
}

}  // namespace konig
