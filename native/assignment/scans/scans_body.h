// The scans for one instruction set. Included by scans_*.cpp, which name the set and the width of a vector;
// nothing of std:: is instantiated here, so that no code for a newer machine can leak into the rest.
// clang-format off: each needs those before it
#include "assignment/scans/scan_lanes_body.h"
#include "assignment/scans/row_scans_body.h"
#include "assignment/scans/cost_scans_body.h"
// clang-format on

namespace konig::KONIG_ISA {
KONIG_FOR_EACH_SCAN(KONIG_DEFINE_SCANS)
KONIG_FOR_EACH_COST(KONIG_DEFINE_EXTENT)
}  // namespace konig::KONIG_ISA
