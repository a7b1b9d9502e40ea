#include "bindings/numpy_arrays.h"

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>

namespace konig {
namespace {

template <class Number>
PyObject* new_list(int64_t count, int type, Number*& place) {
  npy_intp extent = npy_intp(count);
  PyObject* const array = PyArray_SimpleNew(1, &extent, type);
  if (array) place = static_cast<Number*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array)));
  return array;
}

}  // namespace

bool look_at(PyObject* object, ArrayInMemory& array) {
  if (!PyArray_CheckExact(object)) return false;
  auto* const given = reinterpret_cast<PyArrayObject*>(object);
  if (!PyArray_ISALIGNED(given) || !PyArray_ISNOTSWAPPED(given)) return false;
  static_assert(sizeof(npy_intp) == sizeof(Py_ssize_t));
  array.memory = static_cast<const char*>(PyArray_DATA(given));
  array.dimensions = PyArray_NDIM(given);
  array.extents = reinterpret_cast<const Py_ssize_t*>(PyArray_DIMS(given));
  array.strides = reinterpret_cast<const Py_ssize_t*>(PyArray_STRIDES(given));
  array.item_bytes = PyArray_ITEMSIZE(given);
  array.type = PyArray_DESCR(given)->type;
  return true;
}

PyObject* new_array(int64_t count, int32_t*& place) { return new_list(count, NPY_INT32, place); }
PyObject* new_array(int64_t count, int64_t*& place) { return new_list(count, NPY_INT64, place); }

PyObject* array_inside(PyObject* owner, const void* place, int64_t count, bool is_real) {
  npy_intp extent = npy_intp(count);
  PyObject* const array =
      PyArray_New(&PyArray_Type, 1, &extent, is_real ? NPY_FLOAT64 : NPY_INT64, nullptr,
                  const_cast<void*>(place), 0, NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED, nullptr);
  if (!array) return nullptr;
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array), Py_NewRef(owner)) == 0) return array;
  Py_DECREF(array);
  return nullptr;
}

bool import_numpy() { return _import_array() == 0; }

}  // namespace konig
