#include "flow/programs.h"

#include "konig/papers/tlpns/csr.h"

namespace konig {

void enter_csr(Programs& programs) {
  enter_layout<flow::CsrProgram>(programs, "papers/tlpns/csr", "konig::flow::CsrProgram");
}

}  // namespace konig
