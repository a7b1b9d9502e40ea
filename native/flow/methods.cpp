#include "flow/methods.h"

#include "flow/solvers.h"

namespace konig {

template <class Network>
FlowSolver<Network> find_flow_solver(std::string_view name) {
  struct Entry {
    std::string_view name;
    FlowSolver<Network> solver;
  };
  // clang-format off: one solver a line
  static constexpr Entry table[] = {
      {"push_relabel_flow", push_relabel_flow<Network>},
      {"automatic_flow", automatic_flow<Network>},
      {"dinic_flow", dinic_flow<Network>},
      {"search_tree_flow", search_tree_flow<Network>},
  };
  // clang-format on
  for (const Entry& entry : table)
    if (entry.name == name) return entry.solver;
  return nullptr;
}

#define KONIG_INSTANTIATE(Network) template FlowSolver<Network> find_flow_solver<Network>(std::string_view);
KONIG_FOR_EVERY_NETWORK(KONIG_INSTANTIATE)
#undef KONIG_INSTANTIATE

}  // namespace konig
