#include "assignment/programs.h"

#include "konig/assignment/batch.h"
#include "konig/assignment/core_paths.h"
#include "konig/papers/hungarian/classical.h"
#include "konig/papers/hungarian/tree.h"

namespace konig {
namespace {

template <template <class> class P>
void enter_for_costs(Programs& programs, const char* name, const char* type) {
  enter_each<P, int, long long, float, double>(programs, name, type);
}

}  // namespace

void enter_assignment_programs(Programs& programs) {
  enter_for_costs<batch::Program>(programs, "assignment/batch", "konig::batch::Program");
  enter_for_costs<core_paths::Program>(programs, "assignment/core_paths", "konig::core_paths::Program");
  enter_for_costs<hungarian::ClassicalProgram>(programs, "papers/hungarian/classical",
                                               "konig::hungarian::ClassicalProgram");
  enter_for_costs<hungarian::TreeProgram>(programs, "papers/hungarian/tree", "konig::hungarian::TreeProgram");
}

}  // namespace konig
