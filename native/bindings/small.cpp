// Small problems, and matchings of any size, in NumPy arrays with default options, solved as auto does, in
// one call.
//
// With ten rows checks and conversions in Python take longer than the solve. These functions check types,
// layout, size and the range of ids. They return None for what they do not accept; the caller then goes
// through Python, which raises the errors. The caller says how large is small (auto.py of each problem).
#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "assignment/answer.h"
#include "assignment/points/prepared.h"
#include "assignment/points/queries.h"
#include "assignment/points/solve.h"
#include "assignment/scans/cost_check.h"
#include "assignment/sparse/task.h"
#include "assignment/sparse/transposed.h"
#include "assignment/task.h"
#include "bindings/arrays.h"
#include "bindings/new_result.h"
#include "bindings/solved_assignment.h"
#include "core/compressed.h"
#include "core/stopwatch.h"
#include "core/sweeps.h"
#include "flow/arcs.h"
#include "flow/given.h"
#include "flow/maximum_flow.h"
#include "matching/solvers.h"

namespace konig {
namespace {

using Found = std::optional<nb::tuple>;

// From so many costs, entries or arcs on the GIL is worth releasing.
constexpr int64_t kGilCosts = 4097, kGilEntries = 500, kGilArcs = 200;

template <class Work>
void run_small(Run& run, bool release, const Work& work) {
  if (!release) return work(run);
  const nb::object silent = nb::none();
  run = interruptible(silent);
  nb::gil_scoped_release released;
  work(run);
}

// A Python int, clamped to 64 bits.
int64_t within_64_bits(nb::handle number) {
  int overflow;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow == 0) return value;
  return overflow > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

// ---- assignment

using FoundResult = std::optional<nb::object>;

// solve(S()) for the type S that numbers of the array's type are solved in; nothing if there is none.
template <class Solve>
FoundResult in_cost_type(const View& costs, const Solve& solve) {
  switch (costs.type()) {
    case 'd':
      return solve(double());
    case 'f':
      return solve(float());
    case 'l':
    case 'q':
      if (costs.item_bytes() == 8) return solve(int64_t());
      [[fallthrough]];
    case '?':
    case 'b':
    case 'B':
    case 'h':
    case 'H':
    case 'i':
      return solve(int32_t());
    default:
      return std::nullopt;
  }
}

// The names of the fields of an Assignment, made once.
struct FieldNames {
  PyObject* const row_ind = interned("row_ind");
  PyObject* const col_ind = interned("col_ind");
  PyObject* const cost = interned("cost");
  PyObject* const found = interned("found");
  PyObject* const maximize = interned("maximize");
};

// The arrays of an Assignment of `rows` and `cols` in a problem that may be transposed.
template <class S>
struct SmallArrays {
  SmallArrays(int64_t rows, int64_t cols)
      : row_ind(std::min(rows, cols)),
        col_ind(std::min(rows, cols)),
        found(SolvedAssignment::of(rows, cols)),
        solved(nb::inst_ptr<SolvedAssignment>(found)) {}
  DualOf<S>* row_dual() const { return solved->row_dual<DualOf<S>>(); }
  DualOf<S>* col_dual() const { return solved->col_dual<DualOf<S>>(); }

  const NewArray<int64_t> row_ind, col_ind;
  const nb::object found;
  SolvedAssignment* const solved;
};

// The Assignment of a small problem. Fields that not all read are made of `found` when they are read (Result
// in results.py).
template <class S, class Answer>
FoundResult small_answer(nb::handle result, const Answer& answer, const SmallArrays<S>& arrays, bool maximize,
                         Run& run, Stopwatch& watch) {
  static const FieldNames& names = *new FieldNames;
  arrays.solved->template finish<S>(answer.gap, run, watch.lap());
  NewResult made(result);
  made.set(names.row_ind, arrays.row_ind.object);
  made.set(names.col_ind, arrays.col_ind.object);
  made.set(names.cost, as_number(answer.total));
  made.set(names.found, arrays.found);
  if (maximize) made.set(names.maximize, nb::handle(Py_True));
  return made.object();
}

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

// ---- assignment between points

// Points that are exact in float64, row after row, and divided by their norms where the metric wants that.
class SmallPoints {
 public:
  SmallPoints(const View& view, Metric metric)
      : count(view.extent(0)), dimension(view.extent(1)), given_(view, false), metric_(metric) {}

