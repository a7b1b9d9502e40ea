// Costs as they are stored: their sizes and extent, and the transpose of a matrix; for one instruction set
// (scans_body.h).
#pragma once

#include "assignment/scans/vectors_body.h"

namespace konig::KONIG_ISA {

template <class S>
struct CostScans {
  static constexpr int lanes = KONIG_VECTOR_BYTES / int(sizeof(S));
  using Costs = typename Vector<S, lanes>::type;
  using Bits = typename Vector<IntegerOf<S>, lanes>::type;

  // The sizes of reals are compared as integers: without the sign bit, their bits are in the order of the
  // numbers, followed by infinity and NaN.
  static constexpr IntegerOf<S> kSizeBits =
      std::is_integral_v<S> ? IntegerOf<S>(-1) : std::numeric_limits<IntegerOf<S>>::max();

  // An infinite size counts as 0: it forbids a pair. A NaN stays, above all others.
  template <class Size>
  static Size finite_size(Size bits) {
    if constexpr (std::is_integral_v<S>) return bits;
    constexpr auto kInfinite = __builtin_bit_cast(IntegerOf<S>, std::numeric_limits<S>::infinity());
    const Size size = bits & kSizeBits;
    return size == kInfinite ? Size{} : size;
  }

  // Loops that compilers turn into vectors.
  static Extent<S> extent(const S* cost, int64_t count) {
    using Integer = IntegerOf<S>;
    Extent<S> extent;
    if constexpr (std::is_integral_v<S>) {
      S least = 0, most = 0;
      for (int64_t k = 0; k < count; ++k) {
        least = cost[k] < least ? cost[k] : least;
        most = cost[k] > most ? cost[k] : most;
      }
      extent.least = least;
      extent.most = most;
    } else {
      constexpr auto kInfinite = __builtin_bit_cast(Integer, std::numeric_limits<S>::infinity());
      const auto bits = [&](int64_t k) { return __builtin_bit_cast(Integer, cost[k]); };
      Integer most = 0, finite = 0, plus = 0, minus = 0;
      for (int64_t k = 0; k < count; ++k) {
        const Integer size = bits(k) & kSizeBits;
        most = size > most ? size : most;
      }
      for (int64_t k = 0; most >= kInfinite && k < count; ++k) {
        const Integer size = bits(k) & kSizeBits, here = size < kInfinite ? size : 0;
        finite = here > finite ? here : finite;
        plus |= bits(k) == kInfinite;
        minus |= bits(k) == (kInfinite | ~kSizeBits);
      }
      extent.most = __builtin_bit_cast(S, most < kInfinite ? most : finite);
      extent.nan = most > kInfinite;
      extent.infinity = plus;
      extent.minus_infinity = minus;
    }
    return extent;
  }

  // A square of lanes rows and columns at a time, and what is left of both one by one.
  static void transpose_columns(const S* cost, int64_t rows, int64_t cols, int64_t first, int64_t last,
                                S* to) {
    const auto one_by_one = [&](int64_t i0, int64_t i1, int64_t j0, int64_t j1) {
      for (int64_t j = j0; j < j1; ++j)
        for (int64_t i = i0; i < i1; ++i) to[j * rows + i] = cost[i * cols + j];
    };
    const int64_t whole = first + (last - first) / lanes * lanes, squares = rows / lanes * lanes;
    for (int64_t i = 0; i < squares; i += lanes) {
      for (int64_t j = first; j < whole; j += lanes) {
        Costs square[lanes];
        KONIG_UNROLL
        for (int k = 0; k < lanes; ++k) square[k] = load<Costs>(cost + (i + k) * cols + j);
        transpose(square);
        KONIG_UNROLL
        for (int k = 0; k < lanes; ++k) store(to + (j + k) * rows + i, square[k]);
      }
      one_by_one(i, i + lanes, whole, last);
    }
    one_by_one(squares, rows, first, last);
  }
};

}  // namespace konig::KONIG_ISA
