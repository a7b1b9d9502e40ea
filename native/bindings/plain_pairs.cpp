// Dense problems in plain arrays for the drop-ins: pairs as SciPy has them, partners as lap has them. They
// have fronts like that of linear_assignment (plain_assignment.cpp).
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "bindings/plain.h"
#include "bindings/plain_front.h"
#include "bindings/plain_solve.h"

namespace konig {
namespace {

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
bool rivals_the_diagonal(const PlainSolve<S>& solved, int64_t size, int64_t step, double rounding) {
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

// The solution of an array in a type, its pairs written where `place_pairs(size, answer)` says; the duals are
// nobody's concern. False if there is more to say.
template <class S>
struct PairSolve {
  template <class Given, class Place>
  bool solve(const View& view, bool maximize, const Place& place_pairs) {
    rows = view.extent(0);
    cols = view.extent(1);
    size = std::min(rows, cols);
    duals_.resize(size_t(rows + cols));
    solved.answer.row_dual = duals_.data();
    solved.answer.col_dual = duals_.data() + rows;
    place_pairs(size, solved.answer);
    solve_plain<S, Given>(view, made_, maximize, solved);
    return !solved.is_bad && solved.outcome == Outcome::optimal;
  }

  PlainSolve<S> solved;
  int64_t rows = 0, cols = 0, size = 0;

 private:
  std::unique_ptr<S[]> made_;
  std::vector<DualOf<S>> duals_;
};

// (row_ind, col_ind), and whether the diagonal might be as good; or None.
nb::object assign_pairs(nb::handle array, bool maximize, double rounding, bool& rivalled) {
  const View view(array.ptr());
  nb::object found = nb::none();
  with_types(view, [&]<class S, class Given>() {
    PairSolve<S> pairs;
    nb::object row_ind, col_ind;
    const auto place = [&](int64_t size, DenseAnswer<S>& answer) {
      row_ind = array_of(size, answer.row_ind);
      col_ind = array_of(size, answer.col_ind);
    };
    if (!pairs.template solve<Given>(view, maximize, place)) return;
    rivalled = rivals_the_diagonal(pairs.solved, pairs.size, pairs.solved.cols + 1, rounding);
    found = nb::steal(PyTuple_Pack(2, row_ind.ptr(), col_ind.ptr()));
  });
  return found;
}

// (cost, column of each row, row of each column) of a full assignment, -1 for none; or None.
nb::object assign_partners(nb::handle array, bool wants_total) {
  const View view(array.ptr());
  nb::object found = nb::none();
  with_types(view, [&]<class S, class Given>() {
    PairSolve<S> pairs;
    std::vector<int64_t> listed;
    const auto place = [&](int64_t size, DenseAnswer<S>& answer) {
      listed.resize(size_t(2 * size));
      answer.row_ind = listed.data();
      answer.col_ind = listed.data() + size;
    };
    if (!pairs.template solve<Given>(view, false, place)) return;
    const DenseAnswer<S>& answer = pairs.solved.answer;
    int32_t *col_of_row = nullptr, *row_of_col = nullptr;
    const nb::object x = array_of(pairs.rows, col_of_row), y = array_of(pairs.cols, row_of_col);
    if (pairs.rows > pairs.size) std::fill(col_of_row, col_of_row + pairs.rows, -1);
    if (pairs.cols > pairs.size) std::fill(row_of_col, row_of_col + pairs.cols, -1);
    for (int64_t p = 0; p < pairs.size; ++p) {
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

void bind_plain_pairs(nb::module_& m) {
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
