// The dense scans for any machine.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <limits>

#include "assignment/scans/instruction_sets.h"

#define KONIG_ISA baseline
#define KONIG_VECTOR_BYTES 16
#include "assignment/scans/dense_scans_body.h"

namespace konig::baseline {
KONIG_FOR_EACH_SCAN(KONIG_DEFINE_SCANS)
KONIG_FOR_EACH_COST(KONIG_DEFINE_EXTENT)
}  // namespace konig::baseline
