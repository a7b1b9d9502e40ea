// Results made without Python code: an instance with its fields, and the counts of a run.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>

#include "bindings/bindings.h"

namespace konig {

// A string of Python's for the name of a field or a count: made once, and never freed.
inline PyObject* interned(const char* text) { return PyUnicode_InternFromString(text); }

// The counts of a run as one tuple: a name, its number, the next name. Names are literals, for which Python
// strings are made once.
inline nb::object counts_of(const Run& run) {
  static auto& strings = *new std::unordered_map<const char*, PyObject*>();
  nb::object counts = nb::steal(PyTuple_New(Py_ssize_t(2 * run.stats().size())));
  if (!counts.is_valid()) nb::raise_python_error();
  Py_ssize_t place = 0;
  for (const auto& [name, value] : run.stats()) {
    PyObject*& string = strings[name.data()];
    if (!string) string = interned(std::string(name).c_str());
    PyTuple_SetItem(counts.ptr(), place++, Py_NewRef(string));
    const auto* const number = std::get_if<int64_t>(&value);
    PyTuple_SetItem(counts.ptr(), place++,
                    number ? PyLong_FromLongLong(*number) : nb::cast(value).release().ptr());
  }
  return counts;
}

// An instance of a class of Python's, made without its constructor, and fields that its own __setattr__ would
// guard: that of a frozen dataclass takes longer than the solve of ten rows.
class NewResult {
 public:
  explicit NewResult(nb::handle type) {
    auto* const made = reinterpret_cast<PyTypeObject*>(type.ptr());
    object_ = nb::steal(PyType_GenericAlloc(made, 0));
    if (!object_.is_valid()) nb::raise_python_error();
  }
  void set(PyObject* name, nb::handle value) {
    if (PyObject_GenericSetAttr(object_.ptr(), name, value.ptr()) != 0) nb::raise_python_error();
  }
  nb::object object() { return std::move(object_); }

 private:
  nb::object object_;
};

}  // namespace konig
