#include "flow/programs.h"

#include "konig/papers/tlpns/bcsr.h"

namespace konig {

void enter_bcsr(Programs& programs) {
  enter_layout<flow::BcsrProgram>(programs, "papers/tlpns/bcsr", "konig::flow::BcsrProgram");
}

}  // namespace konig
