// What `auto` runs: stages that each go on from the flow of the one before, as long as they pay.
//
// 1. Paths over one arc.
// 2. Phases of shortest paths with the search from both ends. They touch little of a network where the cut is
//    near an end, and end soon where paths are short and few phases do. Left out where a search would have to
//    begin with many vertices on either side.
// 3. Search trees where many vertices are linked to a terminal. They touch little where paths are short;
//    long ones make them mend the same trees over and over.
// 4. Push-relabel, after a blocking flow along its first labels.
//
// Which stage ends it cannot be seen beforehand, so the second and the third have a limit of steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/run.h"
#include "flow/maximum_flow.h"
#include "flow/push_relabel.h"
#include "flow/search_trees.h"
#include "flow/two_sided_phases.h"

namespace konig {

// The residual arc of v to the demand of the lowest number, or -1.
template <class Network>
typename Network::Index arc_to_lowest_demand(const Network& network, typename Network::Index v) {
  using Index = typename Network::Index;
  Index best = -1, lowest = network.vertices;
  for (Index a = network.first(v); a < network.last(v); ++a) {
    const Index u = network.head(a);
    if (u >= lowest || network.residual(a) == 0 || network.balance[u] >= 0) continue;
    best = a;
    lowest = u;
  }
  return best;
}

// Paths over one arc: they need no search. A vertex with a short list first takes the demand of the lowest
// number, whatever the order of its arcs. Meshes are mostly numbered from side to side: to match in that
// order leaves 2 of 80,000 vertices free, any other order 4,000, and these are far apart.
template <class Network>
void augment_short_paths(Network& network, Run& run) {
  using Index = typename Network::Index;
  constexpr Index kMeshLike = 32;  // longer lists are not those of a mesh
  int64_t paths = 0;
  for (Index v = 0; v < network.vertices; ++v) {
    int64_t left = network.balance[v];
    if (left <= 0) continue;
    const auto augment = [&](Index a) {
      const Index u = network.head(a);
      const int64_t wanted = std::min(-network.balance[u], left);
      if (wanted <= 0 || network.residual(a) == 0) return;
      const uint64_t amount = std::min<uint64_t>(uint64_t(wanted), network.residual(a));
      network.push(a, typename Network::Capacity(amount));
      network.balance[u] += int64_t(amount);
      left -= int64_t(amount);
      ++paths;
    };
    const Index first = network.first(v), last = network.last(v);
    const Index best = last - first <= kMeshLike ? arc_to_lowest_demand(network, v) : first;
    if (best >= 0) augment(best);
    for (Index a = best >= 0 ? first : last; a < last && left > 0; ++a) augment(a);
    network.balance[v] = left;
    run.spend(last - first + 1);
  }
  run.count("short_paths", paths);
}

// All vertices with a balance. Stages take balances off and give none, so that it need not be made again.
template <class Network>
std::vector<typename Network::Index> vertices_with_balance(const Network& network, Run& run) {
  using Index = typename Network::Index;
  std::vector<Index> linked;
  constexpr Index kBlock = 1024;
  Index found[kBlock];  // without a branch, which cannot be predicted in an image
  for (Index begin = 0; begin < network.vertices;) {
    const Index end = begin + std::min(kBlock, network.vertices - begin);
    Index many = 0;
    for (Index v = begin; v < end; ++v) {
      found[many] = v;
      many += network.balance[v] != 0;
    }
    linked.insert(linked.end(), found, found + many);
    begin = end;
  }
  run.spend(network.vertices);
  return linked;
}

// What is left to bring, and from how many places.
struct Ends {
  int64_t linked = 0, connected = 0;   // vertices with a balance, and with arcs
  int64_t supplied = 0, demanded = 0;  // slots of vertices with a positive balance, and with a negative one

  template <class Network>
  static Ends of(const Network& network, const std::vector<typename Network::Index>& linked, Run& run) {
    using Index = typename Network::Index;
    Ends ends;
    for (Index v = 0; v < network.vertices; ++v) ends.connected += network.last(v) > network.first(v);
    for (const Index v : linked) {
      const int64_t balance = network.balance[v], degree = network.last(v) - network.first(v);
      ends.linked += balance != 0;
      ends.supplied += balance > 0 ? degree : 0;
      ends.demanded += balance < 0 ? degree : 0;
    }
    run.spend(network.vertices);
    return ends;
  }

  // Whether search trees are worth a try.
  bool for_trees(const TreeRule& rule) const { return linked * rule.linked_of >= connected; }
  // And before phases: each of these would begin with many lists, whichever side it begins on.
  bool for_trees_first(const TreeRule& rule, double unit) const {
    return for_trees(rule) && double(std::min(supplied, demanded)) * double(rule.first_of) >= unit;
  }
};

// Counts "ended_by": 0 if phases of shortest paths ended it, 1 if search trees did, 2 for push-relabel; and
// "handed_over" as 1 if trees were given up.
template <class Network>
void solve_in_stages(Network& network, const TreeRule& rule, PushRelabelKnobs knobs, Run& run) {
  // In steps per slot and vertex, each of which costs about as much as an arc scan of push-relabel, which
  // needs one or more. With twice or half of kPhases 220 random networks of all kinds took 2 to 4 % longer.
  // Going on while phases seem to end soon made matchings of meshes 2 to 8 times as fast, scattered terminals
  // and small worlds up to 3 times, and 300 networks of all kinds 2 %.
  constexpr double kPhases = 0.5, kMostPhases = 2.5;
  // Blocking flows along long paths fail at last arcs over and over: with 1 instead, levels and Washington
  // networks took 1.2 to 1.6 times as long, with a quarter one-way grids did.
  constexpr double kBlockingFlow = 0.5;
  // A phase along a ladder takes one unit to search and as many as paths to walk: four are enough for most.
  constexpr double kLongSteps = 4.0;
  constexpr int64_t kLongest = 100;
  const double unit = double(network.vertices) + double(network.slot_count());
  augment_short_paths(network, run);
  const PhaseLimits limits{int64_t(kPhases * unit), int64_t(kMostPhases * unit), kLongest,
                           int64_t(kLongSteps * unit)};
  const auto linked = vertices_with_balance(network, run);
  const bool trees_first = Ends::of(network, linked, run).for_trees_first(rule, unit);
  const bool by_phases = !trees_first && TwoSidedPhases(network, linked, limits, run).solve();
  const bool tried = trees_first || (!by_phases && Ends::of(network, linked, run).for_trees(rule));
  const bool by_trees = tried && SearchTrees(network, int64_t(rule.steps * unit), run).solve();
  run.count("ended_by", int64_t(by_phases ? 0 : by_trees ? 1 : 2));
  run.count("handed_over", int64_t(tried && !by_trees));
  if (by_phases || by_trees) return;
  knobs.augment = kBlockingFlow;
  solve_by_push_relabel<HighestLabel>(network, knobs, run);
}

// The stages where the plan has a rule for them, else search trees alone: what lattices are solved by.
template <class Network>
void solve_by_trees(const FlowPlan& plan, Network& network, Run& run) {
  if (plan.trees) return solve_in_stages(network, *plan.trees, push_relabel_knobs(plan.knobs), run);
  augment_short_paths(network, run);
  SearchTrees(network, INT64_MAX, run).solve();
}

}  // namespace konig
