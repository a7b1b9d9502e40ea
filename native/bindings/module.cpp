// The Python module konig._native: bindings only.
#include "bindings/bindings.h"
#include "bindings/numpy_arrays.h"

NB_MODULE(_native, m) {
  if (!konig::import_numpy()) nanobind::raise_python_error();
  m.doc() = "Native solvers of konig; use the functions of the package instead.";
  konig::bind_machine(m);
  konig::bind_programs(m);
  konig::bind_matching(m);
  konig::bind_assignment(m);
  konig::bind_plain_assignment(m);
  konig::bind_plain_pairs(m);
  konig::bind_plain_flow(m);
  konig::bind_plain_matching(m);
  konig::bind_batch_on_crew(m);
  konig::bind_flow(m);
  konig::bind_flow_on_team(m);
}
