// Small networks, in one call (small.h).
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "bindings/arrays.h"
#include "bindings/new_result.h"
#include "bindings/small.h"
#include "core/large_array.h"
#include "core/stopwatch.h"
#include "core/sweeps.h"
#include "flow/arcs.h"
#include "flow/given.h"
#include "flow/maximum_flow.h"

namespace konig {
namespace {

// Copies ids as copy_ids() of the flow room does, from integers of 32 or 64 bits.
int64_t copied_ids(const View& view, int32_t* copy) {
  if (view.item_bytes() == 4)
    return copy_ids(reinterpret_cast<const int32_t*>(view.memory()), view.extent(0), copy);
  return copy_ids(reinterpret_cast<const int64_t*>(view.memory()), view.extent(0), copy);
}

bool copied_capacities(const View& view, int64_t* copy) {
  if (view.item_bytes() == 4)
    return copy_capacities(reinterpret_cast<const int32_t*>(view.memory()), view.extent(0), copy);
  return copy_capacities(reinterpret_cast<const int64_t*>(view.memory()), view.extent(0), copy);
}

// Arcs in arrays that the caller cannot change, and when solved what their flow is made of. What few callers
// ask for becomes an object of Python's only then: of a thousand arcs such objects took a tenth of the time.
struct Network {
  int64_t arcs = 0, vertices = 0;
  LargeArray<int32_t> ends, head;     // tails, or where lists begin; and heads
  LargeArray<int64_t> capacity = {};  // in units
  LargeArray<double> reals = {};      // of real capacities
  std::optional<RealUnit> unit = {};
  LargeArray<uint8_t> role = {};  // Roles
  std::shared_ptr<const SolvedFlow> solved = {};
  Run run = Run();  // what was counted: nothing is called through it any more
  double seconds = 0;

