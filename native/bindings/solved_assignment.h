// What results of assignments make their other fields of when they are read: duals, those of the rows first,
// and counts. Most callers read neither, and to make Python's objects of them takes longer than to solve ten
// rows. And the names of the fields that are made at once.
#pragma once

#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/new_result.h"
#include "core/large_array.h"
#include "core/run.h"

namespace konig {

struct SolvedAssignment {
  SolvedAssignment(int64_t rows, int64_t cols) : rows(rows), cols(cols), dual(size_t(rows + cols)) {}

  static nb::object of(int64_t rows, int64_t cols) {
    nb::object made = nb::inst_alloc(nb::type<SolvedAssignment>());
    new (nb::inst_ptr<SolvedAssignment>(made)) SolvedAssignment(rows, cols);
    nb::inst_mark_ready(made);
    return made;
  }
  // Of costs of type S.
  template <class S>
  void finish(double proven_gap, Run& counted, double taken) {
    is_real = std::is_floating_point_v<S>;
    gap = proven_gap;
    run = std::move(counted);
    seconds = taken;
  }

  template <class Number>
  Number* row_dual() {
    return reinterpret_cast<Number*>(dual.data());
  }
  template <class Number>
  Number* col_dual() {
    return row_dual<Number>() + rows;
  }
  nb::object duals(int64_t first, int64_t count) const {
    if (!is_real) return copied<int64_t>(first, count);
    return copied<double>(first, count);
  }
  template <class Number>
  nb::object copied(int64_t first, int64_t count) const {
    const NewArray<Number> made(count);
    std::memcpy(made.data, dual.data() + first, size_t(count) * sizeof(Number));
    return made.object;
  }

  int64_t rows, cols;
  LargeArray<int64_t> dual;  // float64 of real costs
  bool is_real = false;
  double gap = 0, seconds = 0;
  Run run = Run();  // for its counts
};

// The names of the fields of an Assignment, made once.
struct AssignmentFields {
  static const AssignmentFields& here() {
    static const AssignmentFields& names = *new AssignmentFields;
    return names;
  }

  PyObject* const row_ind = interned("row_ind");
  PyObject* const col_ind = interned("col_ind");
  PyObject* const cost = interned("cost");
  PyObject* const found = interned("found");
  PyObject* const maximize = interned("maximize");
};

}  // namespace konig
