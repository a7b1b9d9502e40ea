// Maximum flow on a CPU team.
#include "bindings/bindings.h"

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

}  // namespace

void bind_flow_on_team(nb::module_& m) {
  bind_flow_on_team<int32_t, int32_t>(m);
  bind_flow_on_team<int64_t, int64_t>(m);
}

}  // namespace konig
