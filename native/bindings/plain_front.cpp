#include "bindings/plain_front.h"

#include <structmember.h>

#include <cstddef>
#include <exception>
#include <new>

namespace konig {
namespace {

struct Front {
  PyObject_HEAD vectorcallfunc call;
  PlainAnswer answer;
  PyObject* function;
  PyObject* parts;  // a tuple
  PyObject* attributes;
  PyObject* weak_references;
};

Front* front_of(PyObject* self) { return reinterpret_cast<Front*>(self); }

// Null without an error of Python where the function shall answer.
PyObject* plain_answer(const Front* front, const CallArguments& arguments) noexcept {
  try {
    return front->answer(&PyTuple_GET_ITEM(front->parts, 0), arguments).release().ptr();
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

PyObject* call(PyObject* self, PyObject* const* given, size_t flagged_count, PyObject* keywords) {
  const Front* const front = front_of(self);
  PyObject* const answer = plain_answer(front, {given, PyVectorcall_NARGS(flagged_count), keywords});
  if (answer || PyErr_Occurred()) return answer;
  return PyObject_Vectorcall(front->function, given, flagged_count, keywords);
}

// As a function does in a class.
PyObject* bind(PyObject* self, PyObject* instance, PyObject*) {
  if (instance && instance != Py_None) return PyMethod_New(self, instance);
  return Py_NewRef(self);
}

PyObject* represent(PyObject* self) { return PyObject_Repr(front_of(self)->function); }
PyObject* reduce(PyObject* self, PyObject*) { return PyObject_GetAttrString(self, "__qualname__"); }

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(front_of(self)->function);
  Py_VISIT(front_of(self)->parts);
  Py_VISIT(front_of(self)->attributes);
  return 0;
}

int clear(PyObject* self) {
  Py_CLEAR(front_of(self)->function);
  Py_CLEAR(front_of(self)->parts);
  Py_CLEAR(front_of(self)->attributes);
  return 0;
}

void deallocate(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  if (front_of(self)->weak_references) PyObject_ClearWeakRefs(self);
  clear(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyTypeObject* make_type() {
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(Front, call), READONLY, nullptr},
      {"__dictoffset__", T_PYSSIZET, offsetof(Front, attributes), READONLY, nullptr},
      {"__weaklistoffset__", T_PYSSIZET, offsetof(Front, weak_references), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr},
                                  {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef computed[] = {
      {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                                {Py_tp_descr_get, reinterpret_cast<void*>(bind)},
                                {Py_tp_repr, reinterpret_cast<void*>(represent)},
                                {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                                {Py_tp_members, members},
                                {Py_tp_methods, methods},
                                {Py_tp_getset, computed},
                                {0, nullptr}};
  static PyType_Spec spec = {"konig._native.Front", sizeof(Front), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                                 Py_TPFLAGS_DISALLOW_INSTANTIATION,
                             slots};
  return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
}

}  // namespace

nb::object new_front(const nb::object& function, std::initializer_list<nb::object> parts,
                     PlainAnswer answer) {
  static PyTypeObject* const type = make_type();
  if (!type) nb::raise_python_error();
  nb::object kept = nb::steal(PyTuple_New(Py_ssize_t(parts.size())));
  nb::object made = nb::steal(type->tp_alloc(type, 0));
  if (!kept.is_valid() || !made.is_valid()) nb::raise_python_error();
  Py_ssize_t place = 0;
  for (const nb::object& part : parts) PyTuple_SET_ITEM(kept.ptr(), place++, Py_NewRef(part.ptr()));
  Front* const front = front_of(made.ptr());
  front->call = call;
  front->answer = answer;
  front->function = Py_NewRef(function.ptr());
  front->parts = kept.release().ptr();
  return made;
}

}  // namespace konig
