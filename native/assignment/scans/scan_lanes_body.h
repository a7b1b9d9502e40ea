// Vectors, and what a scan does with a vector of costs and one of duals, for one instruction set; see
// scans_body.h.

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

template <class S, class T, bool kNegated>
struct Lanes {
  static constexpr int lanes = KONIG_VECTOR_BYTES / int(sizeof(T));
  using Mask = typename IntegerOf<sizeof(T)>::type;
  using V = typename Vector<T, lanes>::type;
  using I = typename Vector<Mask, lanes>::type;
  using Stored = typename Vector<S, lanes>::type;
  using Rows = typename Vector<int32_t, lanes>::type;

  static V costs(const S* from) { return converted(load<Stored>(from)); }
  static V converted(Stored stored) {
    if constexpr (sizeof(S) == sizeof(T) &&
                  std::numeric_limits<S>::is_integer == std::numeric_limits<T>::is_integer)
      return with_sign<kNegated>(stored);
    else
      return with_sign<kNegated>(V(__builtin_convertvector(stored, V)));
  }
  static T cost_of(S stored) { return kNegated ? -T(stored) : T(stored); }

  // The last costs of a row, fewer than there are lanes, and zeros; nothing beyond them is read.
  static Stored last_costs(const S* from, int64_t count) {
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
    const uint32_t mask = (1u << count) - 1;
    if constexpr (sizeof(S) == 8)
      return (Stored)_mm512_maskz_loadu_epi64(__mmask8(mask), from);
    else if constexpr (lanes == 16)
      return (Stored)_mm512_maskz_loadu_epi32(__mmask16(mask), from);
    else
      return (Stored)_mm256_maskz_loadu_epi32(__mmask8(mask), from);
#elif KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 32
    using Bits = typename IntegerOf<sizeof(S)>::type;
    using M = typename Vector<Bits, lanes>::type;
    const M mask = load<M>(Exchange<Bits, lanes, 0>::from) < Bits(count);
    if constexpr (sizeof(S) == 8)
      return (Stored)_mm256_maskload_epi64((const long long*)from, (__m256i)mask);
    else if constexpr (lanes == 8)
      return (Stored)_mm256_maskload_epi32((const int*)from, (__m256i)mask);
    else
      return (Stored)_mm_maskload_epi32((const int*)from, (__m128i)mask);
#else
    Stored stored = Stored{};
    for (int k = 0; k < count; ++k) stored[k] = from[k];
    return stored;
#endif
  }

  static bool any(I mask) {
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#elif KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 32
    return _mm256_testz_si256((__m256i)mask, (__m256i)mask) == 0;
#elif defined(__SSE2__) && KONIG_VECTOR_BYTES == 16
    return _mm_movemask_epi8((__m128i)mask) != 0;
#else
    Mask some = 0;
    for (int k = 0; k < lanes; ++k) some |= mask[k];
    return some != 0;
#endif
  }

  // A bit for each lane of a comparison that holds.
  static uint32_t lanes_of(I mask) {
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
    if constexpr (lanes == 16)
      return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask);
    else
      return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask);
#elif KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 32
    if constexpr (lanes == 8)
      return uint32_t(_mm256_movemask_ps((__m256)mask));
    else
      return uint32_t(_mm256_movemask_pd((__m256d)mask));
#else
    uint32_t set = 0;
    for (int k = 0; k < lanes; ++k) set |= uint32_t(mask[k] != 0) << k;
    return set;
