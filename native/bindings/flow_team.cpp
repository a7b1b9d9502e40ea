// Maximum flow on a CPU team.
#include "bindings/bindings.h"

#include "flow/build.h"
#include "flow/papers/team_flow.h"

namespace konig {
namespace {

// The address, or null for an array that the layout does not have.
template <class Array>
auto data_of(const std::optional<Array>& array) -> decltype(array->data()) {
  return array ? array->data() : nullptr;
}

template <class Id, class Offset>
void bind_flow_on_team(nb::module_& m) {
  m.def(
      "flow_on_team",
      [](In<Offset> start, In<Id> head, std::optional<In<Id>> tail, std::optional<In<Offset>> in_start,
         std::optional<In<Id>> in_tail, std::optional<In<Offset>> in_arc, Out<int64_t> forward,
         std::optional<Out<int64_t>> backward, int64_t source, int64_t sink, Out<int64_t> excess,
         Out<uint8_t> cut, const nb::dict& settings, nb::object progress) {
        TeamFlow<Id, Offset> network;
        network.vertices = Id(cut.size());
        network.source = Id(source);
        network.sink = Id(sink);
        network.arcs = int64_t(head.size());
        network.places = int64_t(head.size()) + (in_tail ? int64_t(in_tail->size()) : 0);
        const auto amounts = [](int64_t* words) { return reinterpret_cast<long long*>(words); };
        network.arrays = {
            start.data(),     head.data(),     data_of(tail),           data_of(in_start),
            data_of(in_tail), data_of(in_arc), amounts(forward.data()), amounts(data_of(backward))};
        network.excess = excess.data();
        network.cut = cut.data();
        const Knobs knobs = read_knobs(settings);
        return run_released(progress, [&](Run& run) { flow_on_team(network, knobs, run); });
      },
      "start"_a, "head"_a, "tail"_a.none(), "in_start"_a.none(), "in_tail"_a.none(), "in_arc"_a.none(),
      "forward"_a, "backward"_a.none(), "source"_a, "sink"_a, "excess"_a, "cut"_a, "knobs"_a,
      "progress"_a.none(),
      "Push a maximum flow through the residual network in place; returns what was counted.");
}

// Arrays that a stage does not need may be empty.
template <class Id, class Amount>
void bind_build(nb::module_& m) {
  using Words = Out<int64_t>;
  using Ids = Out<Id>;
  using Slot = residual::Slot<Id, Amount>;
  m.def(
      "build_residual",
      [](In<Id> tail, In<Id> head, In<int64_t> capacity, In<uint8_t> role, bool undirected, int64_t bound,
         bool scarce, Ids table, Ids slot_of_arc, Ids start, Ids degree, Words supply, Words demand,
         Out<Amount> slots, Out<Amount> to_sink, Out<Amount> to_source, Out<Amount> excess, In<uint8_t> cut,
         std::optional<In<int64_t>> initial, Words balance, Words flow, Words totals,
         const nb::dict& settings) {
        const auto words = [](auto* array) {
          return reinterpret_cast<std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(array)>>,
                                                     const long long, long long>*>(array);
        };
        const residual::Workspace<Id, Amount> workspace{
            {int64_t(role.size()), int64_t(tail.size()), tail.data(), head.data(), words(capacity.data()),
             role.data(), undirected, bound},
            scarce,
            int64_t(table.size()),
            table.data(),
            slot_of_arc.data(),
            start.data(),
            degree.data(),
            words(supply.data()),
            words(demand.data()),
            reinterpret_cast<Slot*>(slots.data()),
            to_sink.data(),
            to_source.data(),
            excess.data(),
            cut.data(),
            words(data_of(initial)),
            words(balance.data()),
            words(flow.data()),
            reinterpret_cast<residual::Totals*>(totals.data())};
        const Knobs knobs = read_knobs(settings);
        return run_released(nb::none(), [&](Run& run) { build_residual(workspace, knobs, run); });
      },
      "tail"_a, "head"_a, "capacity"_a, "role"_a, "undirected"_a, "bound"_a, "scarce"_a, "table"_a,
      "slot_of_arc"_a, "start"_a, "degree"_a, "supply"_a, "demand"_a, "slots"_a, "to_sink"_a, "to_source"_a,
      "excess"_a, "cut"_a, "initial"_a.none(), "balance"_a, "flow"_a, "totals"_a, "knobs"_a,
      "Take arcs to a residual network or read their flow off it, one stage of it.");
}

}  // namespace

void bind_flow_on_team(nb::module_& m) {
  bind_build<int32_t, int32_t>(m);
  bind_build<int32_t, int64_t>(m);
  bind_build<int64_t, int64_t>(m);
  bind_flow_on_team<int32_t, int32_t>(m);
  bind_flow_on_team<int64_t, int64_t>(m);
}

}  // namespace konig
