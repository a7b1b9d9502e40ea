// The machine that solvers run on.
#include "bindings/bindings.h"

#include <string>

#include "konig/bsp/cores.h"

namespace konig {

void bind_machine(nb::module_& m) {
  m.def("available_cores", &bsp::available_cores,
        "How many cores this process may use, by its affinity and by the quota of its control groups.");
  m.def("cores_by_quota", &bsp::cores_by_quota, "root"_a,
        "How many cores the quota of this process's control groups pays for; `root` is where /proc and /sys "
        "are.");
}

}  // namespace konig
