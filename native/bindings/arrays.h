// NumPy arrays through NumPy's C interface: their memory, and new ones.
//
// The buffer protocol gives the same, but allocates each time, which takes half as long as the solve of a
// problem of ten rows. Only for files that import NumPy's functions (_import_array) when they bind theirs.
#pragma once

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "bindings/bindings.h"
#include "core/large_array.h"
#include "core/sweeps.h"

namespace konig {

// The memory of an array. It has no dimensions if the object is not exactly an ndarray, or if its numbers are
// not aligned or not in native byte order.
class View {
 public:
  explicit View(nb::handle object) : owner_(nb::borrow(object)) {
    if (!PyArray_CheckExact(object.ptr())) return;
    auto* const array = reinterpret_cast<PyArrayObject*>(object.ptr());
    if (!PyArray_ISALIGNED(array) || !PyArray_ISNOTSWAPPED(array)) return;
    array_ = array;
  }

  bool has_dimensions(int count) const { return array_ && PyArray_NDIM(array_) == count; }
  int64_t extent(int dimension) const { return PyArray_DIM(array_, dimension); }
  int64_t stride(int dimension) const { return PyArray_STRIDE(array_, dimension); }  // in bytes
  int64_t item_bytes() const { return PyArray_ITEMSIZE(array_); }
  const char* memory() const { return static_cast<const char*>(PyArray_DATA(array_)); }
  char type() const { return PyArray_DESCR(array_)->type; }  // as the module struct names it

  bool lies_by_columns() const { return PyArray_IS_F_CONTIGUOUS(array_) && !PyArray_IS_C_CONTIGUOUS(array_); }
  bool lies_by_rows() const { return PyArray_IS_C_CONTIGUOUS(array_); }
  int64_t size() const { return PyArray_SIZE(array_); }
  int number_type() const { return PyArray_TYPE(array_); }  // as NumPy numbers them
  // The array, or its transpose, as rows of another type.
  nb::object as_rows(int type, bool transposed) const {
    const nb::object given = transposed ? nb::steal(PyArray_Transpose(array_, nullptr)) : owner_;
    if (!given.is_valid()) nb::raise_python_error();
    const nb::object made = nb::steal(PyArray_FROMANY(given.ptr(), type, 0, 0, NPY_ARRAY_CARRAY_RO));
    if (!made.is_valid()) nb::raise_python_error();
    return made;
  }

  // Whether it has one contiguous dimension of signed integers of 32 or 64 bits.
  bool lists_integers() const {
    return has_dimensions(1) && (extent(0) < 2 || stride(0) == item_bytes()) &&
           (type() == 'i' || type() == 'l' || type() == 'q');
  }
  // The same for float64.
  bool lists_reals() const {
    return has_dimensions(1) && (extent(0) < 2 || stride(0) == item_bytes()) && type() == 'd';
  }

 private:
  nb::object owner_;
  PyArrayObject* array_ = nullptr;
};

template <class Number>
constexpr int numpy_type() {
  if (std::is_same_v<Number, bool>) return NPY_BOOL;
  if (std::is_same_v<Number, uint8_t>) return NPY_UINT8;
  if (std::is_same_v<Number, float>) return NPY_FLOAT32;
  if (std::is_same_v<Number, double>) return NPY_FLOAT64;
  return sizeof(Number) == 8 ? NPY_INT64 : NPY_INT32;
}

// The numbers of an array, or of the transpose of one that lies by columns, row after row: its own memory
// where they have that type, else a copy. NumPy takes 1.4 us to convert the numbers of 40 rows, a quarter of
// the whole call.
template <class Number>
class RowsOf {
 public:
  RowsOf(const View& view, bool transposed) {
    const bool is_whole = transposed || view.lies_by_rows();
    if (is_whole && view.number_type() == numpy_type<Number>()) {
      data = reinterpret_cast<const Number*>(view.memory());
    } else if (!is_whole || !copy_narrow(view)) {
      owner_ = view.as_rows(numpy_type<Number>(), transposed);
      data = reinterpret_cast<const Number*>(View(owner_).memory());
    }
  }

  const Number* data;

 private:
  // Integers of 8 and 16 bits; false for others.
  bool copy_narrow(const View& view) {
    const auto copy = [&]<class Given>(Given) {
      if constexpr (std::is_same_v<Number, int32_t>) {
        made_ = LargeArray<Number>(size_t(view.size()));
        widen(reinterpret_cast<const Given*>(view.memory()), view.size(), made_.data());
        data = made_.data();
      }
      return std::is_same_v<Number, int32_t>;
    };
    switch (view.type()) {
      case 'b':
        return copy(int8_t());
      case 'B':
        return copy(uint8_t());
      case 'h':
        return copy(int16_t());
      case 'H':
        return copy(uint16_t());
      default:
        return false;
    }
  }

  nb::object owner_;
  LargeArray<Number> made_;
};

// A new array of one dimension, which Python may only read. Its memory is that of a LargeArray, which is kept
// for the next one when Python lets go of it; NumPy's own allocator is faster for small ones.
template <class Number>
class NewArray {
 public:
  explicit NewArray(int64_t count) {
    constexpr size_t kLarge = size_t(1) << 13;  // bytes
    npy_intp extent = npy_intp(count);
    if (size_t(count) * sizeof(Number) < kLarge) {
      object = checked(PyArray_SimpleNew(1, &extent, numpy_type<Number>()));
    } else {
      auto memory = std::make_unique<LargeArray<Number>>(size_t(count));
      object = checked(PyArray_SimpleNewFromData(1, &extent, numpy_type<Number>(), memory->data()));
      nb::capsule owner(memory.release(),
                        [](void* data) noexcept { delete static_cast<LargeArray<Number>*>(data); });
      if (PyArray_SetBaseObject(array(), owner.release().ptr()) != 0) nb::raise_python_error();
    }
    PyArray_CLEARFLAGS(array(), NPY_ARRAY_WRITEABLE);
    data = static_cast<Number*>(PyArray_DATA(array()));
  }

  nb::object object;
  Number* data;

 private:
  static nb::object checked(PyObject* made) {
    if (!made) nb::raise_python_error();
    return nb::steal(made);
  }
  PyArrayObject* array() const { return reinterpret_cast<PyArrayObject*>(object.ptr()); }
};

// Copies the first `count` of the integers that a view lists; false if one does not fit.
template <class Number>
bool copy_integers(const View& view, int64_t count, Number* made) {
  const auto copy = [&]<class Given>(const Given* given) {
    bool fits = true;
    for (int64_t k = 0; k < count; ++k) {
      made[k] = Number(given[k]);
      fits &= Given(made[k]) == given[k];
    }
    return fits;
  };
  if (view.item_bytes() == 4) return copy(reinterpret_cast<const int32_t*>(view.memory()));
  return copy(reinterpret_cast<const int64_t*>(view.memory()));
}

// The integers of a small array in the type asked for: its own memory where it has that type, else a copy.
template <class Number>
class Integers {
 public:
  explicit Integers(const View& view) : data(reinterpret_cast<const Number*>(view.memory())) {
    if (view.item_bytes() == sizeof(Number)) return;
    made_.reset(new Number[size_t(view.extent(0))]);
    fits = copy_integers(view, view.extent(0), made_.get());
    data = made_.get();
  }

  const Number* data;
  bool fits = true;

 private:
  std::unique_ptr<Number[]> made_;
};

}  // namespace konig
