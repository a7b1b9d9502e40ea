// A dense problem in a plain array: looked at, solved and packed up in one call.
//
// Trackers solve problems of ten rows at a time, where every microsecond around the solver counts. So the
// answer is one block of bytes that Python takes apart when somebody asks for a part of it, and the calls
// that make it have fronts (plain_front.h). What is not plain
// (another type, nothing to assign, a bad cost) is None here: whoever asks finds out by the other functions
// what there is to say about it.
#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "bindings/assignment_numbers.h"
#include "bindings/plain.h"
#include "bindings/plain_front.h"
#include "sequential/assignment/cost_rows.h"
#include "sequential/assignment/dense_task.h"

namespace konig {
namespace {

constexpr int64_t kFewForCore = 600;       // rows (columns, if fewer), as in registry/assignment.py
constexpr int64_t kHeldForEntries = 2048;  // for so few the GIL is not worth releasing
constexpr int64_t kWorthThreads = 1 << 20;

int available_cores() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

// The costs row after row in the type that they are solved in: the array's own where it is that already.
template <class S, class Given>
const S* as_rows(const View& view, std::unique_ptr<S[]>& made) {
  const CostLayout given{view.memory(), view.extent(0), view.extent(1), view.stride(0), view.stride(1)};
  if constexpr (std::is_same_v<S, Given>)
    if (given.right == sizeof(S) && given.down == int64_t(given.cols * sizeof(S)))
      return reinterpret_cast<const S*>(given.base);
  made.reset(new S[size_t(given.rows * given.cols)]);
  write_rows<S, Given>(given, made.get());
  return made.get();
}

template <class S>
struct Solved {
  Outcome outcome = Outcome::infeasible;
  bool is_bad = false;
  const S* cost = nullptr;
  int64_t cols = 0;  // of the costs as they were solved
  DenseAnswer<S> answer;
  HallViolator violator;
  Run run;
  double seconds = 0;
};

// Whether an array lies column after column, so that it is a transposed one that need not be copied.
template <class S>
bool lies_by_columns(const View& view) {
  return view.stride(0) == sizeof(S) && view.stride(1) == int64_t(view.extent(0) * sizeof(S)) &&
         view.extent(0) > 1 && view.extent(1) > 1;
}

// The pairs of a transposed problem as those of the problem itself, rows ascending.
template <class S>
void turn_pairs(DenseAnswer<S>& answer, int64_t rows, int64_t size) {
  std::vector<int64_t> col_of_row(size_t(rows), -1);
  for (int64_t p = 0; p < size; ++p) col_of_row[answer.col_ind[p]] = answer.row_ind[p];
  for (int64_t i = 0, p = 0; i < rows; ++i) {
    if (col_of_row[i] < 0) continue;
    answer.row_ind[p] = i;
    answer.col_ind[p++] = col_of_row[i];
  }
}

// Into the places of `solved.answer`. The view outlives the costs.
template <class S, class Given>
void solve(const View& view, std::unique_ptr<S[]>& made, bool maximize, Solved<S>& solved) {
  const auto began = std::chrono::steady_clock::now();
  const bool turned = std::is_same_v<S, Given> && lies_by_columns<S>(view);
  const int64_t rows = view.extent(turned ? 1 : 0), cols = view.extent(turned ? 0 : 1);
  if (turned) std::swap(solved.answer.row_dual, solved.answer.col_dual);
  DenseTask<S> task;
  task.rows = rows;
  task.cols = cols;
  task.maximize = maximize;
  task.method = std::min(rows, cols) < kFewForCore ? DenseMethod::adaptive : DenseMethod::core;
  if (task.method == DenseMethod::core && rows * cols >= kWorthThreads) task.threads = available_cores();
  run_plain(solved.run, rows * cols >= kHeldForEntries, [&](Run& run) {
    task.cost = turned ? reinterpret_cast<const S*>(view.memory()) : as_rows<S, Given>(view, made);
    CostSurvey seen;
    solved.outcome = survey_and_solve_dense(task, solved.answer, solved.violator, seen, run);
    solved.is_bad = seen.is_bad();
  });
  solved.cost = task.cost;
  solved.cols = cols;
  if (turned) {
    std::swap(solved.answer.row_dual, solved.answer.col_dual);
    // Of a square it is about the rows of what was solved, and else about the shorter side.
    if (rows == cols) std::swap(solved.violator.rows, solved.violator.cols);
    if (solved.outcome == Outcome::optimal && !solved.is_bad)
      turn_pairs(solved.answer, cols, std::min(rows, cols));
  }
  solved.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// f<S, Given>() for the types of an array and of its solution; false if there is no such.
template <class F>
bool with_types(const View& view, const F& f) {
  if (!view.has_dimensions(2) || view.extent(0) == 0 || view.extent(1) == 0) return false;
  switch (view.type()) {
    case 'd':
      return f.template operator()<double, double>(), true;
    case 'f':
      return f.template operator()<float, float>(), true;
    case '?':
    case 'B':
      return f.template operator()<int32_t, uint8_t>(), true;
    case 'b':
      return f.template operator()<int32_t, int8_t>(), true;
    case 'h':
      return f.template operator()<int32_t, int16_t>(), true;
    case 'H':
      return f.template operator()<int32_t, uint16_t>(), true;
    case 'i':
    case 'l':
    case 'q':
      if (view.item_bytes() == 4) return f.template operator()<int32_t, int32_t>(), true;
      return f.template operator()<int64_t, int64_t>(), true;
    default:
      return false;
  }
}

// ---- packed answers

// What lies before the numbers of a packed answer. Names are literals: packed answers stay in the process.
constexpr int kMostCounts = 8;
struct Heading {
  int64_t rows, cols;
  bool is_real, maximize;
  double seconds;
  double real_total;
  int128 integral_total;
  int64_t counts;
  struct {
    const char* name;
    int64_t value;
  } count[kMostCounts];
};

template <class S>
void write_heading(const Solved<S>& solved, int64_t rows, int64_t cols, bool maximize, char* place) {
  Heading heading;
  heading.rows = rows;
  heading.cols = cols;
  heading.is_real = std::is_floating_point_v<S>;
  heading.maximize = maximize;
  heading.seconds = solved.seconds;
  heading.real_total = std::is_floating_point_v<S> ? double(solved.answer.total) : 0;
  heading.integral_total = std::is_floating_point_v<S> ? 0 : int128(solved.answer.total);
  heading.counts = 0;
  for (const auto& [name, value] : solved.run.stats())
    if (heading.counts < kMostCounts)
      heading.count[heading.counts++] = {name.data(), std::get<int64_t>(value)};
  std::memcpy(place, &heading, sizeof heading);
}

Heading heading_in(const nb::bytes& packed) {
  Heading heading;
  if (packed.size() < sizeof heading) throw nb::value_error("no packed assignment");
  std::memcpy(&heading, packed.c_str(), sizeof heading);
  return heading;
}

// (cost, counts, seconds, rows, columns, maximize)
nb::tuple heading_of(const nb::bytes& packed) {
  const Heading heading = heading_in(packed);
  nb::dict counts;
  for (int64_t k = 0; k < heading.counts; ++k) counts[heading.count[k].name] = heading.count[k].value;
  const nb::object cost = heading.is_real ? as_number(heading.real_total) : as_number(heading.integral_total);
  return nb::make_tuple(cost, counts, heading.seconds, heading.rows, heading.cols, heading.maximize);
}

nb::tuple numbers_of(const nb::bytes& packed) {
  const Heading heading = heading_in(packed);
  const int64_t size = std::min(heading.rows, heading.cols);
  const char* place = packed.c_str() + sizeof heading;
  const auto next = [&](int64_t count, bool is_real) {
    nb::object array = nb::steal(array_inside(packed.ptr(), place, count, is_real));
    if (!array.is_valid()) nb::raise_python_error();
    place += 8 * count;
    return array;
  };
  const nb::object row_ind = next(size, false), col_ind = next(size, false);
  const nb::object row_dual = next(heading.rows, heading.is_real);
  return nb::make_tuple(row_ind, col_ind, row_dual, next(heading.cols, heading.is_real));
}

nb::bytes as_bytes(const std::vector<uint8_t>& mask) {
  return nb::bytes((const char*)mask.data(), mask.size());
}

// The heading and then row_ind, col_ind, row_dual and col_dual, eight bytes for each number; or the rows and
// columns of a violator; or None.
nb::object assign_plain(nb::handle array, bool maximize) {
  const View view(array.ptr());
  nb::object found = nb::none();
  with_types(view, [&]<class S, class Given>() {
    const int64_t rows = view.extent(0), cols = view.extent(1), size = std::min(rows, cols);
    char* place;
    nb::object packed = new_bytes(int64_t(sizeof(Heading)) + 8 * (2 * size + rows + cols), place);
    Solved<S> solved;
    std::unique_ptr<S[]> made;
    DenseAnswer<S>& answer = solved.answer;
    answer.row_ind = reinterpret_cast<int64_t*>(place + sizeof(Heading));
    answer.col_ind = answer.row_ind + size;
    answer.row_dual = reinterpret_cast<DualOf<S>*>(answer.col_ind + size);
    answer.col_dual = answer.row_dual + rows;
    solve<S, Given>(view, made, maximize, solved);
    if (solved.is_bad || solved.outcome == Outcome::duals_too_large) return;
    if (solved.outcome == Outcome::infeasible) {
      found = nb::make_tuple(as_bytes(solved.violator.rows), as_bytes(solved.violator.cols));
      return;
    }
    write_heading(solved, rows, cols, maximize, place);
    found = std::move(packed);
  });
  return found;
}

// ---- linear_assignment

// Whether a call asks for no more than this: auto, on the host, with nothing set.
bool asks_plainly(const CallArguments& call, bool& maximize, bool& full) {
  static PyObject* const kMaximize = interned("maximize");
  static PyObject* const kFull = interned("full");
  static PyObject* const kMethod = interned("method");
  static PyObject* const kDevice = interned("device");
  static PyObject* const kAuto = interned("auto");
  static PyObject* const kCpu = interned("cpu");
  if (call.count != 1) return false;
  for (Py_ssize_t k = 0; k < call.keyword_count(); ++k) {
    PyObject *const name = call.keyword(k), *const value = call.value(k);
    if (name == kMaximize || name == kFull) {
      if (value != Py_True && value != Py_False) return false;
      (name == kMaximize ? maximize : full) = value == Py_True;
    } else if (name == kMethod) {
      if (value != kAuto) return false;
    } else if (name == kDevice) {
      if (value != kAuto && value != kCpu) return false;
    } else if (value != Py_None) {  // nothing is what all other arguments are as a rule
      return false;
    }
  }
  return true;
}

// An answer of the class that unpacks itself when it is asked for a part.
nb::object packed_answer(PyObject* answer_class, PyObject* unpack, const nb::object& packed) {
  static PyObject* const kPacked = interned("_packed");
  auto* const type = reinterpret_cast<PyTypeObject*>(answer_class);
  nb::object answer = nb::steal(type->tp_alloc(type, 0));
  nb::object parts = nb::steal(PyTuple_Pack(2, unpack, packed.ptr()));
  // The class is frozen: its own way of setting refuses.
  if (!answer.is_valid() || !parts.is_valid() ||
      PyObject_GenericSetAttr(answer.ptr(), kPacked, parts.ptr()) != 0)
    nb::raise_python_error();
  return answer;
}

// Parts: the class of answers, what unpacks them, and what makes an error of a violator.
nb::object answer_assignment(PyObject* const* parts, const CallArguments& call) {
  bool maximize = false, full = true;
  if (!asks_plainly(call, maximize, full)) return {};
  nb::object found = assign_plain(call.given[0], maximize);
  if (found.is_none()) return {};
  if (PyBytes_CheckExact(found.ptr())) return packed_answer(parts[0], parts[1], found);
  if (!full) return {};
  const nb::handle refuse(parts[2]);
  refuse(nb::handle(call.given[0]), found);  // raises
  return {};
}

// ---- pairs and partners

// A new array of NumPy's, and where its numbers are.
template <class Number>
nb::object array_of(int64_t size, Number*& place) {
  nb::object array = nb::steal(new_array(size, place));
  if (!array.is_valid()) nb::raise_python_error();
  return array;
}

// Whether the pairs are not the diagonal, which costs about as much: within `rounding` of the total. It is
// `step` from one cost of the diagonal to the next.
template <class S>
bool rivals_the_diagonal(const Solved<S>& solved, int64_t size, int64_t step, double rounding) {
  const DenseAnswer<S>& answer = solved.answer;
  Total<S> diagonal;
  bool is_diagonal = true;
  for (int64_t i = 0; i < size; ++i) {
    diagonal.add(solved.cost[i * step]);
    is_diagonal = is_diagonal && answer.row_ind[i] == i && answer.col_ind[i] == i;
  }
  const double mine = double(answer.total), theirs = double(diagonal.value());
  return !is_diagonal && std::abs(mine - theirs) <= rounding * std::max(std::abs(mine), std::abs(theirs));
}

// (row_ind, col_ind), and whether the diagonal might be as good; or None.
nb::object assign_pairs(nb::handle array, bool maximize, double rounding, bool& rivalled) {
  const View view(array.ptr());
  nb::object found = nb::none();
  with_types(view, [&]<class S, class Given>() {
    const int64_t rows = view.extent(0), cols = view.extent(1), size = std::min(rows, cols);
    Solved<S> solved;
    std::unique_ptr<S[]> made;
    std::vector<DualOf<S>> duals(size_t(rows + cols));
    DenseAnswer<S>& answer = solved.answer;
    answer.row_dual = duals.data();
    answer.col_dual = duals.data() + rows;
    const nb::object row_ind = array_of(size, answer.row_ind), col_ind = array_of(size, answer.col_ind);
    solve<S, Given>(view, made, maximize, solved);
    if (solved.is_bad || solved.outcome != Outcome::optimal) return;
    rivalled = rivals_the_diagonal(solved, size, solved.cols + 1, rounding);
    found = nb::steal(PyTuple_Pack(2, row_ind.ptr(), col_ind.ptr()));
  });
  return found;
}

// (cost, column of each row, row of each column) of a full assignment, -1 for none; or None.
nb::object assign_partners(nb::handle array, bool wants_total) {
  const View view(array.ptr());
  nb::object found = nb::none();
  with_types(view, [&]<class S, class Given>() {
    const int64_t rows = view.extent(0), cols = view.extent(1), size = std::min(rows, cols);
    Solved<S> solved;
    std::unique_ptr<S[]> made;
    std::vector<DualOf<S>> duals(size_t(rows + cols));
    std::vector<int64_t> pairs(size_t(2 * size));
    DenseAnswer<S>& answer = solved.answer;
    answer = {pairs.data(), pairs.data() + size, duals.data(), duals.data() + rows};
    solve<S, Given>(view, made, false, solved);
    if (solved.is_bad || solved.outcome != Outcome::optimal) return;
    int32_t *col_of_row = nullptr, *row_of_col = nullptr;
    const nb::object x = array_of(rows, col_of_row), y = array_of(cols, row_of_col);
    if (rows > size) std::fill(col_of_row, col_of_row + rows, -1);
    if (cols > size) std::fill(row_of_col, row_of_col + cols, -1);
    for (int64_t p = 0; p < size; ++p) {
      col_of_row[answer.row_ind[p]] = int32_t(answer.col_ind[p]);
      row_of_col[answer.col_ind[p]] = int32_t(answer.row_ind[p]);
    }
    found = wants_total ? nb::make_tuple(double(answer.total), x, y) : nb::make_tuple(x, y);
  });
  return found;
}

// Of SciPy's linear_sum_assignment(cost_matrix, maximize=False). Parts: what answers where the diagonal might
// be as good, and by how much the cost of an answer may be off, as a part of it.
nb::object answer_pairs(PyObject* const* parts, const CallArguments& call) {
  static PyObject* const kMaximize = interned("maximize");
  if (call.count < 1 || call.count + call.keyword_count() > 2) return {};
  bool maximize = false;
  if (call.count + call.keyword_count() == 2) {
    if (call.keyword_count() == 1 && call.keyword(0) != kMaximize) return {};
    if (call.given[1] != Py_True && call.given[1] != Py_False) return {};
    maximize = call.given[1] == Py_True;
  }
  bool rivalled = false;
  nb::object found = assign_pairs(call.given[0], maximize, PyFloat_AsDouble(parts[1]), rivalled);
  if (found.is_none()) return {};
  if (rivalled) return nb::handle(parts[0])(nb::handle(call.given[0]), found[0], found[1], maximize);
  return found;
}

// Of lapjv(cost, extend_cost=False, cost_limit=inf, return_cost=True) of lap.
nb::object answer_partners(PyObject* const*, const CallArguments& call) {
  static PyObject* const kExtend = interned("extend_cost");
  static PyObject* const kReturn = interned("return_cost");
  if (call.count != 1) return {};
  bool extend = false, wants_total = true;
  for (Py_ssize_t k = 0; k < call.keyword_count(); ++k) {
    PyObject *const name = call.keyword(k), *const value = call.value(k);
    if ((name != kExtend && name != kReturn) || (value != Py_True && value != Py_False)) return {};
    (name == kExtend ? extend : wants_total) = value == Py_True;
  }
  const View view(call.given[0]);
  if (!view.has_dimensions(2) || (view.extent(0) != view.extent(1) && !extend)) return {};
  nb::object found = assign_partners(call.given[0], wants_total);
  return found.is_none() ? nb::object() : found;
}

}  // namespace

void bind_plain_assignment(nb::module_& m) {
  m.def("assign_plain", &assign_plain, "array"_a, "maximize"_a,
        "Survey and solve a dense problem as auto does: a packed answer; masks of a violator where it is "
        "infeasible; None where there is more to say.");
  m.def("heading_of", &heading_of, "packed"_a,
        "Of a packed answer: cost, counts, seconds, rows, columns, maximize.");
  m.def("numbers_of", &numbers_of, "packed"_a,
        "Of a packed answer: row_ind, col_ind, row_dual and col_dual, inside of it.");
  m.def(
      "assignment_front",
      [](nb::object function, nb::object answer_class, nb::object unpack, nb::object refuse) {
        return new_front(function, {answer_class, unpack, refuse}, answer_assignment);
      },
      "function"_a, "answer_class"_a, "unpack"_a, "refuse"_a,
      "A front of linear_assignment that answers plain calls itself.");
  m.def(
      "pairs_front",
      [](nb::object function, nb::object settle, double rounding) {
        return new_front(function, {settle, nb::float_(rounding)}, answer_pairs);
      },
      "function"_a, "settle"_a, "rounding"_a, "A front of linear_sum_assignment as SciPy has it.");
  m.def(
      "partners_front", [](nb::object function) { return new_front(function, {}, answer_partners); },
      "function"_a, "A front of lapjv as lap has it.");
}

}  // namespace konig
