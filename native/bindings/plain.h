// What the short ways for plain arrays share: arrays are read where they lie, and what was counted waits in a
// capsule until somebody asks.
#pragma once

#include <Python.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

#include "bindings/bindings.h"
#include "bindings/numpy_arrays.h"

namespace konig {

// An array's memory; the caller keeps the array.
class View {
 public:
  explicit View(PyObject* array) : plain_(look_at(array, seen_)) {}

  bool has_dimensions(int count) const { return plain_ && seen_.dimensions == count; }
  int64_t extent(int dimension) const { return seen_.extents[dimension]; }
  int64_t stride(int dimension) const { return seen_.strides[dimension]; }
  int64_t item_bytes() const { return seen_.item_bytes; }
  const char* memory() const { return seen_.memory; }
  char type() const { return seen_.type; }
  bool holds_integers(int64_t bytes) const {
    return item_bytes() == bytes && (type() == 'i' || type() == 'l' || type() == 'q');
  }
  // One dimension without gaps.
  bool is_list() const { return has_dimensions(1) && (extent(0) < 2 || stride(0) == item_bytes()); }

 private:
  ArrayInMemory seen_;
  bool plain_;
};

// A list of 32-bit or 64-bit integers as numbers of one type: the array's own where it has that type. Null if
// it is no such list; numbers that do not fit show in `fits`.
template <class Number>
class Integers {
 public:
  explicit Integers(const View& view) {
    if (!view.is_list()) return;
    size = view.extent(0);
    if (view.holds_integers(sizeof(Number))) {
      data = reinterpret_cast<const Number*>(view.memory());
    } else if (view.holds_integers(4)) {
      convert<int32_t>(view);
    } else if (view.holds_integers(8)) {
      convert<int64_t>(view);
    }
  }

  const Number* data = nullptr;
  int64_t size = 0;
  bool fits = true;

 private:
  template <class Given>
  void convert(const View& view) {
    const auto* given = reinterpret_cast<const Given*>(view.memory());
    made_.reset(new Number[size_t(size)]);
    for (int64_t k = 0; k < size; ++k) {
      made_[k] = Number(given[k]);
      fits &= Given(made_[k]) == given[k];
    }
    data = made_.get();
  }
  std::unique_ptr<Number[]> made_;
};

// Bytes that the caller fills; `place` is aligned for numbers of eight bytes.
inline nb::object new_bytes(int64_t size, char*& place) {
  nb::object bytes = nb::steal<nb::object>(PyBytes_FromStringAndSize(nullptr, Py_ssize_t(size)));
  if (!bytes.is_valid()) nb::raise_python_error();
  place = PyBytes_AS_STRING(bytes.ptr());
  return bytes;
}

// What a run counted, for counts_of.
inline nb::capsule kept_counts(Run& run) {
  return nb::capsule(new Run::Counts(run.take_stats()),
                     [](void* counts) noexcept { delete static_cast<Run::Counts*>(counts); });
}

// Runs `work(run)`, without the GIL if it is worth that.
template <class Work>
void run_plain(Run& run, bool release, const Work& work) {
  if (!release) return work(run);
  const nb::object silent = nb::none();
  run = interruptible(silent);
  nb::gil_scoped_release released;
  work(run);
}

}  // namespace konig
