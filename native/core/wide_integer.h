// Integers of a fixed number of 64-bit words: sums, comparisons and shifts.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace konig {

// Two's complement, the lowest word first; sums wrap.
template <int kWords>
struct WideInteger {
  WideInteger() = default;
  constexpr WideInteger(int64_t value) {
    for (int k = 0; k < kWords; ++k) word[k] = k == 0 ? uint64_t(value) : is_negative(value);
  }

  bool is_negative() const { return int64_t(word[kWords - 1]) < 0; }

  friend WideInteger operator+(const WideInteger& a, const WideInteger& b) {
    WideInteger sum;
    Carry carry = 0;
#pragma GCC unroll 64
    for (int k = 0; k < kWords; ++k) carry = add(carry, a.word[k], b.word[k], sum.word[k]);
    return sum;
  }
  friend WideInteger operator-(const WideInteger& a, const WideInteger& b) {
    WideInteger difference;
    Carry borrow = 0;
#pragma GCC unroll 64
    for (int k = 0; k < kWords; ++k) borrow = subtract(borrow, a.word[k], b.word[k], difference.word[k]);
    return difference;
  }
  friend WideInteger operator-(const WideInteger& a) { return WideInteger(0) - a; }
  WideInteger& operator+=(const WideInteger& other) { return *this = *this + other; }

  friend bool operator==(const WideInteger&, const WideInteger&) = default;
  friend std::strong_ordering operator<=>(const WideInteger& a, const WideInteger& b) {
    if (a.is_negative() != b.is_negative())
      return a.is_negative() ? std::strong_ordering::less : std::strong_ordering::greater;
    for (int k = kWords - 1; k >= 0; --k)
      if (a.word[k] != b.word[k]) return a.word[k] <=> b.word[k];
    return std::strong_ordering::equal;
  }

  // The number of bits of the absolute value.
  int bits() const {
    const WideInteger size = is_negative() ? -*this : *this;
    for (int k = kWords - 1; k >= 0; --k)
      if (size.word[k]) return 64 * k + std::bit_width(size.word[k]);
    return 0;
  }
  // Times 2^shift, and divided by it, rounded down.
  friend constexpr WideInteger operator<<(const WideInteger& a, int shift) {
    WideInteger moved(0);
    for (int k = shift / 64; k < kWords; ++k) {
      moved.word[k] = a.word[k - shift / 64] << (shift % 64);
      if (shift % 64 && k > shift / 64) moved.word[k] |= a.word[k - shift / 64 - 1] >> (64 - shift % 64);
    }
    return moved;
  }
  friend WideInteger operator>>(const WideInteger& a, int shift) {
    const uint64_t beyond = a.is_negative() ? ~uint64_t(0) : 0;
    const auto at = [&](int k) { return k < kWords ? a.word[k] : beyond; };
    WideInteger moved;
    for (int k = 0; k < kWords; ++k) {
      moved.word[k] = at(k + shift / 64) >> (shift % 64);
      if (shift % 64) moved.word[k] |= at(k + shift / 64 + 1) << (64 - shift % 64);
    }
    return moved;
  }

  uint64_t word[kWords];

 private:
  // One word of a sum or difference, and what it carries over: one cycle by the instruction, four by
  // comparisons.
#if defined(__x86_64__)
  using Carry = unsigned char;
  static Carry add(Carry carry, uint64_t a, uint64_t b, uint64_t& sum) {
    unsigned long long word;
    carry = _addcarry_u64(carry, a, b, &word);
    sum = word;
    return carry;
  }
  static Carry subtract(Carry borrow, uint64_t a, uint64_t b, uint64_t& difference) {
    unsigned long long word;
    borrow = _subborrow_u64(borrow, a, b, &word);
    difference = word;
    return borrow;
  }
#else
  using Carry = bool;
  static Carry add(Carry carry, uint64_t a, uint64_t b, uint64_t& sum) {
    const uint64_t half = a + b;
    sum = half + carry;
    return half < a || sum < half;
  }
  static Carry subtract(Carry borrow, uint64_t a, uint64_t b, uint64_t& difference) {
    const uint64_t half = a - b;
    difference = half - borrow;
    return half > a || difference > half;
  }
#endif

  static constexpr uint64_t is_negative(int64_t value) { return value < 0 ? ~uint64_t(0) : 0; }
};

}  // namespace konig
