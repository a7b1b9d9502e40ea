// Helpers of all bindings: arrays, numbers, knobs, and runs with or without the GIL. Arguments are checked in
// Python.
#pragma once

#include <cstdio>  // nanobind uses it, and Python's headers for the stable ABI do not include it

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/knobs.h"
#include "core/run.h"

namespace konig {

namespace nb = nanobind;
using namespace nb::literals;

// An argument that is not converted.
inline auto operator""_raw(const char* name, size_t) { return nb::arg(name).noconvert(); }

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
using Made = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
// An array of NumPy's that owns the numbers.
template <class T>
Made<T> as_array(std::vector<T> numbers) {
  auto owned = std::make_unique<std::vector<T>>(std::move(numbers));
  T* const data = owned->data();
  const size_t size = owned->size();
  const nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  owned.release();
  return Made<T>(data, {size}, owner);
}

inline nb::object as_number(__int128 total) {
  if (total == __int128(int64_t(total))) return nb::int_(int64_t(total));
  const nb::int_ high(int64_t(total >> 64)), low(uint64_t(total & ~uint64_t(0)));
  return (high << nb::int_(64)) + low;
}
inline nb::object as_number(double total) { return nb::float_(total); }

inline nb::dict as_dict(const Run::Counts& counts) {
  nb::dict stats;
  for (const auto& [name, value] : counts) stats[name.data()] = nb::cast(value);
  return stats;
}
inline nb::dict counted(const Run& run) { return as_dict(run.stats()); }

// Runs `work(run)` with the GIL held: for work that takes no longer than releasing it.
template <class Work>
nb::dict run_held(const Work& work) {
  Run run;
  work(run);
  return counted(run);
}

// A run that every 40 ms takes the GIL back, lets Python handle signals (so Ctrl-C raises there) and reports
// progress.
inline Run interruptible(const nb::object& progress) {
  return Run([&progress](const Run& state) {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) progress(state.done(), state.total());
  });
}

// Runs `work(run)` without the GIL.
template <class Work>
nb::dict run_released(nb::object progress, Work work) {
  Run run = interruptible(progress);
  {
    nb::gil_scoped_release released;
    work(run);
  }
  return counted(run);
}

inline Knobs read_knobs(const nb::dict& settings) {
  Knobs knobs;
  for (auto [name, value] : settings) knobs.set(nb::cast<std::string>(name), nb::cast<Knobs::Value>(value));
  return knobs;
}

// Each of a file of that name.
void bind_programs(nb::module_& m);
void bind_gpu(nb::module_& m);
void bind_costs_there(nb::module_& m);
void bind_team_answers(nb::module_& m);
void bind_solve_there(nb::module_& m);
void bind_matching(nb::module_& m);
void bind_assignment(nb::module_& m);
void bind_cost_blocks(nb::module_& m);
void bind_hungarian_blocks(nb::module_& m);
void bind_bottleneck(nb::module_& m);
void bind_product_transversal(nb::module_& m);
void bind_points(nb::module_& m);
void bind_small_assignment(nb::module_& m);
void bind_small_points(nb::module_& m);
void bind_small_lists(nb::module_& m);
void bind_small_matching(nb::module_& m);
void bind_small_flow(nb::module_& m);
void bind_unassigned(nb::module_& m);
void bind_flow(nb::module_& m);
void bind_io(nb::module_& m);
void bind_k_best(nb::module_& m);

}  // namespace konig
