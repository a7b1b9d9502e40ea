#include "core/methods.h"

#include "sequential/solvers.h"

namespace konig {

template <class Id, class Offset>
Solver<Id, Offset> find_solver(std::string_view name) {
  struct Entry {
    std::string_view name;
    Solver<Id, Offset> solver;
  };
  static constexpr Entry table[] = {
      {"simple_greedy", simple_greedy<Id, Offset>},
      {"karp_sipser", karp_sipser<Id, Offset>},
      {"hopcroft_karp", hopcroft_karp<Id, Offset>},
      {"pseudoflow", pseudoflow<Id, Offset>},
      {"pseudoflow_free_arcs", pseudoflow_free_arcs<Id, Offset>},
  };
  for (const Entry& entry : table)
    if (entry.name == name) return entry.solver;
  return nullptr;
}

template Solver<int32_t, int32_t> find_solver(std::string_view);
template Solver<int32_t, int64_t> find_solver(std::string_view);
template Solver<int64_t, int64_t> find_solver(std::string_view);

}  // namespace konig
