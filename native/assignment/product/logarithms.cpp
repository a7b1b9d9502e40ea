// No branch and no call, so that the compiler makes vectors: a third of the time of the library's logarithms.
//
// With s = (m - 1) / (m + 1), log(m) = 2 * (s + s**3 / 3 + s**5 / 5 + ...). For sqrt(1/2) <= m <= sqrt(2) ten
// terms have all digits of float64.
#include "assignment/product/logarithms.h"

#include <bit>

#include "core/processor.h"

namespace konig {
namespace {

[[gnu::always_inline]] inline double negative_log_of_mantissa(double number) {
  constexpr uint64_t kDigits = 0x000FFFFFFFFFFFFF, kHalf = 0x3FE0000000000000, kOne = 0x3FF0000000000000;
  constexpr auto kRootOfHalf = std::bit_cast<uint64_t>(0x1.6a09e667f3bcdp-1);
  constexpr double kTwiceOverLog2 = 0x1.71547652b82fep+1;  // 2 / log(2)
  const uint64_t mantissa = (std::bit_cast<uint64_t>(number) & kDigits) | kHalf;
  const uint64_t is_less = (mantissa - kRootOfHalf) >> 63;  // 1, or 0; then m is twice the mantissa
  const auto m = std::bit_cast<double>(mantissa + (is_less << 52));
  const auto whole = std::bit_cast<double>(-is_less & kOne);
  const double s = (m - 1) / (m + 1), t = s * s;
  double terms = 1.0 / 19;
  terms = terms * t + 1.0 / 17;
  terms = terms * t + 1.0 / 15;
  terms = terms * t + 1.0 / 13;
  terms = terms * t + 1.0 / 11;
  terms = terms * t + 1.0 / 9;
  terms = terms * t + 1.0 / 7;
  terms = terms * t + 1.0 / 5;
  terms = terms * t + 1.0 / 3;
  return whole - (s + s * t * terms) * kTwiceOverLog2;
}

void with_any_instructions(const double* number, int64_t count, double* log) {
  for (int64_t k = 0; k < count; ++k) log[k] = negative_log_of_mantissa(number[k]);
}

}  // namespace

// .ci/instructions.py allows wider instructions in this namespace alone.
#if KONIG_CHOOSES_INSTRUCTIONS
namespace avx2 {
[[gnu::target("avx2")]] static void negative_logs(const double* number, int64_t count, double* log) {
  for (int64_t k = 0; k < count; ++k) log[k] = negative_log_of_mantissa(number[k]);
}
}  // namespace avx2
#endif

void negative_logs_of_mantissas(const double* number, int64_t count, double* log) {
#if KONIG_CHOOSES_INSTRUCTIONS
  if (Processor::here().has_avx2) return avx2::negative_logs(number, count, log);
#endif
  with_any_instructions(number, count, log);
}

}  // namespace konig
