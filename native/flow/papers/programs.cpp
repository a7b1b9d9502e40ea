#include "flow/programs.h"

#include "konig/papers/tlpns/bcsr.h"
#include "konig/papers/tlpns/csr.h"
#include "konig/papers/tlpns/rcsr.h"

namespace konig {
namespace {

// Flows come with ids and offsets of one width.
template <template <class, class, bool...> class P>
void enter_layout(Programs& programs, const char* name, const char* type) {
  enter_pair<P, int, int, 2>(programs, name, type);
  enter_pair<P, long long, long long, 2>(programs, name, type);
}

}  // namespace

void enter_flow_papers(Programs& programs) {
  enter_layout<flow::CsrProgram>(programs, "papers/tlpns/csr", "konig::flow::CsrProgram");
  enter_layout<flow::RcsrProgram>(programs, "papers/tlpns/rcsr", "konig::flow::RcsrProgram");
  enter_layout<flow::BcsrProgram>(programs, "papers/tlpns/bcsr", "konig::flow::BcsrProgram");
}

}  // namespace konig
