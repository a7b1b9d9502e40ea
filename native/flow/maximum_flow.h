// A maximum flow on arcs: builds the residual network, solves it, and writes the flow of each arc when asked.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/knobs.h"
#include "core/run.h"
#include "flow/arcs.h"

namespace konig {

// A flow to start from, one number per arc, not negative where arcs are directed; null for none. It need not
// keep to capacities nor balance.
using StartingFlow = const int64_t*;

struct FlowAnswer {
  int64_t* flow;         // one number per arc
  uint8_t* source_side;  // one per vertex: 1 on the source's side of the cut found
};

// Where search trees are tried before push-relabel: if one in `linked_of` vertices is linked to a terminal,
// and for so many steps per vertex and slot; before phases, too, if vertices with supply have as many
// slots as one in `first_of` of all slots and vertices, and so have those with demand. The reasons are in
// konig/flow/auto.py.
struct TreeRule {
  int64_t linked_of;
  double steps;
  int64_t first_of;
};

struct FlowPlan {
  std::string solver;
  Knobs knobs;
  std::optional<TreeRule> trees;
};

// A solved network, from which the flow of each arc is made. The arrays of its arcs must outlive it.
class SolvedFlow {
 public:
  explicit SolvedFlow(int64_t brought) : value(brought) {}
  virtual ~SolvedFlow() = default;

  // Writes the flow of each arc, without circulation, and returns its value. Changes nothing here: it may be
  // interrupted and called again.
  virtual int64_t write(int64_t* flow, Run& run) const = 0;

  const int64_t value;  // not known after a start from a flow that breaks capacities or balances
};

// Null if the value is above 2^62. Writes the source side of a minimum cut, one number per vertex. Counts the
// seconds of its parts as build_seconds and so on. Throws std::out_of_range if there is no such solver.
template <class Index>
std::unique_ptr<const SolvedFlow> solve_flow(const FlowPlan& plan, const Arcs<Index>& arcs,
                                             StartingFlow initial, uint8_t* source_side, Run& run);

// The same with the flow. Returns the value, or nothing if it is above 2^62: then there is no answer.
template <class Index>
std::optional<int64_t> maximum_flow(const FlowPlan& plan, const Arcs<Index>& arcs, StartingFlow initial,
                                    const FlowAnswer& answer, Run& run);

}  // namespace konig
