// The parallel programs of assignment, for every type of costs.
#include "core/program.h"
#include "konig/assignment/batch.h"
#include "konig/assignment/core_paths.h"
#include "konig/papers/hungarian/classical.h"
#include "konig/papers/hungarian/tree.h"

namespace konig {
namespace {

template <template <class> class P>
void add_for_costs(Programs& programs, const Names& names) {
  add_for_each_of<P, int, long long, float, double>(programs, names);
}

}  // namespace

void add_assignment_programs(Programs& programs) {
  add_for_costs<batch::Program>(programs, {"assignment/batch", "konig::batch::Program"});
  const Names core{"assignment/core_paths", "konig::core_paths::Program"};
  add_for_costs<core_paths::Program>(programs, core);
  add_for_each_of<core_paths::Program, assignment::PointCosts>(programs, core);
  add_for_costs<hungarian::ClassicalProgram>(
      programs, {"papers/hungarian/classical", "konig::hungarian::ClassicalProgram"});
  add_for_costs<hungarian::TreeProgram>(programs, {"papers/hungarian/tree", "konig::hungarian::TreeProgram"});
}

}  // namespace konig