  // None after release().
  nb::object flow() const {
    const auto kept = solved;
    if (!kept) return nb::none();
    const NewArray<int64_t> amounts(arcs);
    Run writing;
    run_small(writing, arcs >= kGilArcs, [&](Run& running) { kept->write(amounts.data, running); });
    return amounts.object;
  }
  void release() { solved.reset(); }
};

// An array of Python's that may only be read, in the memory of a network, which lives as long.
template <class Number>
nb::object in_memory_of(nb::handle network, LargeArray<Number>& numbers) {
  npy_intp extent = npy_intp(numbers.size());
  const nb::object array =
      nb::steal(PyArray_SimpleNewFromData(1, &extent, numpy_type<Number>(), numbers.data()));
  if (!array.is_valid()) nb::raise_python_error();
  auto* const made = reinterpret_cast<PyArrayObject*>(array.ptr());
  if (PyArray_SetBaseObject(made, network.inc_ref().ptr()) != 0) nb::raise_python_error();
  PyArray_CLEARFLAGS(made, NPY_ARRAY_WRITEABLE);
  return array;
}

// (tails or where lists begin, heads, capacities, roles)
nb::tuple arrays_of(nb::handle network) {
  auto& [arcs, vertices, ends, head, capacity, reals, unit, role, solved, run, seconds] =
      *nb::cast<Network*>(network);
  return nb::make_tuple(in_memory_of(network, ends), in_memory_of(network, head),
                        unit ? in_memory_of(network, reals) : in_memory_of(network, capacity),
                        in_memory_of(network, role));
}

// Copies capacities, and counts real ones in units; false for what this does not take.
bool read_capacities(const View& view, std::optional<int> exponent, const Arcs<int32_t>& arcs,
                     Network& read) {
  const int64_t count = read.arcs;
  read.capacity = LargeArray<int64_t>(size_t(count));
  if (view.type() != 'd') return copied_capacities(view, read.capacity.data());
  read.reals = LargeArray<double>(size_t(count));
  std::copy_n(reinterpret_cast<const double*>(view.memory()), count, read.reals.data());
  read.unit = count_in_units(read.reals.data(), count, exponent, arcs, read.capacity.data());
  return read.unit.has_value();
}

// Arcs with a tail and a head each, in which case the number of vertices may be None, or the sorted lists of
// a square matrix, which begin at `end`. Their capacities are not read.
std::optional<Network> read_arcs(bool is_matrix, nb::handle end, const View& head_view,
                                 nb::handle vertex_count, int64_t most) {
  const View end_view(end);
  if (!end_view.lists_integers() || !head_view.lists_integers()) return std::nullopt;
  const int64_t vertices = vertex_count.is_none() ? 0 : within_64_bits(vertex_count);
  if (vertices < 0 || vertices > most || head_view.extent(0) > most) return std::nullopt;
  const int64_t count = head_view.extent(0), ends = is_matrix ? vertices + 1 : count;
  if (end_view.extent(0) != ends) return std::nullopt;
  Network read{count, vertices, LargeArray<int32_t>(size_t(ends)), LargeArray<int32_t>(size_t(count))};
  const int32_t *const end_of = read.ends.data(), *const head_of = read.head.data();
  const int64_t after_ends = copied_ids(end_view, read.ends.data());
  const int64_t after_heads = copied_ids(head_view, read.head.data());
  if (after_ends < 0 || after_heads < 0) return std::nullopt;
  if (is_matrix) {
    if (end_of[0] != 0 || end_of[vertices] != count || first_decrease(end_of, ends) >= 0 ||
        !sorted_lists(end_of, head_of, int32_t(vertices)))
      return std::nullopt;
  } else {
    const int64_t extent = std::max(after_ends, after_heads);
    if (vertex_count.is_none()) read.vertices = extent;
    if (extent > read.vertices || read.vertices > most) return std::nullopt;
  }
  return read;
}

// Whether this is an int or an integer of NumPy.
bool is_id(nb::handle given) {
  return PyLong_CheckExact(given.ptr()) || PyArray_IsScalar(given.ptr(), Integer);
}

// Gives vertices a role: one, or those of a list, a tuple or an array. False for what is not accepted.
bool mark(nb::handle given, Role role, LargeArray<uint8_t>& role_of) {
  const auto mark_one = [&](int64_t v) {
    if (v < 0 || v >= int64_t(role_of.size())) return false;
    uint8_t& marked = role_of[size_t(v)];
    if (marked != uint8_t(Role::kInner) && marked != uint8_t(role)) return false;
    marked = uint8_t(role);
    return true;
  };
  const auto mark_id = [&](nb::handle id) {
    return is_id(id) && mark_one(within_64_bits(nb::steal(PyNumber_Index(id.ptr()))));
  };
  if (is_id(given)) return mark_id(given);
  if (PyList_CheckExact(given.ptr()) || PyTuple_CheckExact(given.ptr())) {
    for (const nb::handle id : given)
      if (!mark_id(id)) return false;
    return nb::len(given) > 0;
  }
  const View ids(given);
  if (!ids.lists_integers() || ids.extent(0) == 0) return false;
  for (int64_t k = 0; k < ids.extent(0); ++k) {
    const bool narrow = ids.item_bytes() == 4;
    if (!mark_one(narrow ? reinterpret_cast<const int32_t*>(ids.memory())[k]
                         : reinterpret_cast<const int64_t*>(ids.memory())[k]))
      return false;
  }
  return true;
}

// The capacity of the cut where units round: (units, high and low half of what they lost), or None.
nb::object rounded_cut(const Network& network, const Arcs<int32_t>& arcs, const uint8_t* source_side) {
  if (!network.unit || network.unit->exponent == network.unit->finest) return nb::none();
  Run run;
  const auto across = capacity_across(network.reals.data(), arcs, source_side, *network.unit, run);
  if (!across) return nb::none();
  return nb::make_tuple(across->units, uint64_t(across->lost >> 64), uint64_t(across->lost));
}

// The names of the fields of a Flow, made once.
struct FlowNames {
  PyObject* const value = interned("value");
  PyObject* const cut = interned("cut");
  PyObject* const gap = interned("gap");
  PyObject* const device = interned("device");
  PyObject* const found = interned("found");
  PyObject* const cpu = interned("cpu");
};

// The Flow of a small network. Where units round, value and gap are left to Python, which knows what is lost.
nb::object small_flow(nb::handle result, bool is_matrix, bool undirected, std::unique_ptr<Network> network,
                      nb::handle cut, nb::handle across) {
  static const FlowNames& names = *new FlowNames;
  const int64_t value = network->solved->value;
  const auto unit = network->unit;
  NewResult made(result);
  if (!unit || unit->exponent == unit->finest) {
    made.set(names.value, unit ? nb::object(nb::float_(std::ldexp(double(value), unit->exponent)))
                               : nb::object(nb::int_(value)));
    made.set(names.gap, unit ? nb::object(nb::float_(0.0)) : nb::object(nb::int_(0)));
  }
  made.set(names.cut, cut);
  made.set(names.device, names.cpu);
  const nb::object units = unit ? nb::object(nb::make_tuple(unit->finest, unit->exponent)) : nb::none();
  const nb::object solved = nb::cast(network.get(), nb::rv_policy::take_ownership);
  network.release();
  made.set(names.found,
           nb::make_tuple(nb::bool_(is_matrix), nb::bool_(undirected), value, solved, cut, units, across));
  return made.object();
}

FoundResult flow_small(nb::handle result, const FlowPlan& plan, int64_t most, bool is_matrix, nb::handle end,
                       nb::handle head, nb::handle capacity, nb::handle vertex_count, nb::handle sources,
                       nb::handle sinks, bool undirected, std::optional<int> exponent) {
  Stopwatch watch;
  const View head_view(head), capacity_view(capacity);
  auto read = read_arcs(is_matrix, end, head_view, vertex_count, most);
  if (!read || !(capacity_view.lists_integers() || capacity_view.lists_reals())) return std::nullopt;
  const int64_t vertices = read->vertices, count = read->arcs;
  if (capacity_view.extent(0) != count) return std::nullopt;
  auto network = std::make_unique<Network>(std::move(*read));
  network->role = LargeArray<uint8_t>(size_t(vertices), uint8_t(Role::kInner));
  if (!mark(sources, Role::kSource, network->role) || !mark(sinks, Role::kSink, network->role))
    return std::nullopt;
  Arcs<int32_t> arcs;
  arcs.vertices = int32_t(vertices);
  arcs.head = network->head.data();
  arcs.role = reinterpret_cast<const Role*>(network->role.data());
  arcs.undirected = undirected;
  if (is_matrix) {
    arcs.start = network->ends.data();
  } else {
    arcs.tail = network->ends.data();
    arcs.listed = int32_t(count);
  }
  if (!read_capacities(capacity_view, exponent, arcs, *network)) return std::nullopt;
  arcs.capacity = network->capacity.data();
  // A unit that rounds was chosen for a value of 53 digits.
  arcs.wide = network->unit && network->unit->exponent > network->unit->finest;
  const NewArray<bool> cut(vertices);
  auto* const side = reinterpret_cast<uint8_t*>(cut.data);
  run_small(network->run, count >= kGilArcs,
            [&](Run& running) { network->solved = solve_flow<int32_t>(plan, arcs, nullptr, side, running); });
  if (!network->solved) return std::nullopt;
  const nb::object across = rounded_cut(*network, arcs, side);
  network->seconds = watch.lap();
  return small_flow(result, is_matrix, undirected, std::move(network), cut.object, across);
}

}  // namespace

void bind_small_flow(nb::module_& m) {
  if (_import_array() != 0) nb::raise_python_error();
  nb::class_<Network>(m, "SolvedNetwork", "A small network with a maximum flow.")
      .def("flow", &Network::flow,
           "The flow of each arc, in units and without circulation; None after release().")
      .def("release", &Network::release, "Let go of what only the flow is made of.")
      .def(
          "arrays", [](nb::handle self) { return arrays_of(self); },
          "Copies of tails or of where lists begin, of heads and of capacities, and the role of each vertex.")
      .def(
          "counts", [](const Network& self) { return counts_of(self.run); }, "What was counted.")
      .def_ro("seconds", &Network::seconds);
  m.def(
      "flow_small", &flow_small, "result"_a, "plan"_a, "most"_a, "is_matrix"_a, "end"_a.none(),
      "head"_a.none(), "capacity"_a.none(), "vertices"_a.none(), "source"_a.none(), "sink"_a.none(),
      "undirected"_a, "exponent"_a.none() = nb::none(),
      "Bring a maximum flow over at most `most` arcs with tails (`vertices` may be None), or over the sorted "
      "lists of a square matrix that begin at `end`: a new `result` with value, gap, cut, device and found = "
      "(is_matrix, undirected, value in units, SolvedNetwork, cut, unit, across), or None for what this "
      "does not take. Terminals are an int each, or lists, tuples or arrays of several. Real capacities are "
      "rounded down to multiples of 2**exponent, and so is the flow; "
      "`unit` is "
      "(the exponent that makes all whole, the one taken), the latter chosen if None is given. It is None "
      "for integers. Where it rounds there is no value and no gap, and `across` is the capacity of the cut: "
      "whole units, and the high and the low 64 bits of what rounding took, in units that make all whole; "
      "None if "
      "it takes more digits.");
}

}  // namespace konig
