// The dense scans for AVX2.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <limits>

#include "assignment/scans/instruction_sets.h"

#if defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("avx2")
#define KONIG_ISA avx2
#define KONIG_VECTOR_BYTES 32
#include "assignment/scans/dense_scans_body.h"

namespace konig::avx2 {
KONIG_FOR_EACH_SCAN(KONIG_DEFINE_SCANS)
KONIG_FOR_EACH_COST(KONIG_DEFINE_EXTENT)
}  // namespace konig::avx2
#endif
