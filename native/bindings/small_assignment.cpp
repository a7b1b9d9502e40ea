// Small dense assignment problems, in one call (small.h).
#include "bindings/small_assignment.h"

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "assignment/answer.h"
#include "assignment/scans/cost_check.h"
#include "assignment/task.h"
#include "bindings/arrays.h"
#include "bindings/new_result.h"
#include "bindings/small.h"
#include "bindings/solved_assignment.h"
#include "core/stopwatch.h"

namespace konig {
namespace {

// Costs are solved in the type S. An array stored by columns is solved as its transpose.
template <class S>
FoundResult assign(nb::handle result, const View& view, bool maximize, const DensePlan& plan) {
  Stopwatch watch;
  const bool transposed = view.lies_by_columns();
  const RowsOf<S> costs(view, transposed);
  const int64_t rows = view.extent(transposed ? 1 : 0), cols = view.extent(transposed ? 0 : 1);
  const SmallArrays<S> arrays(view.extent(0), view.extent(1));
  DenseAnswer<S> answer{arrays.row_ind.data, arrays.col_ind.data, arrays.row_dual(), arrays.col_dual()};
  if (transposed) std::swap(answer.row_dual, answer.col_dual);
  Run run;
  Outcome outcome;
  CostCheck check;
  run_small(run, rows * cols >= kGilCosts, [&](Run& running) {
    DenseTask<S> task{costs.data, rows, cols, maximize};
    task.plan = plan;
    HallViolator violator;
    outcome = solve_dense(task, answer, violator, check, running);
  });
  if (check.is_bad() || outcome != Outcome::optimal) return std::nullopt;
  if (transposed) transpose_pairs(arrays.row_ind.data, arrays.col_ind.data, cols, rows);
  return small_answer<S>(result, answer, arrays, maximize, run, watch);
}

// How small dense problems are solved, and the class of the answers.
struct SmallAssignments {
  nb::object result;
  DensePlan plan;
  int64_t most, most_rows;

  FoundResult solve(nb::handle costs, bool maximize) const {
    const View view(costs);
    if (!view.has_dimensions(2)) return std::nullopt;
    const int64_t rows = view.extent(0), cols = view.extent(1);
    if (rows == 0 || cols == 0 || rows > most / cols || std::min(rows, cols) > most_rows) return std::nullopt;
    return in_cost_type(view, [&]<class S>(S) { return assign<S>(result, view, maximize, plan); });
  }
};

bool is_text(PyObject* given, PyObject* text) {
  return given == text || (PyUnicode_CheckExact(given) && PyUnicode_Compare(given, text) == 0);
}

// Whether the arguments of linear_assignment after `maximize` (full, method, device, threads, knobs, and what
// is None by default) ask for what small problems get.
bool ask_for_defaults(PyObject* const* arguments, Py_ssize_t count) {
  static PyObject* const automatic = interned("auto");
  static PyObject* const cpu = interned("cpu");
  PyObject *const full = arguments[0], *const method = arguments[1], *const device = arguments[2];
  PyObject *const threads = arguments[3], *const knobs = arguments[4];
  if (!PyBool_Check(full) || !is_text(method, automatic)) return false;
  if (!is_text(device, automatic) && !is_text(device, cpu)) return false;
  if (threads != Py_None && !(PyLong_CheckExact(threads) && within_64_bits(threads) == 1)) return false;
  return PyDict_Size(knobs) == 0 &&
         std::all_of(arguments + 5, arguments + count, [](PyObject* given) { return given == Py_None; });
}

// A function of Python's C interface: a call takes 0.1 us less than by nanobind. That it looks at all
// arguments of linear_assignment saves as much again.
PyObject* assign_small(PyObject* how, PyObject* const* arguments, Py_ssize_t count) noexcept {
  if (count != 2 && (count < 7 || !PyDict_CheckExact(arguments[6]))) {
    PyErr_SetString(PyExc_TypeError, "expected costs and a bool, or all arguments of linear_assignment");
    return nullptr;
  }
  if (!PyBool_Check(arguments[1]) || (count > 2 && !ask_for_defaults(arguments + 2, count - 2)))
    return Py_NewRef(Py_None);
  const void* const given = PyCapsule_GetPointer(how, nullptr);
  try {
    FoundResult found =
        static_cast<const SmallAssignments*>(given)->solve(arguments[0], arguments[1] == Py_True);
    return found ? found->release().ptr() : Py_NewRef(Py_None);
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

nb::object small_assignments(nb::object result, const DensePlan& plan, int64_t most, int64_t most_rows) {
  static PyMethodDef method = {
      "assign_small", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&assign_small)),
      METH_FASTCALL,
      "A new result of costs, minimised or maximised as a bool says; None for what this does not take. Other "
      "arguments of linear_assignment may follow: full, method, device, threads, knobs, and those that are "
      "None by default."};
  const nb::capsule how(new SmallAssignments{std::move(result), plan, most, most_rows},
                        [](void* made) noexcept { delete static_cast<SmallAssignments*>(made); });
  return nb::steal(PyCFunction_New(&method, how.ptr()));
}

}  // namespace

void bind_small_assignment(nb::module_& m) {
  if (_import_array() != 0) nb::raise_python_error();
  using Solved = SolvedAssignment;
  nb::class_<Solved>(m, "SolvedAssignment", "What a small assignment makes its fields of.")
      .def_prop_ro("row_dual", [](const Solved& s) { return s.duals(0, s.rows); })
      .def_prop_ro("col_dual", [](const Solved& s) { return s.duals(s.rows, s.cols); })
      .def_prop_ro("gap",
                   [](const Solved& s) { return s.is_real ? nb::object(nb::float_(s.gap)) : nb::int_(0); })
      .def_ro("seconds", &Solved::seconds)
      .def_prop_ro("counts", [](const Solved& s) { return counts_of(s.run); });
  m.def("small_assignments", &small_assignments, "result"_a, "plan"_a, "most"_a, "most_rows"_a,
        "A function of costs and a bool, `maximize`, that solves at most `most` dense costs of at most "
        "`most_rows` rows or columns by this plan: a new `result` with row_ind, col_ind, cost, found (a "
        "SolvedAssignment) and, if it is True, maximize; or None for what it does not take. The other "
        "arguments of linear_assignment may follow: full, method, device, threads, knobs, and those that are "
        "None by default.");
}

}  // namespace konig
