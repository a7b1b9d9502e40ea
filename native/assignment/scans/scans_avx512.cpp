// The dense scans for AVX-512.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <limits>

#include "assignment/scans/instruction_sets.h"

#if defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw")
#define KONIG_ISA avx512
#define KONIG_VECTOR_BYTES 64
#include "assignment/scans/dense_scans_body.h"

namespace konig::avx512 {
KONIG_FOR_EACH_SCAN(KONIG_DEFINE_SCANS)
KONIG_FOR_EACH_COST(KONIG_DEFINE_EXTENT)
}  // namespace konig::avx512
#endif
