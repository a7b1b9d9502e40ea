// The mantissa and the exponent of a float64 number.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace konig {

// number = mantissa * 2**exponent with 1/2 <= mantissa < 1, for positive finite numbers.
struct Parts {
  double mantissa;
  int exponent;
};

inline Parts parts_of(double number) {
  const auto bits = std::bit_cast<uint64_t>(number);
  if (const int biased = int(bits >> 52)) [[likely]]
    return {std::bit_cast<double>((bits & ~(uint64_t(0x7FF) << 52)) | uint64_t(1022) << 52), biased - 1022};
  int exponent;  // of a subnormal number
  const double mantissa = std::frexp(number, &exponent);
  return {mantissa, exponent};
}

inline int32_t exponent_of(double number) { return parts_of(number).exponent; }

}  // namespace konig
