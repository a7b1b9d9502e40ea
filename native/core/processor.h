// Which vector instructions this processor and its operating system have, asked once.
//
// __builtin_cpu_supports would say the same, but its table is in a library that not every compiler brings
// along.
#pragma once

#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)
#define KONIG_CHOOSES_INSTRUCTIONS 1
#include <cpuid.h>
#else
#define KONIG_CHOOSES_INSTRUCTIONS 0
#endif

namespace konig {

struct Processor {
  bool has_avx2 = false;
  bool has_avx512 = false;  // F, VL, DQ and BW: those of all server processors that have AVX-512

  static const Processor& here() {
    static const Processor processor;
    return processor;
  }

 private:
  Processor() {
#if KONIG_CHOOSES_INSTRUCTIONS
    unsigned a, b, c, d;
    constexpr unsigned kSaved = 1u << 27, kAvx = 1u << 28;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & kSaved) == 0 || (c & kAvx) == 0) return;
    // The registers that the operating system saves: those of SSE and AVX, and the three parts of AVX-512.
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    constexpr unsigned kOfAvx = 0x06, kOfAvx512 = 0xe6;
    if ((low & kOfAvx) != kOfAvx || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return;
    constexpr unsigned kAvx2 = 1u << 5, kAvx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;
    has_avx2 = (b & kAvx2) != 0;
    has_avx512 = (low & kOfAvx512) == kOfAvx512 && (b & kAvx512) == kAvx512;
#endif
  }
};

}  // namespace konig
