#include "flow/programs.h"

#include "konig/papers/tlpns/rcsr.h"

namespace konig {

void enter_rcsr(Programs& programs) {
  enter_layout<flow::RcsrProgram>(programs, "papers/tlpns/rcsr", "konig::flow::RcsrProgram");
}

}  // namespace konig
