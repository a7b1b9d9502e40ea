// A dense problem in a plain array: looked at, solved and packed up in one call.
//
// Trackers solve problems of ten rows at a time, where every microsecond around the solver counts. So the
// answer is one block of bytes that Python takes apart when somebody asks for a part of it, and the calls
// that make it have fronts (plain_front.h). What is not plain
// (another type, nothing to assign, a bad cost) is None here: whoever asks finds out by the other functions
// what there is to say about it.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "bindings/assignment_numbers.h"
#include "bindings/plain.h"
#include "bindings/plain_front.h"
#include "bindings/plain_solve.h"

namespace konig {
namespace {

// ---- packed answers

// What lies before the numbers of a packed answer. Names are literals: packed answers stay in the process.
constexpr int kMostCounts = 8;
struct Heading {
  int64_t rows, cols;
  bool is_real, maximize;
  double seconds;
  double real_total, gap;
  int128 integral_total;
  int64_t counts;
  struct {
    const char* name;
    int64_t value;
  } count[kMostCounts];
};

template <class S>
void write_heading(const PlainSolve<S>& solved, int64_t rows, int64_t cols, bool maximize, char* place) {
  Heading heading;
  heading.rows = rows;
  heading.cols = cols;
  heading.is_real = std::is_floating_point_v<S>;
  heading.maximize = maximize;
  heading.seconds = solved.seconds;
  heading.real_total = std::is_floating_point_v<S> ? double(solved.answer.total) : 0;
  heading.gap = solved.answer.gap;
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

// (cost, gap, counts, seconds, rows, columns, maximize)
nb::tuple heading_of(const nb::bytes& packed) {
  const Heading heading = heading_in(packed);
  nb::dict counts;
  for (int64_t k = 0; k < heading.counts; ++k) counts[heading.count[k].name] = heading.count[k].value;
  const nb::object cost = heading.is_real ? as_number(heading.real_total) : as_number(heading.integral_total);
  const nb::object gap = heading.is_real ? nb::cast(heading.gap) : nb::cast(0);
  return nb::make_tuple(cost, gap, counts, heading.seconds, heading.rows, heading.cols, heading.maximize);
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
    PlainSolve<S> solved;
    std::unique_ptr<S[]> made;
    DenseAnswer<S>& answer = solved.answer;
    answer.row_ind = reinterpret_cast<int64_t*>(place + sizeof(Heading));
    answer.col_ind = answer.row_ind + size;
    answer.row_dual = reinterpret_cast<DualOf<S>*>(answer.col_ind + size);
    answer.col_dual = answer.row_dual + rows;
    solve_plain<S, Given>(view, made, maximize, solved);
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

}  // namespace

void bind_plain_assignment(nb::module_& m) {
  m.def("assign_plain", &assign_plain, "array"_a, "maximize"_a,
        "Survey and solve a dense problem as auto does: a packed answer; masks of a violator where it is "
        "infeasible; None where there is more to say.");
  m.def("heading_of", &heading_of, "packed"_a,
        "Of a packed answer: cost, gap, counts, seconds, rows, columns, maximize.");
  m.def("numbers_of", &numbers_of, "packed"_a,
        "Of a packed answer: row_ind, col_ind, row_dual and col_dual, inside of it.");
  m.def(
      "assignment_front",
      [](nb::object function, nb::object answer_class, nb::object unpack, nb::object refuse) {
        return new_front(function, {answer_class, unpack, refuse}, answer_assignment);
      },
      "function"_a, "answer_class"_a, "unpack"_a, "refuse"_a,
      "A front of linear_assignment that answers plain calls itself.");
}

}  // namespace konig
