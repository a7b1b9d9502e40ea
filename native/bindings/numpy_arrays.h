// NumPy's arrays as they lie in memory, and new ones.
//
// The buffer protocol says the same about an array, but asks for some memory each time, which on a problem of
// ten rows takes as long as half of the solve.
#pragma once

#include <Python.h>

#include <cstdint>

namespace konig {

struct ArrayInMemory {
  const char* memory = nullptr;
  int dimensions = 0;
  const Py_ssize_t* extents = nullptr;
  const Py_ssize_t* strides = nullptr;  // in bytes
  int64_t item_bytes = 0;
  char type = 0;  // the letter of the type as the module struct has it
};

// False for anything but an array, of no class derived from it, whose numbers are aligned and in native
// order.
bool look_at(PyObject* object, ArrayInMemory& array);

// New arrays in one dimension, and where their numbers are; null with an error set if there is no memory.
PyObject* new_array(int64_t count, int32_t*& place);
PyObject* new_array(int64_t count, int64_t*& place);

// Numbers of eight bytes that lie inside of another object, as an array that nobody may write to.
PyObject* array_inside(PyObject* owner, const void* place, int64_t count, bool is_real);

// Before anything else here; false with an error set if there is no NumPy.
bool import_numpy();

}  // namespace konig
