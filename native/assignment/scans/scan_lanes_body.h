// What a scan does with a vector of costs and one of duals, for one instruction set; see dense_scans_body.h.

namespace konig::KONIG_ISA {

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
