// The Python module konig._native: bindings only.
#include "bindings/bindings.h"

#include <string>

#include "konig/bsp/cores.h"

namespace konig {
namespace {

void bind_machine(nb::module_& m) {
  m.def("available_cores", &bsp::available_cores,
        "How many cores this process may use, by its affinity and by the quota of its control groups.");
  m.def("idle_cores", &bsp::idle_cores, "How many of them no other thread uses.");
  m.def("unused_cores", &bsp::unused_cores, "available"_a, "root"_a,
        "How many of so many cores no other thread uses; `root` is where /proc is.");
  m.def("cores_by_quota", &bsp::cores_by_quota, "root"_a,
        "How many cores the quota of this process's control groups pays for; `root` is where /proc and /sys "
        "are.");
}

}  // namespace
}  // namespace konig

NB_MODULE(_native, m) {
  nanobind::set_leak_warnings(false);  // programs are kept for the life of the process
  m.doc() = "Native solvers of konig; use the functions of the package instead.";
  konig::bind_machine(m);
  konig::bind_programs(m);
  konig::bind_gpu(m);
  konig::bind_costs_there(m);
  konig::bind_team_answers(m);
  konig::bind_solve_there(m);
  konig::bind_matching(m);
  konig::bind_assignment(m);
  konig::bind_cost_blocks(m);
  konig::bind_hungarian_blocks(m);
  konig::bind_bottleneck(m);
  konig::bind_product_transversal(m);
  konig::bind_flow(m);
  konig::bind_io(m);
  konig::bind_k_best(m);
  konig::bind_points(m);
  konig::bind_small_assignment(m);
  konig::bind_small_points(m);
  konig::bind_small_lists(m);
  konig::bind_small_matching(m);
  konig::bind_small_flow(m);
  konig::bind_unassigned(m);
}
