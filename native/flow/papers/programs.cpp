// The parallel programs of Hsieh, Lin and Kuo (tlpns), for every layout and width, and what makes the
// layouts.
#include "core/program.h"
#include "konig/papers/tlpns.h"
#include "konig/papers/tlpns/layout.h"

namespace konig {
namespace {

// Ids and offsets are of one width.
template <template <class, class, bool...> class P>
void add_layout(Programs& programs, const Names& names) {
  add_for_pair<P, int, int, 2>(programs, names);
  add_for_pair<P, long long, long long, 2>(programs, names);
}

}  // namespace

void add_flow_papers(Programs& programs) {
  constexpr const char* kHeader = "papers/tlpns";
  add_layout<flow::CsrProgram>(programs, {"papers/tlpns/csr", "konig::flow::CsrProgram", kHeader});
  add_layout<flow::RcsrProgram>(programs, {"papers/tlpns/rcsr", "konig::flow::RcsrProgram", kHeader});
  add_layout<flow::BcsrProgram>(programs, {"papers/tlpns/bcsr", "konig::flow::BcsrProgram", kHeader});
  add_for_each_of<flow_layout::Program, int, long long>(
      programs, {"papers/tlpns/layout", "konig::flow_layout::Program"});
}

}  // namespace konig
