// Search trees for as long as they pay, then push-relabel: what `auto` runs.
//
// Trees touch little of a network with short paths. Where paths are long they mend the same trees over and
// over. How that will be cannot be seen beforehand, so trees get a number of steps, and push-relabel goes on
// from the flow that they leave.
#pragma once

#include <cstdint>

#include "core/run.h"
#include "flow/maximum_flow.h"
#include "flow/push_relabel.h"
#include "flow/search_trees.h"

namespace konig {

// Paths over one arc: they need no trees.
template <class Network>
void augment_short_paths(Network& network, Run& run) {
  using Index = typename Network::Index;
  int64_t paths = 0;
  for (Index v = 0; v < network.vertices; ++v) {
    int64_t left = network.balance[v];
    if (left <= 0) continue;
    const Index first = network.first(v), last = network.last(v);
    for (Index a = first; a < last && left > 0; ++a) {
      const Index u = network.head(a);
      const int64_t wanted = std::min(-network.balance[u], left);
      if (wanted <= 0 || network.residual(a) == 0) continue;
      const uint64_t amount = std::min<uint64_t>(uint64_t(wanted), network.residual(a));
      network.push(a, typename Network::Capacity(amount));
      network.balance[u] += int64_t(amount);
      left -= int64_t(amount);
      ++paths;
    }
    network.balance[v] = left;
    run.spend(last - first + 1);
  }
  run.count("short_paths", paths);
}

// Search trees alone.
template <class Network>
void solve_by_trees(Network& network, Run& run) {
  augment_short_paths(network, run);
  solve_by_trees(network, INT64_MAX, run);
}

// Counts "trees" as 1 if they were tried and "handed_over" as 1 if they were given up.
template <class Network>
void solve_trees_first(Network& network, const TreeRule& rule, const PushRelabelKnobs& knobs, Run& run) {
  using Index = typename Network::Index;
  int64_t linked = 0, connected = 0;
  for (Index v = 0; v < network.vertices; ++v) {
    linked += network.balance[v] != 0;
    connected += network.first(v) < network.last(v);
  }
  run.spend(network.vertices);
  augment_short_paths(network, run);
  const bool tried = linked * rule.linked_of >= connected;
  const double steps = rule.steps * (double(network.vertices) + double(network.slot_count()));
  const bool solved = tried && solve_by_trees(network, int64_t(steps), run);
  run.count("trees", int64_t(tried));
  run.count("handed_over", int64_t(tried && !solved));
  if (!solved) solve_by_push_relabel<HighestLabel>(network, knobs, run);
}

}  // namespace konig
