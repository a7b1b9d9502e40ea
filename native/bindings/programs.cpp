// The parallel programs of include/konig: their layouts for any machine, and their solves on CPU threads.
#include "bindings/bindings.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>

#include "bindings/programs.h"

namespace konig {
namespace {

const Programs& all_programs() {
  static const Programs programs = [] {
    Programs made;
    add_matching_programs(made);
    add_matching_papers(made);
    add_assignment_programs(made);
    add_flow_programs(made);
    add_flow_papers(made);
    return made;
  }();
  return programs;
}

const Program& find_program(const std::string& name, const std::vector<std::string>& types,
                            const std::vector<bool>& flags) {
  for (const auto& program : all_programs())
    if (program->name == name && program->types == types && program->flags == flags) return *program;
  throw nb::key_error(name.c_str());
}

// From an address, None for null, or a contiguous array on the host.
uintptr_t address_of(nb::handle given) {
  if (given.is_none()) return 0;
  if (PyLong_Check(given.ptr())) return nb::cast<uintptr_t>(given);
  Py_buffer view;
  if (PyObject_GetBuffer(given.ptr(), &view, PyBUF_SIMPLE) != 0) nb::raise_python_error();
  const auto address = reinterpret_cast<uintptr_t>(view.buf);
  PyBuffer_Release(&view);
  return address;
}

Addresses read_addresses(const nb::dict& given) {
  Addresses addresses;
  for (auto [name, value] : given) addresses[nb::cast<std::string>(name)] = address_of(value);
  return addresses;
}

nb::bytes as_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

}  // namespace

Numbers read_numbers(const nb::dict& given) {
  Numbers numbers;
  for (auto [name, value] : given) {
    if (PyFloat_Check(value.ptr()))
      numbers[nb::cast<std::string>(name)] = nb::cast<double>(value);
    else
      numbers[nb::cast<std::string>(name)] = nb::cast<int64_t>(value);
  }
  return numbers;
}

void bind_programs(nb::module_& m) {
  m.attr("BLOCK_THREADS") = bsp::kBlockThreads;
  nb::class_<Reading>(m, "Reading", "What the state of a program says, launch after launch.")
      .def(nb::init<>())
      .def_prop_ro("status", [](const Reading& reading) { return reading.status(); })
      .def_prop_ro("running", &Reading::running)
      .def_prop_ro(
          "progress", [](const Reading& reading) { return reading.progress(); },
          "How much is done and how much there is to do, or None.")
      .def_prop_ro("words", [](const Reading& reading) { return as_dict(reading.words()); })
      .def_prop_ro("seconds",
                   [](const Reading& reading) {
                     nb::dict seconds;
                     for (const auto& [name, spent] : reading.seconds()) seconds[name.data()] = spent;
                     return seconds;
                   })
      .def_prop_ro("statistics", [](const Reading& reading) { return as_dict(reading.statistics()); });
  nb::class_<Program>(m, "Program", "A parallel program for some types and flags.")
      .def_ro("name", &Program::name)
      .def_ro("header", &Program::header, "It is in konig/<header>.h.")
      .def_ro("type", &Program::type, "What C++ calls it.")
      .def_ro("types", &Program::types, "As NumPy calls them; points, where costs are calculated.")
      .def_ro("workspace_bytes", &Program::workspace_bytes)
      .def_ro("for_groups", &Program::for_groups, "Whether many groups run it, and not one team.")
      .def_ro("status_at", &Program::status_at, "Where its status is in the state.")
      .def_ro("resident_blocks", &Program::resident_blocks,
              "Blocks a multiprocessor of a GPU for which registers are left; 0 if that is not known.")
      .def_ro("series_at", &Program::series_at, "Where the length of its series is in the state, or -1.")
      .def_ro("item_bytes", &Program::item_bytes, "Of an item of each array that is given.")
      .def_prop_ro(
          "fresh_words", [](const Program& program) { return as_dict(program.fresh_words); },
          "What its state says to the caller before the first launch.")
      .def_prop_ro(
          "fresh_state", [](const Program& program) { return as_bytes(program.fresh_state); },
          "The bytes of its state before the first launch.")
      .def(
          "block",
          [](const Program& program, const nb::dict& numbers) {
            const auto [bytes, fills] = program.block(read_numbers(numbers));
            nb::list filled;
            for (const Fill& fill : fills) filled.append(nb::make_tuple(fill.offset, fill.bytes, fill.byte));
            return nb::make_tuple(bytes, filled);
          },
          "numbers"_a, "The bytes of its block, and which of them are filled: (offset, bytes, byte).")
      .def(
          "workspace",
          [](const Program& program, uintptr_t block, const nb::dict& numbers, const nb::dict& given) {
            return as_bytes(program.workspace(block, read_numbers(numbers), read_addresses(given)));
          },
          "block"_a, "numbers"_a, "given"_a, "The bytes of its workspace for a block at this address.")
      .def(
          "read",
          [](const Program& program, const nb::bytes& workspace, const nb::bytes& state, Reading& reading) {
            if (int64_t(workspace.size()) != program.workspace_bytes ||
                state.size() != program.fresh_state.size())
              throw nb::value_error("a workspace or a state of another program");
            program.read(workspace.c_str(), state.c_str(), reading);
          },
          "workspace"_a, "state"_a, "reading"_a, "Read the bytes of a state.")
      .def(
          "launch",
          [](const Program& program, const nb::bytes& workspace) {
            Knobs knobs;
            knobs.set("threads", int64_t(1));
            knobs.set("team", std::string("threads"));
            run_released(nb::none(), [&](Run& run) {
              program.launch(workspace.c_str(), knobs, run, [] { return false; });
            });
          },
          "workspace"_a, "One launch by the calling thread, for a workspace whose block is on the host.");
  nb::class_<TeamSolve>(m, "TeamSolve", "A program's block on the host, and launches on CPU threads.")
      .def(
          "__init__",
          [](TeamSolve* solve, const Program& program, const nb::dict& numbers) {
            new (solve) TeamSolve(program, read_numbers(numbers));
          },
          "program"_a, "numbers"_a, nb::keep_alive<1, 2>())
      .def(
          "run",
          [](TeamSolve& solve, const nb::dict& numbers, const nb::dict& given, const nb::dict& settings,
             nb::object progress) {
            const Numbers sizes = read_numbers(numbers);
            const Addresses addresses = read_addresses(given);
            const Knobs knobs = read_knobs(settings);
            int workers = 0;
            run_released(progress, [&](Run& run) { workers = solve.run(sizes, addresses, knobs, run); });
            return workers;
          },
          "numbers"_a, "given"_a, "knobs"_a, "progress"_a.none(),
          "Launch until the program no longer runs; returns the number of workers.")
      .def_prop_ro("reading", &TeamSolve::reading, nb::rv_policy::reference_internal);
  m.def(
      "programs",
      [] {
        nb::list all;
        for (const auto& program : all_programs())
          all.append(nb::make_tuple(program->name, program->types, program->flags));
        return all;
      },
      "Every program: its name, types and flags.");
  m.def("program", &find_program, "name"_a, "types"_a, "flags"_a, nb::rv_policy::reference,
        "The program for these types and flags.");
}

}  // namespace konig