#endif
  }

  static V lesser(V a, V b) { return a < b ? a : b; }
  static V greater(V a, V b) { return a > b ? a : b; }

  // Lane k of the result is lane k ^ distance.
  template <int distance>
  static V exchanged(V v) {
#if defined(__clang__)
    V turned = v;
    for (int k = 0; k < lanes; ++k) turned[k] = v[k ^ distance];
    return turned;
#else
    // Written out, so that the compiler sees which way is the fastest.
    constexpr int d = distance;
    if constexpr (lanes == 2)
      return __builtin_shuffle(v, I{0 ^ d, 1 ^ d});
    else if constexpr (lanes == 4)
      return __builtin_shuffle(v, I{0 ^ d, 1 ^ d, 2 ^ d, 3 ^ d});
    else if constexpr (lanes == 8)
      return __builtin_shuffle(v, I{0 ^ d, 1 ^ d, 2 ^ d, 3 ^ d, 4 ^ d, 5 ^ d, 6 ^ d, 7 ^ d});
    else
      return __builtin_shuffle(v, I{0 ^ d, 1 ^ d, 2 ^ d, 3 ^ d, 4 ^ d, 5 ^ d, 6 ^ d, 7 ^ d, 8 ^ d, 9 ^ d,
                                    10 ^ d, 11 ^ d, 12 ^ d, 13 ^ d, 14 ^ d, 15 ^ d});
#endif
  }

  // The least of all lanes, in all lanes.
  template <int distance = lanes / 2>
  static V least_lanes(V v) {
    if constexpr (distance == 0)
      return v;
    else
      return least_lanes<distance / 2>(lesser(v, exchanged<distance>(v)));
  }
  static T least_of(V v) { return least_lanes(v)[0]; }

  // A bit for each lane in which two vectors agree.
  static uint32_t lanes_equal(V a, V b) {
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
    if constexpr (!std::numeric_limits<T>::is_integer) return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
#endif
    return lanes_of(a == b);
  }

  // The two least of both, lane after lane, and then of all lanes.
  template <int distance = lanes / 2>
  static void fold(V& first, V& second) {
    if constexpr (distance > 0) {
      const V across = exchanged<distance>(first);
      second = lesser(greater(first, across), lesser(second, exchanged<distance>(second)));
      first = lesser(first, across);
      fold<distance / 2>(first, second);
    }
  }

  // Of the last vector of a row, which begins before the lanes that have not been looked at: the others are
  // infinite.
  static V only_last(V v, int64_t lanes_left) { return lane() < Mask(lanes - lanes_left) ? infinite() : v; }
  static I lane() { return load<I>(Exchange<Mask, lanes, 0>::from); }
  static V infinite() { return all(Bounds<T>::infinity); }
  // In all lanes. The difference is no work: unlike a sum it leaves a negative zero as it is.
  static V all(T value) { return value - V{}; }
  static V slacks(const S* cost, const T* dual) { return difference(costs(cost), load<V>(dual)); }
  // Of costs that nobody has looked at yet it may be beyond the integers, and then means nothing.
  static V difference(V a, V b) {
    if constexpr (std::numeric_limits<T>::is_integer) {
      using Unsigned = typename Vector<std::make_unsigned_t<T>, lanes>::type;
      return V(Unsigned(a) - Unsigned(b));
    } else {
      return a - b;
    }
  }
};

// The largest |cost| of what it has been shown. Reals are compared by their bits: without the sign these are
// in the order of the numbers, and what is not finite comes last.
template <class S, int lanes>
struct Magnitude {
  static constexpr bool kReal = !std::numeric_limits<S>::is_integer;
  using Bits = typename IntegerOf<sizeof(S)>::type;
  using V = typename Vector<Bits, lanes>::type;
  static constexpr Bits kNoSign = std::numeric_limits<Bits>::max();

  void add(const S* cost) { add_bits(load<V>(cost)); }
  void add_bits(V bits) {
    const V here = kReal ? V(bits & kNoSign) : bits;
    most = here > most ? here : most;
    if constexpr (!kReal) least = here < least ? here : least;
  }
  void add_one(S cost) {
    Bits here;
    __builtin_memcpy(&here, &cost, sizeof here);
    if (kReal) here &= kNoSign;
    most_one = here > most_one ? here : most_one;
    least_one = here < least_one ? here : least_one;
  }
  // The most, or the least, of all lanes, in all lanes.
  template <bool kMost, int distance = lanes / 2>
  static V across(V v) {
    if constexpr (distance == 0) {
      return v;
    } else {
#if defined(__clang__)
      V turned = v;
      for (int k = 0; k < lanes; ++k) turned[k] = v[k ^ distance];
#else
      const V turned = __builtin_shuffle(v, load<V>(Exchange<Bits, lanes, distance>::from));
#endif
      if constexpr (kMost)
        return across<kMost, distance / 2>(v > turned ? v : turned);
      else
        return across<kMost, distance / 2>(v < turned ? v : turned);
    }
  }
  // The largest of all that was shown and of `before`; of integers the least of a type is its own |cost|.
  S raised(S before) {
    const Bits largest_lane = across<true>(most)[0];
    most_one = largest_lane > most_one ? largest_lane : most_one;
    if constexpr (!kReal) {
      const Bits least_lane = across<false>(least)[0];
      least_one = least_lane < least_one ? least_lane : least_one;
      if (least_one == std::numeric_limits<S>::min()) return least_one;
      if (before < 0) return before;
      const S largest = -least_one > most_one ? S(-least_one) : S(most_one);
      return before > largest ? before : largest;
    } else {
      add_one(before);
      S largest;
      __builtin_memcpy(&largest, &most_one, sizeof largest);
      return largest;
    }
  }

  V most = V{}, least = V{};
  Bits most_one = 0, least_one = 0;
};

}  // namespace konig::KONIG_ISA