  static bool takes(const View& view) {
    return view.has_dimensions(2) && view.extent(0) > 0 && view.extent(1) > 0 &&
           std::strchr("df?bBhHi", view.type());
  }

  // False for points that Python must refuse, or allow.
  bool prepare() {
    data = given_.data;
    if (!are_near(data, count, dimension, metric_)) return false;
    if (metric_ != Metric::cosine) return true;
    divided_ = LargeArray<double>(size_t(count * dimension));
    data = divided_.data();
    return divide_by_norms(given_.data, count, dimension, divided_.data());
  }

  const int64_t count, dimension;
  const double* data = nullptr;

 private:
  const RowsOf<double> given_;
  const Metric metric_;
  LargeArray<double> divided_;
};

// All costs, computed once and solved as a matrix; on a line `sorted_from` points each are sorted instead.
FoundResult assign_points_small(nb::handle result, nb::handle x_given, nb::handle y_given,
                                const std::string& metric, const DensePlan& plan, int64_t most,
                                int64_t most_rows, int64_t most_terms, int64_t sorted_from) {
  Stopwatch watch;
  const View x_view(x_given), y_view(y_given);
  const auto named = metric_named(metric);
  if (!named || !SmallPoints::takes(x_view) || !SmallPoints::takes(y_view)) return std::nullopt;
  const int64_t rows = x_view.extent(0), cols = y_view.extent(0), dimension = x_view.extent(1);
  if (y_view.extent(1) != dimension || rows > most / cols || std::min(rows, cols) > most_rows ||
      dimension > most_terms / (rows * cols))
    return std::nullopt;
  SmallPoints x(x_view, *named), y(y_view, *named);
  const bool is_line = dimension == 1 && rows == cols && rows >= sorted_from;
  const SmallArrays<double> arrays(rows, cols);
  DenseAnswer<double> answer{arrays.row_ind.data, arrays.col_ind.data, arrays.row_dual(), arrays.col_dual()};
  Run run;
  bool is_solved = false;
  run_small(run, rows * cols >= kGilCosts, [&](Run& running) {
    if (!x.prepare() || !y.prepare()) return;
    if (is_line) {
      PointAnswer found{answer.col_ind, answer.row_dual, answer.col_dual};
      assign_points({x.data, y.data, rows, cols, dimension, *named, 1}, found, running);
      std::iota(answer.row_ind, answer.row_ind + rows, int64_t(0));
      answer.total = found.total;
      answer.gap = found.gap;
      is_solved = true;
      return;
    }
    Stopwatch of_costs;
    LargeArray<double> costs(size_t(rows * cols));
    all_costs({*named, 1, x.data, y.data, rows, cols, dimension}, costs.data(), running);
    running.count("costs_seconds", of_costs.lap());
    DenseTask<double> task{costs.data(), rows, cols, false};
    task.plan = plan;
    HallViolator violator;
    CostCheck check;
    is_solved = solve_dense(task, answer, violator, check, running) == Outcome::optimal;
  });
  if (!is_solved) return std::nullopt;
  return small_answer<double>(result, answer, arrays, false, run, watch);
}

// ---- sparse assignment

// Sound lists of ascending columns: an entry that does not ascend is the first of its row. These are counted
// without loops over short rows, whose ends could not be predicted.
template <class S>
bool are_sound(const SparseCosts<S>& lists) {
  const int64_t entries = lists.start[lists.rows];
  if (first_out_of_range(lists.col, entries, lists.cols) >= 0) return false;
  if (entries < 2) return true;
  int64_t descents = 0, between_rows = 0;
  for (int64_t e = 1; e < entries; ++e) descents += lists.col[e - 1] >= lists.col[e];
  for (int64_t i = 1; i < lists.rows; ++i) {
    const int64_t first = lists.start[i];
    const bool follows = first > 0 && first < lists.start[i + 1];
    const int64_t e = follows ? first : 1;
    between_rows += int(follows) & int(lists.col[e - 1] >= lists.col[e]);
  }
  return descents == between_rows;
}

template <class S>
FoundResult assign_lists(nb::handle result, const View& starts, const View& ids, const View& data,
                         int64_t rows, int64_t cols, bool maximize) {
  Stopwatch watch;
  const Integers<int64_t> start(starts);
  const int64_t entries = start.data[rows];
  if (start.data[0] != 0 || entries > ids.extent(0) || entries > data.extent(0) ||
      first_decrease(start.data, rows + 1) >= 0)
    return std::nullopt;
  const Integers<int32_t> col(ids);
  const RowsOf<S> values(data, false);
  const S* const cost = values.data;
  SparseCosts<S> costs{rows, cols, start.data, col.data, cost};
  if (!col.fits || !are_sound(costs)) return std::nullopt;
  const CostCheck check = check_costs(cost, entries, maximize);
  // Costs in 32 bits are summed in 64, and the negative of the least one has a bit more.
  const bool too_narrow = check.largest >= 0x1p31 || check.largest * double(rows + cols) >= 0x1p56;
  if (check.is_bad() || (std::is_same_v<S, int32_t> && too_narrow)) return std::nullopt;

  const bool transposed = rows > cols;
  const SmallArrays<S> arrays(rows, cols);
  int64_t *const row_ind = arrays.row_ind.data, *const col_ind = arrays.col_ind.data;
  SparseAnswer<S> answer{col_ind, arrays.row_dual(), arrays.col_dual()};
  if (transposed) std::swap(answer.row_dual, answer.col_dual);
  Run run;
  Outcome outcome;
  run_small(run, entries >= kGilEntries, [&](Run& running) {
    std::vector<S> negated;
    for (int64_t e = 0; maximize && e < entries; ++e) negated.push_back(-cost[e]);
    if (maximize) costs.cost = negated.data();
    std::optional<TransposedCosts<S>> turned;
    if (transposed) costs = turned.emplace(costs).costs();
    HallViolator violator;
    outcome = sparse_jv({costs, check.largest, nullptr}, answer, violator, running);
  });
  if (outcome != Outcome::optimal) return std::nullopt;
  std::iota(row_ind, row_ind + std::min(rows, cols), int64_t(0));
  if (transposed) transpose_pairs(row_ind, col_ind, rows, cols);
  if (maximize) {
    answer.total = -answer.total;
    DualOf<S>* const dual = arrays.row_dual();
    for (int64_t k = 0; k < rows + cols; ++k) dual[k] = 0 - dual[k];
  }
  return small_answer<S>(result, answer, arrays, maximize, run, watch);
}

FoundResult assign_sparse_small(nb::handle result, nb::handle indptr, nb::handle indices, nb::handle data,
                                nb::handle row_count, nb::handle col_count, bool maximize, int64_t most) {
  const View starts(indptr), ids(indices), costs(data);
  const int64_t rows = within_64_bits(row_count), cols = within_64_bits(col_count);
  if (!starts.lists_integers() || !ids.lists_integers() || !costs.has_dimensions(1)) return std::nullopt;
  if (rows <= 0 || cols <= 0 || rows > most || cols > most || ids.extent(0) > most) return std::nullopt;
  if (starts.extent(0) != rows + 1) return std::nullopt;
  return in_cost_type(
      costs, [&]<class S>(S) { return assign_lists<S>(result, starts, ids, costs, rows, cols, maximize); });
}

// ---- matching

// Compressed lists of `major` vertices with `minor` possible neighbours.
template <class Id>
struct Lists {
  const Id *start, *neighbour;
  int64_t major, minor;
};

nb::object reached_array(const StepwiseAnswer& answer) {
  if (answer.reached.empty()) return nb::none();
  const NewArray<bool> reached(int64_t(answer.reached.size()));
  std::copy(answer.reached.begin(), answer.reached.end(), reached.data);
  return reached.object;
}

// (size, col_of_row, row_of_col, entries, method, init, reached, whether it is of rows, counts, seconds).
template <class Id>
Found match(const Lists<Id>& lists, bool by_rows, int threads) {
  Stopwatch watch;
  const int64_t major = lists.major, minor = lists.minor;
  const NewArray<Id> of_major(major), of_minor(minor);
  const int64_t entries = lists.start[major];
  const Pattern<Id, Id> graph{Id(minor), Id(major), {}, {lists.start, lists.neighbour}};
  const Mates<Id> mates{of_minor.data, of_major.data};
  Run run;
  StepwiseAnswer answer;
  run_small(run, entries >= kGilEntries, [&](Run& running) {
    fill(of_major.data, major, Id(-1), threads);
    fill(of_minor.data, minor, Id(-1), threads);
    answer = match_stepwise(graph, mates, threads, running);
  });
  return nb::make_tuple(answer.size, by_rows ? of_major.object : of_minor.object,
                        by_rows ? of_minor.object : of_major.object, entries, answer.method, answer.init,
                        reached_array(answer), answer.of_rows != by_rows, counts_of(run), watch.lap());
}

template <class Id>
Found match_lists(const View& starts, const View& neighbours, int64_t major, int64_t minor, bool by_rows,
                  int64_t most, int threads) {
  const Integers<Id> start(starts);
  if (!start.fits || start.data[0] != 0) return std::nullopt;
  const auto* const neighbour = reinterpret_cast<const Id*>(neighbours.memory());
  const int64_t entries = start.data[major];
  if (entries > neighbours.extent(0) || entries > most ||
      first_decrease(start.data, major + 1, threads) >= 0 ||
      first_out_of_range(neighbour, entries, minor, threads) >= 0)
    return std::nullopt;
  return match(Lists<Id>{start.data, neighbour, major, minor}, by_rows, threads);
}

Found match_pairs(const View& row_view, const View& col_view, int64_t rows, int64_t cols, int64_t most,
                  int threads) {
  const int64_t entries = row_view.extent(0);
  if (entries > most || col_view.extent(0) != entries) return std::nullopt;
  const Integers<int32_t> row(row_view), col(col_view);
  if (!row.fits || !col.fits || first_out_of_range(row.data, entries, rows, threads) >= 0 ||
      first_out_of_range(col.data, entries, cols, threads) >= 0)
    return std::nullopt;
  std::vector<int32_t> start(size_t(rows) + 1, 0), neighbour(static_cast<size_t>(entries));
  Run run;
  compress_pairs(row.data, col.data, entries, rows, start.data(), neighbour.data(), threads, run);
  return match(Lists<int32_t>{start.data(), neighbour.data(), rows, cols}, true, threads);
}

// A matrix in a format of scipy.sparse: where lists begin and the neighbours, or the rows and columns of
// "coo". Ids stay what they are; those of pairs become int32.
Found match_arrays(const char* format, nb::handle first, nb::handle second, nb::handle row_count,
                   nb::handle col_count, int64_t most, int threads) {
  const View one(first), other(second);
  const int64_t rows = within_64_bits(row_count), cols = within_64_bits(col_count);
  if (rows < 0 || cols < 0 || rows > most || cols > most) return std::nullopt;
  if (!one.lists_integers() || !other.lists_integers()) return std::nullopt;
  if (std::strcmp(format, "coo") == 0) return match_pairs(one, other, rows, cols, most, threads);
  const bool by_rows = std::strcmp(format, "csr") == 0;
  if (!by_rows && std::strcmp(format, "csc") != 0) return std::nullopt;
  const int64_t major = by_rows ? rows : cols, minor = by_rows ? cols : rows;
  if (one.extent(0) != major + 1) return std::nullopt;
  if (other.item_bytes() == 4) return match_lists<int32_t>(one, other, major, minor, by_rows, most, threads);
  return match_lists<int64_t>(one, other, major, minor, by_rows, most, threads);
}

// ---- flow

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
  LargeArray<Role> role = {};
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

// (tails or where lists begin, heads, capacities)
nb::tuple arrays_of(nb::handle network) {
  auto& [arcs, vertices, ends, head, capacity, reals, unit, role, solved, run, seconds] =
      *nb::cast<Network*>(network);
  return nb::make_tuple(in_memory_of(network, ends), in_memory_of(network, head),
                        unit ? in_memory_of(network, reals) : in_memory_of(network, capacity));
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
nb::object small_flow(nb::handle result, bool is_matrix, nb::handle source, nb::handle sink,
                      std::unique_ptr<Network> network, nb::handle cut, nb::handle across) {
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
           nb::make_tuple(nb::bool_(is_matrix), source, sink, value, solved, cut, units, across));
  return made.object();
}

FoundResult flow_small(nb::handle result, const FlowPlan& plan, int64_t most, bool is_matrix, nb::handle end,
                       nb::handle head, nb::handle capacity, nb::handle vertex_count, nb::handle source_id,
                       nb::handle sink_id, std::optional<int> exponent) {
  Stopwatch watch;
  const View head_view(head), capacity_view(capacity);
  auto read = read_arcs(is_matrix, end, head_view, vertex_count, most);
  if (!read || !(capacity_view.lists_integers() || capacity_view.lists_reals())) return std::nullopt;
  const int64_t source = within_64_bits(source_id), sink = within_64_bits(sink_id);
  const int64_t vertices = read->vertices, count = read->arcs;
  if (capacity_view.extent(0) != count) return std::nullopt;
  if (source < 0 || source >= vertices || sink < 0 || sink >= vertices || source == sink) return std::nullopt;
  auto network = std::make_unique<Network>(std::move(*read));
  network->role = LargeArray<Role>(size_t(vertices), Role::kInner);
  network->role[size_t(source)] = Role::kSource;
  network->role[size_t(sink)] = Role::kSink;
  Arcs<int32_t> arcs;
  arcs.vertices = int32_t(vertices);
  arcs.head = network->head.data();
  arcs.role = network->role.data();
  if (is_matrix) {
    arcs.start = network->ends.data();
  } else {
    arcs.tail = network->ends.data();
    arcs.listed = int32_t(count);
  }
  if (!read_capacities(capacity_view, exponent, arcs, *network)) return std::nullopt;
  arcs.capacity = network->capacity.data();
  const NewArray<bool> cut(vertices);
  auto* const side = reinterpret_cast<uint8_t*>(cut.data);
  run_small(network->run, count >= kGilArcs,
            [&](Run& running) { network->solved = solve_flow<int32_t>(plan, arcs, nullptr, side, running); });
  if (!network->solved) return std::nullopt;
  const nb::object across = rounded_cut(*network, arcs, side);
  network->seconds = watch.lap();
  return small_flow(result, is_matrix, source_id, sink_id, std::move(network), cut.object, across);
}

}  // namespace

void bind_small(nb::module_& m) {
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
  m.def("assign_points_small", &assign_points_small, "result"_a, "x"_a.none(), "y"_a.none(), "metric"_a,
        "plan"_a, "most"_a, "most_rows"_a, "most_terms"_a, "sorted_from"_a,
        "Assign points to points, of at most `most` pairs, at most `most_rows` points in the smaller set and "
        "at most `most_terms` coordinates of all pairs together, by all costs, or on a line from "
        "`sorted_from` points each on by sorting: as small_assignments, or "
        "None for what this does not take.");
  m.def("assign_sparse_small", &assign_sparse_small, "result"_a, "indptr"_a.none(), "indices"_a.none(),
        "data"_a.none(), "rows"_a, "cols"_a, "maximize"_a, "most"_a,
        "Solve the costs of a matrix of at most `most` rows, columns and entries in compressed rows, columns "
        "ascending: as small_assignments, or None for what this does not take.");
  m.def("match_arrays", &match_arrays, "format"_a, "first"_a.none(), "second"_a.none(), "rows"_a, "cols"_a,
        "most"_a, "threads"_a = 1,
        "Match a matrix of at most `most` rows, columns and entries, in the format csr, csc or coo: (size, "
        "col_of_row, row_of_col, entries, method, init, what searches reached or None, whether that is rows, "
        "counts, seconds), or None for what this does not take.");
  nb::class_<Network>(m, "SolvedNetwork", "A small network with a maximum flow.")
      .def("flow", &Network::flow,
           "The flow of each arc, in units and without circulation; None after release().")
      .def("release", &Network::release, "Let go of what only the flow is made of.")
      .def(
          "arrays", [](nb::handle self) { return arrays_of(self); },
          "Copies of tails or of where lists begin, of heads and of capacities.")
      .def(
          "counts", [](const Network& self) { return counts_of(self.run); }, "What was counted.")
      .def_ro("seconds", &Network::seconds);
  m.def(
      "flow_small", &flow_small, "result"_a, "plan"_a, "most"_a, "is_matrix"_a, "end"_a.none(),
      "head"_a.none(), "capacity"_a.none(), "vertices"_a.none(), "source"_a, "sink"_a,
      "exponent"_a.none() = nb::none(),
      "Bring a maximum flow over at most `most` arcs with tails (`vertices` may be None), or over the sorted "
      "lists of a square matrix that begin at `end`: a new `result` with value, gap, cut, device and found = "
      "(is_matrix, source, sink, value in units, SolvedNetwork, cut, unit, across), or None for what this "
      "does "
      "not take. Real capacities are rounded down to multiples of 2**exponent, and so is the flow; `unit` is "
      "(the exponent that makes all whole, the one taken), the latter chosen if None is given. It is None "
      "for "
      "integers. Where it rounds there is no value and no gap, and `across` is the capacity of the cut: "
      "whole "
      "units, and the high and the low 64 bits of what rounding took, in units that make all whole; None if "
      "it "
      "takes more digits.");
}

}  // namespace konig
