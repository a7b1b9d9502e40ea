#include "flow/programs.h"

#include "konig/flow/build.h"

namespace konig {

void enter_build(Programs& programs) {
  enter_for_networks<residual::Program, 0>(programs, "flow/build", "konig::residual::Program");
}

}  // namespace konig
