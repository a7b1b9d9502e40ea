// A network in plain arrays of integers: looked at, solved by auto and packed up in one call.
//
// On a network of a hundred arcs checks and conversions in Python take longer than the flow. What is not
// plain here (real or negative capacities, ids out of range, lists with duplicates, a value that is too
// large) is None: whoever asks finds out by the other functions what there is to say about it.
#include <chrono>
#include <cstring>
#include <vector>

#include "bindings/plain.h"
#include "core/compressed.h"
#include "flow/arcs.h"
#include "flow/maximum_flow.h"
#include "flow/supply.h"

namespace konig {
namespace {

constexpr int64_t kHeldForArcs = 200;       // for so few the GIL is not worth releasing
constexpr int64_t kMostVertices = 1 << 20;  // for more the other way asks first whether there is the memory

bool all_capacities_fine(const Integers<int64_t>& capacity, int64_t count) {
  int64_t signs = 0;
  for (int64_t k = 0; k < count; ++k) signs |= capacity.data[k];
  return signs >= 0;
}

// How many vertices arcs connect that come without a number of them; -1 if an id is negative.
int64_t extent_of(const Integers<int32_t>& tail, const Integers<int32_t>& head) {
  int32_t most = -1, signs = 0;
  for (const auto* ids : {&tail, &head})
    for (int64_t k = 0; k < ids->size; ++k) {
      most = std::max(most, ids->data[k]);
      signs |= ids->data[k];
    }
  return signs < 0 ? -1 : int64_t(most) + 1;
}

// Appends a copy of an array to bytes.
template <class T>
void pack(char*& place, const T* data, int64_t count) {
  std::memcpy(place, data, size_t(count) * sizeof(T));
  place += count * int64_t(sizeof(T));
}

// Solves, and packs up (bytes, value, counts, seconds, arcs, vertices). The bytes are all that the answer
// needs later, for the caller may change his arrays: eight for the flow of each arc, eight for its capacity,
// four for its head, then four for each tail or for each place where a list begins, and one for each vertex,
// 1 on the source side of the cut.
nb::object solve(const Arcs<int32_t>& given, int64_t source, int64_t sink, const FlowPlan& plan) {
  const auto began = std::chrono::steady_clock::now();
  Arcs<int32_t> arcs = given;
  const int64_t count = arcs.count(), vertices = arcs.vertices;
  if (source < 0 || source >= vertices || sink < 0 || sink >= vertices || source == sink) return nb::none();
  if (vertices > kMostVertices) return nb::none();
  std::vector<Role> role(size_t(vertices), Role::kInner);
  role[size_t(source)] = Role::kSource;
  role[size_t(sink)] = Role::kSink;
  arcs.role = role.data();
  char* place;
  const int64_t ends = arcs.start ? vertices + 1 : count;
  const nb::object packed = new_bytes(20 * count + 4 * ends + vertices, place);
  auto* const flow = reinterpret_cast<int64_t*>(place);
  place += 8 * count;
  pack(place, arcs.capacity, count);
  pack(place, arcs.head, count);
  pack(place, arcs.start ? arcs.start : arcs.tail, ends);
  auto* const side = reinterpret_cast<uint8_t*>(place);
  Run run;
  int64_t value = 0;
  bool overflows = false;
  run_plain(run, count >= kHeldForArcs, [&](Run& running) {
    try {
      value = maximum_flow<int32_t>(plan, arcs, nullptr, {flow, side}, running);
    } catch (const FlowOverflow&) {
      overflows = true;
    }
  });
  if (overflows) return nb::none();
  for (int64_t v = 0; v < vertices; ++v) side[v] ^= 1;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  return nb::make_tuple(packed, value, kept_counts(run), seconds.count(), count, vertices);
}

bool indices_fit(int64_t vertices, int64_t arcs) {
  return std::max(vertices + 2, 2 * arcs) < std::numeric_limits<int32_t>::max();
}

// Arcs with a tail and a head each; `vertices` is -1 where nobody said how many there are.
nb::object flow_of_arcs(nb::handle tails, nb::handle heads, nb::handle capacities, int64_t vertices,
                        int64_t source, int64_t sink, const FlowPlan& plan) {
  const View tail_view(tails.ptr()), head_view(heads.ptr()), capacity_view(capacities.ptr());
  const Integers<int32_t> tail(tail_view), head(head_view);
  const Integers<int64_t> capacity(capacity_view);
  if (!tail.data || !head.data || !capacity.data || !tail.fits || !head.fits) return nb::none();
  const int64_t count = tail.size;
  if (head.size != count || capacity.size != count || !all_capacities_fine(capacity, count))
    return nb::none();
  const int64_t extent = extent_of(tail, head);
  if (vertices < 0) vertices = extent;
  if (extent < 0 || extent > vertices || !indices_fit(vertices, count)) return nb::none();
  Arcs<int32_t> arcs;
  arcs.vertices = int32_t(vertices);
  arcs.tail = tail.data;
  arcs.head = head.data;
  arcs.capacity = capacity.data;
  arcs.listed = int32_t(count);
  return solve(arcs, source, sink, plan);
}

// The lists of a square matrix in CSR form, sorted and without duplicates.
nb::object flow_of_lists(nb::handle starts, nb::handle heads, nb::handle capacities, int64_t vertices,
                         int64_t source, int64_t sink, const FlowPlan& plan) {
  const View start_view(starts.ptr()), head_view(heads.ptr()), capacity_view(capacities.ptr());
  const Integers<int32_t> start(start_view), head(head_view);
  const Integers<int64_t> capacity(capacity_view);
  if (!start.data || !head.data || !capacity.data || !start.fits || !head.fits) return nb::none();
  if (start.size != vertices + 1 || start.data[0] != 0 || first_decrease(start.data, start.size) >= 0)
    return nb::none();
  const int64_t count = start.data[vertices];
  if (count > head.size || count > capacity.size || !indices_fit(vertices, count)) return nb::none();
  if (!sorted_lists(start.data, head.data, int32_t(vertices)) || !all_capacities_fine(capacity, count))
    return nb::none();
  Arcs<int32_t> arcs;
  arcs.vertices = int32_t(vertices);
  arcs.start = start.data;
  arcs.head = head.data;
  arcs.capacity = capacity.data;
  return solve(arcs, source, sink, plan);
}

}  // namespace

void bind_plain_flow(nb::module_& m) {
  m.def(
      "flow_of_arcs", &flow_of_arcs, "tails"_a, "heads"_a, "capacities"_a, "vertices"_a, "source"_a, "sink"_a,
      "plan"_a,
      "Check arcs of plain arrays and bring a maximum flow: (bytes, value, counts, seconds, arcs, vertices), "
      "or None where there is more to say.");
  m.def("flow_of_lists", &flow_of_lists, "starts"_a, "heads"_a, "capacities"_a, "vertices"_a, "source"_a,
        "sink"_a, "plan"_a, "The same for the sorted lists of a square matrix.");
}

}  // namespace konig
