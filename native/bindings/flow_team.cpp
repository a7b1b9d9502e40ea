// Maximum flow on a CPU team.
#include "bindings/bindings.h"

#include "flow/paired_flow.h"
#include "flow/pairing.h"
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

// The slots are words, as many as a Slot takes: those of amounts where ids are narrower.
template <class Id, class Amount>
using PairedSolver = void (*)(const PairedFlow<Id, Amount>&, const Knobs&, Run&);

template <class Id, class Amount>
void bind_paired_solver(nb::module_& m, const char* name, PairedSolver<Id, Amount> solve) {
  using Slot = paired_flow::Slot<Id, Amount>;
  m.def(
      name,
      [solve](In<Id> start, Out<Amount> slots, Out<Amount> to_sink, Out<Amount> to_source, Out<Amount> excess,
              Out<uint8_t> cut, const nb::dict& settings, nb::object progress) {
        PairedFlow<Id, Amount> network;
        network.vertices = int64_t(cut.size());
        network.slot_count = int64_t(slots.size() * sizeof(Amount) / sizeof(Slot));
        network.start = start.data();
        network.slots = reinterpret_cast<Slot*>(slots.data());
        network.to_sink = to_sink.data();
        network.to_source = to_source.data();
        network.excess = excess.data();
        network.cut = cut.data();
        const Knobs knobs = read_knobs(settings);
        return run_released(progress, [&](Run& run) { solve(network, knobs, run); });
      },
      "start"_a, "slots"_a, "to_sink"_a, "to_source"_a, "excess"_a, "cut"_a, "knobs"_a, "progress"_a.none(),
      "Push a maximum flow through paired arcs in place; returns what was counted.");
}

template <class Id, class Amount>
void bind_paired_flow(nb::module_& m) {
  bind_paired_solver<Id, Amount>(m, "synchronous_flow", solve_synchronous_flow<Id, Amount>);
  bind_paired_solver<Id, Amount>(m, "asynchronous_flow", solve_asynchronous_flow<Id, Amount>);
}

// Arrays that a stage does not need may be empty.
template <class Amount>
void bind_pairing(nb::module_& m) {
  using Words = Out<int64_t>;
  using Ids = Out<int32_t>;
  using Slot = paired_flow::Slot<int32_t, Amount>;
  m.def(
      "pair_arcs",
      [](In<int32_t> tail, In<int32_t> head, In<int64_t> capacity, In<uint8_t> role, bool undirected,
         int64_t bound, Words keys, Words up, Words down, Ids at, Ids entry, Ids start, Ids degree,
         Words supply, Words demand, Out<Amount> slots, Out<Amount> to_sink, Out<Amount> to_source,
         Out<Amount> excess, Words flow, Words totals, const nb::dict& settings) {
        const auto words = [](int64_t* array) { return reinterpret_cast<long long*>(array); };
        const pairing::Workspace<int32_t, Amount> workspace{
            {int64_t(role.size()), int64_t(tail.size()), tail.data(), head.data(),
             reinterpret_cast<const long long*>(capacity.data()), role.data(), undirected, bound},
            int64_t(keys.size()),
            words(keys.data()),
            words(up.data()),
            words(down.data()),
            at.data(),
            entry.data(),
            start.data(),
            degree.data(),
            words(supply.data()),
            words(demand.data()),
            reinterpret_cast<Slot*>(slots.data()),
            to_sink.data(),
            to_source.data(),
            excess.data(),
            words(flow.data()),
            reinterpret_cast<pairing::Totals*>(totals.data())};
        const Knobs knobs = read_knobs(settings);
        return run_released(nb::none(), [&](Run& run) { pair_arcs(workspace, knobs, run); });
      },
      "tail"_a, "head"_a, "capacity"_a, "role"_a, "undirected"_a, "bound"_a, "keys"_a, "up"_a, "down"_a,
      "at"_a, "entry"_a, "start"_a, "degree"_a, "supply"_a, "demand"_a, "slots"_a, "to_sink"_a, "to_source"_a,
      "excess"_a, "flow"_a, "totals"_a, "knobs"_a,
      "Take arcs to pairs of neighbours or read their flow off them, one stage of it.");
}

}  // namespace

void bind_flow_on_team(nb::module_& m) {
  bind_pairing<int32_t>(m);
  bind_pairing<int64_t>(m);
  bind_paired_flow<int32_t, int32_t>(m);
  bind_paired_flow<int32_t, int64_t>(m);
  bind_paired_flow<int64_t, int64_t>(m);
  bind_flow_on_team<int32_t, int32_t>(m);
  bind_flow_on_team<int64_t, int64_t>(m);
}

}  // namespace konig
