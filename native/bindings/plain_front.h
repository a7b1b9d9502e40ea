// A function of Python whose plain calls are answered in C++, before Python looks at its arguments.
//
// A call of a Python function with a dozen keywords, and the checks of what they are, take longer than
// solving a problem of five rows. So the name stands for an object that looks itself; what it has no plain
// answer to goes to the function, with the arguments as they came.
#pragma once

#include <initializer_list>

#include "bindings/bindings.h"

namespace konig {

// The arguments of a call as vectorcall has them: `count` positional ones, then those of the keywords, which
// are null or a tuple of names.
struct CallArguments {
  PyObject* const* given;
  Py_ssize_t count;
  PyObject* keywords;

  Py_ssize_t keyword_count() const { return keywords ? PyTuple_GET_SIZE(keywords) : 0; }
  PyObject* keyword(Py_ssize_t k) const { return PyTuple_GET_ITEM(keywords, k); }
  PyObject* value(Py_ssize_t k) const { return given[count + k]; }
};

// The answer to a call, given the parts that its front was made with; nothing (not None) where the function
// shall answer. It may throw.
using PlainAnswer = nb::object (*)(PyObject* const* parts, const CallArguments& arguments);

// A front of `function`. Its type has the attributes of a function, once functools has copied them, and is
// pickled by its name.
nb::object new_front(const nb::object& function, std::initializer_list<nb::object> parts, PlainAnswer answer);

// The name of an argument, to be compared by its address: those of a call are interned as a rule, and what is
// not found goes to the function.
inline PyObject* interned(const char* name) { return PyUnicode_InternFromString(name); }

}  // namespace konig
