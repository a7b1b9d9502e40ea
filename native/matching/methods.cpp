#include "matching/methods.h"

#include "matching/solvers.h"

namespace konig {

template <class Id, class Offset>
Solver<Id, Offset> find_solver(std::string_view name) {
  struct Entry {
    std::string_view name;
    Solver<Id, Offset> solver;
  };
  // clang-format off: one solver a line
  static constexpr Entry table[] = {
      {"simple_greedy", simple_greedy<Id, Offset>},
      {"karp_sipser", karp_sipser<Id, Offset>},
      {"hopcroft_karp", hopcroft_karp<Id, Offset>},
      {"tree_grafting", tree_grafting<Id, Offset>},
      {"survey", survey<Id, Offset>},
      {"pothen_fan", pothen_fan<Id, Offset>},
      {"depth_first", depth_first<Id, Offset>},
      {"breadth_first", breadth_first<Id, Offset>},
      {"parallel_tree_grafting", parallel_tree_grafting<Id, Offset>},
      {"parallel_greedy_and_survey", parallel_greedy_and_survey<Id, Offset>},
      {"parallel_greedy", parallel_greedy<Id, Offset>},
      {"parallel_karp_sipser", parallel_karp_sipser<Id, Offset>},
      {"parallel_hopcroft_karp", parallel_hopcroft_karp<Id, Offset>},
      {"parallel_pothen_fan", parallel_pothen_fan<Id, Offset>},
      {"disjoint_breadth_first", disjoint_breadth_first<Id, Offset>},
      {"push_relabel", push_relabel<Id, Offset>},
      {"pseudoflow", pseudoflow<Id, Offset>},
      {"pseudoflow_free_arcs", pseudoflow_free_arcs<Id, Offset>},
  };
  // clang-format on
  for (const Entry& entry : table)
    if (entry.name == name) return entry.solver;
  return nullptr;
}

template Solver<int32_t, int32_t> find_solver(std::string_view);
template Solver<int32_t, int64_t> find_solver(std::string_view);
template Solver<int64_t, int64_t> find_solver(std::string_view);

}  // namespace konig
