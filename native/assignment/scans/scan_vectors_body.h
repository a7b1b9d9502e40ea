// Vectors of the scans, for one instruction set; see dense_scans_body.h.

// A file that raises its target by a pragma does not see the macros of the new target in every compiler, and
// not every compiler heeds the pragma.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define KONIG_INTRINSICS 1
#else
#define KONIG_INTRINSICS 0
#endif

namespace konig::KONIG_ISA {

template <class E, int lanes>
struct Vector {
  typedef E type __attribute__((vector_size(lanes * sizeof(E))));
};
template <int bytes>
struct IntegerOf;
template <>
struct IntegerOf<4> {
  using type = int32_t;
};
template <>
struct IntegerOf<8> {
  using type = int64_t;
};

template <class V, class E>
inline V load(const E* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
template <class V, class E>
inline void store(E* to, V v) {
  __builtin_memcpy(to, &v, sizeof v);
}

// The same numbers or, where they are to be negated, with the other sign. The least integer, which has none,
// stays what it is.
template <bool kNegated, class V>
inline V with_sign(V v) {
  if constexpr (!kNegated || std::is_floating_point_v<V>) {
    return kNegated ? -v : v;
  } else if constexpr (std::is_integral_v<V>) {
    return V(0 - std::make_unsigned_t<V>(v));
  } else {
    using E = std::remove_cvref_t<decltype(v[0])>;
    if constexpr (std::is_floating_point_v<E>) return -v;
    using Bits = typename Vector<std::make_unsigned_t<typename IntegerOf<sizeof(E)>::type>,
                                 int(sizeof(V) / sizeof(E))>::type;
    return V(Bits{} - Bits(v));
  }
}

// Which lane goes where when lanes change places with those at a distance.
template <class Mask, int lanes, int distance>
struct Exchange {
  struct Lanes {
    Mask from[lanes];
  };
  static constexpr Lanes lanes_from() {
    Lanes made{};
    for (int k = 0; k < lanes; ++k) made.from[k] = Mask(k ^ distance);
    return made;
  }
  static constexpr Lanes made = lanes_from();
  static constexpr const Mask* from = made.from;
};

// Writes the columns whose bits are set, counted from `first`, and perhaps as many more as there are lanes;
// how many there are.
template <int lanes>
inline int64_t take_columns(uint32_t set, int64_t first, int32_t* found) {
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
  if constexpr (lanes == 16) {
    const __m512i columns =
        _mm512_add_epi32(_mm512_set1_epi32(int32_t(first)),
                         _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    _mm512_storeu_si512(found, _mm512_maskz_compress_epi32(__mmask16(set), columns));
  } else {
    const __m256i columns =
        _mm256_add_epi32(_mm256_set1_epi32(int32_t(first)), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    _mm256_storeu_si256((__m256i*)found, _mm256_maskz_compress_epi32(__mmask8(set), columns));
  }
  return __builtin_popcount(set);
#else
  int64_t count = 0;
  for (; set != 0; set &= set - 1) found[count++] = int32_t(first + __builtin_ctz(set));
  return count;
#endif
}

// Bits that tell where to read next are needed at once: compilers like to calculate with them among masks.
inline void keep_in_register(uint64_t& bits) {
#if KONIG_INTRINSICS
  asm("" : "+r"(bits));
#else
  (void)bits;
#endif
}

}  // namespace konig::KONIG_ISA
