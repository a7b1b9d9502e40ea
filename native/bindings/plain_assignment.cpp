// A dense problem in a plain array: looked at, solved and packed up in one call.
//
// Trackers solve problems of ten rows at a time, where every microsecond around the solver counts. So the
// answer is one block of bytes that Python takes apart when somebody asks for a part of it. What is not plain
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

#include "bindings/assignment_numbers.h"
#include "bindings/plain.h"
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
  DenseAnswer<S> answer;
  HallViolator violator;
  Run run;
  double seconds = 0;
};

// Into the places of `solved.answer`. The view outlives the costs.
template <class S, class Given>
void solve(const View& view, std::unique_ptr<S[]>& made, bool maximize, Solved<S>& solved) {
  const auto began = std::chrono::steady_clock::now();
  const int64_t rows = view.extent(0), cols = view.extent(1);
  DenseTask<S> task;
  task.rows = rows;
  task.cols = cols;
  task.maximize = maximize;
  task.method = std::min(rows, cols) < kFewForCore ? DenseMethod::adaptive : DenseMethod::core;
  if (task.method == DenseMethod::core && rows * cols >= kWorthThreads) task.threads = available_cores();
  run_plain(solved.run, rows * cols >= kHeldForEntries, [&](Run& run) {
    task.cost = solved.cost = as_rows<S, Given>(view, made);
    CostSurvey seen;
    solved.outcome = survey_and_solve_dense(task, solved.answer, solved.violator, seen, run);
    solved.is_bad = seen.is_bad();
  });
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

nb::bytes as_bytes(const std::vector<uint8_t>& mask) {
  return nb::bytes((const char*)mask.data(), mask.size());
}

// (bytes, cost, counts, seconds, rows, columns, whether costs are real, maximize): the bytes are row_ind,
// col_ind, row_dual and col_dual, eight for each number. Or the rows and columns of a violator.
nb::object assign_plain(nb::handle array, bool maximize) {
  const View view(array.ptr());
  nb::object found = nb::none();
  with_types(view, [&]<class S, class Given>() {
    const int64_t rows = view.extent(0), cols = view.extent(1), size = std::min(rows, cols);
    char* place;
    const nb::object packed = new_bytes(8 * (2 * size + rows + cols), place);
    Solved<S> solved;
    std::unique_ptr<S[]> made;
    DenseAnswer<S>& answer = solved.answer;
    answer.row_ind = reinterpret_cast<int64_t*>(place);
    answer.col_ind = answer.row_ind + size;
    answer.row_dual = reinterpret_cast<DualOf<S>*>(answer.col_ind + size);
    answer.col_dual = answer.row_dual + rows;
    solve<S, Given>(view, made, maximize, solved);
    if (solved.is_bad || solved.outcome == Outcome::duals_too_large) return;
    if (solved.outcome == Outcome::infeasible) {
      found = nb::make_tuple(as_bytes(solved.violator.rows), as_bytes(solved.violator.cols));
      return;
    }
    found = nb::make_tuple(packed, as_number(answer.total), kept_counts(solved.run), solved.seconds, rows,
                           cols, std::is_floating_point_v<S>, maximize);
  });
  return found;
}

nb::dict counts_of(const nb::capsule& counts) {
  return as_dict(*static_cast<const Run::Counts*>(counts.data()));
}

// A new array of NumPy's, and where its numbers are.
template <class Number>
nb::object new_array(const nb::object& empty, const nb::object& dtype, int64_t size, Number*& place) {
  nb::object array = empty(size, dtype);
  Py_buffer buffer;
  if (PyObject_GetBuffer(array.ptr(), &buffer, PyBUF_SIMPLE | PyBUF_WRITABLE) != 0) nb::raise_python_error();
  place = static_cast<Number*>(buffer.buf);
  PyBuffer_Release(&buffer);
  return array;
}

// Whether the pairs are not the diagonal, which costs about as much: within `rounding` of the total.
template <class S>
bool rivals_the_diagonal(const Solved<S>& solved, int64_t size, int64_t cols, double rounding) {
  const DenseAnswer<S>& answer = solved.answer;
  Total<S> diagonal;
  bool is_diagonal = true;
  for (int64_t i = 0; i < size; ++i) {
    diagonal.add(solved.cost[i * cols + i]);
    is_diagonal = is_diagonal && answer.row_ind[i] == i && answer.col_ind[i] == i;
  }
  const double mine = double(answer.total), theirs = double(diagonal.value());
  return !is_diagonal && std::abs(mine - theirs) <= rounding * std::max(std::abs(mine), std::abs(theirs));
}

// (row_ind, col_ind, whether the diagonal might be as good), or None. `empty` and `dtype` make the arrays.
nb::object assign_pairs(nb::handle array, bool maximize, double rounding, const nb::object& empty,
                        const nb::object& dtype) {
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
    const nb::object row_ind = new_array(empty, dtype, size, answer.row_ind);
    const nb::object col_ind = new_array(empty, dtype, size, answer.col_ind);
    solve<S, Given>(view, made, maximize, solved);
    if (solved.is_bad || solved.outcome != Outcome::optimal) return;
    found = nb::make_tuple(row_ind, col_ind, rivals_the_diagonal(solved, size, cols, rounding));
  });
  return found;
}

// (cost, column of each row, row of each column) of a full assignment, -1 for none; or None.
nb::object assign_partners(nb::handle array, const nb::object& empty, const nb::object& dtype) {
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
    const nb::object x = new_array(empty, dtype, rows, col_of_row);
    const nb::object y = new_array(empty, dtype, cols, row_of_col);
    if (rows > size) std::fill(col_of_row, col_of_row + rows, -1);
    if (cols > size) std::fill(row_of_col, row_of_col + cols, -1);
    for (int64_t p = 0; p < size; ++p) {
      col_of_row[answer.row_ind[p]] = int32_t(answer.col_ind[p]);
      row_of_col[answer.col_ind[p]] = int32_t(answer.row_ind[p]);
    }
    found = nb::make_tuple(double(answer.total), x, y);
  });
  return found;
}

}  // namespace

void bind_plain_assignment(nb::module_& m) {
  m.def("assign_plain", &assign_plain, "array"_a, "maximize"_a,
        "Survey and solve a dense problem as auto does: its answer in bytes, its cost, what was counted and "
        "the seconds; masks of a violator where it is infeasible; None where there is more to say.");
  m.def("counts_of", &counts_of, "counts"_a, "What a call for plain arrays counted.");
  m.def("assign_pairs", &assign_pairs, "array"_a, "maximize"_a, "rounding"_a, "empty"_a, "dtype"_a,
        "The pairs of a full assignment in new arrays, and whether the diagonal might be as good; or None.");
  m.def("assign_partners", &assign_partners, "array"_a, "empty"_a, "dtype"_a,
        "The cost of a full assignment and everybody's partner in new arrays, -1 for none; or None.");
}

}  // namespace konig
