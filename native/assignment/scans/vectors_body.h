// SIMD vectors of numbers, for one instruction set (scans_body.h).
#pragma once

// Whether intrinsics of the target that a pragma asks for may be used. Clang obeys its pragma, too, but does
// not define the target's macros then.
#if defined(__x86_64__) && defined(__GNUC__)
#define KONIG_INTRINSICS 1
#else
#define KONIG_INTRINSICS 0
#endif

// Before a loop over an array of vectors, which is in registers only if no index is left.
#if defined(__clang__)
#define KONIG_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define KONIG_UNROLL _Pragma("GCC unroll 16")
#else
#define KONIG_UNROLL
#endif

namespace konig::KONIG_ISA {

template <class E, int lanes>
struct Vector {
  typedef E type __attribute__((vector_size(lanes * sizeof(E))));
};
template <class E>
using IntegerOf = std::conditional_t<sizeof(E) == 4, int32_t, int64_t>;
template <class V>
using ElementOf = std::remove_cvref_t<decltype(V{}[0])>;
template <class V>
constexpr int lanes_in() {
  return int(sizeof(V) / sizeof(ElementOf<V>));
}

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
template <class V, int... k>
inline V in_all_lanes(ElementOf<V> value, std::integer_sequence<int, k...>) {
  return V{(void(k), value)...};
}
template <class V>
inline V in_all_lanes(ElementOf<V> value) {
  return in_all_lanes<V>(value, std::make_integer_sequence<int, lanes_in<V>()>());
}
template <class I>
inline I lane_numbers() {
  I number{};
  for (int k = 0; k < lanes_in<I>(); ++k) number[k] = k;
  return number;
}

template <class V>
inline V lesser(V a, V b) {
  return a < b ? a : b;
}
template <class V>
inline V greater(V a, V b) {
  return a > b ? a : b;
}

// The same numbers, or negated. The least integer, which has no negative, stays as it is.
template <bool kNegated, class V>
inline V with_sign(V v) {
  if constexpr (!kNegated || std::is_floating_point_v<V>) {
    return kNegated ? -v : v;
  } else if constexpr (std::is_integral_v<V>) {
    return V(0 - std::make_unsigned_t<V>(v));
  } else if constexpr (std::is_floating_point_v<ElementOf<V>>) {
    return -v;
  } else {
    using Bits = typename Vector<std::make_unsigned_t<ElementOf<V>>, lanes_in<V>()>::type;
    return V(Bits{} - Bits(v));
  }
}

// May exceed the integer range until the costs have been checked; do not use it before.
template <class V>
inline V difference(V a, V b) {
  if constexpr (std::is_integral_v<ElementOf<V>>) {
    using Bits = typename Vector<std::make_unsigned_t<ElementOf<V>>, lanes_in<V>()>::type;
    return V(Bits(a) - Bits(b));
  } else {
    return a - b;
  }
}

// ---- masks, the results of comparisons: each lane is 0 or -1

template <class I>
inline bool any(I mask) {
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
  return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#elif KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 32
  return _mm256_testz_si256((__m256i)mask, (__m256i)mask) == 0;
#elif defined(__SSE2__) && KONIG_VECTOR_BYTES == 16
  return _mm_movemask_epi8((__m128i)mask) != 0;
#else
  ElementOf<I> some = 0;
  for (int k = 0; k < lanes_in<I>(); ++k) some |= mask[k];
  return some != 0;
#endif
}

// A bit for each lane that holds.
template <class I>
inline uint32_t bits_of(I mask) {
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
  if constexpr (lanes_in<I>() == 16)
    return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask);
  else
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask);
#elif KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 32
  if constexpr (lanes_in<I>() == 8)
    return uint32_t(_mm256_movemask_ps((__m256)mask));
  else
    return uint32_t(_mm256_movemask_pd((__m256d)mask));
#else
  uint32_t set = 0;
  for (int k = 0; k < lanes_in<I>(); ++k) set |= uint32_t(mask[k] != 0) << k;
  return set;
#endif
}

template <class V>
inline uint32_t bits_where_equal(V a, V b) {
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
  if constexpr (std::is_same_v<V, typename Vector<float, 16>::type>)
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
  if constexpr (std::is_same_v<ElementOf<V>, double>) return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
  if constexpr (std::is_same_v<ElementOf<V>, int64_t>) return _mm512_cmpeq_epi64_mask((__m512i)a, (__m512i)b);
  if constexpr (std::is_same_v<ElementOf<V>, int32_t>) return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
#endif
  return bits_of(a == b);
}

#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
// Of float64, int64 and int32, in mask registers.
template <class V>
inline uint32_t bits_where_less(V a, V b) {
  if constexpr (std::is_same_v<ElementOf<V>, double>) return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
  if constexpr (std::is_same_v<ElementOf<V>, int64_t>) return _mm512_cmplt_epi64_mask((__m512i)a, (__m512i)b);
  if constexpr (std::is_same_v<ElementOf<V>, int32_t>) return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
}
// The lesser where the bits of lanes are set, and elsewhere `a`.
template <class V>
inline V lesser_where(uint32_t set, V a, V b) {
  if constexpr (std::is_same_v<ElementOf<V>, double>) return (V)_mm512_mask_min_pd(a, __mmask8(set), a, b);
  if constexpr (std::is_same_v<ElementOf<V>, int64_t>)
    return (V)_mm512_mask_min_epi64((__m512i)a, __mmask8(set), (__m512i)a, (__m512i)b);
  if constexpr (std::is_same_v<ElementOf<V>, int32_t>)
    return (V)_mm512_mask_min_epi32((__m512i)a, __mmask16(set), (__m512i)a, (__m512i)b);
}
// One vector where the bits of lanes are set, and another elsewhere.
template <class V>
inline V with_bits_of(uint32_t set, V there, V elsewhere) {
  if constexpr (sizeof(V) == 32)  // of int32
    return (V)_mm256_mask_mov_epi32((__m256i)elsewhere, __mmask8(set), (__m256i)there);
  else if constexpr (sizeof(ElementOf<V>) == 8)
    return (V)_mm512_mask_mov_epi64((__m512i)elsewhere, __mmask8(set), (__m512i)there);
  else
    return (V)_mm512_mask_mov_epi32((__m512i)elsewhere, __mmask16(set), (__m512i)there);
}
#endif

// The lanes whose bits are set.
template <class I>
inline I lanes_of(uint32_t set) {
  I bit{};
  for (int k = 0; k < lanes_in<I>(); ++k) bit[k] = ElementOf<I>(1) << k;
  return (in_all_lanes<I>(ElementOf<I>(set & 0xffffu)) & bit) != 0;
}

// Keeps compilers from computing these bits in mask registers: they are an address that is needed at once.
inline void keep_in_register(uint64_t& bits) {
#if KONIG_INTRINSICS
  asm("" : "+r"(bits));
#else
  (void)bits;
#endif
}

// The least of the numbers whose bits are set; one is.
template <class E>
inline E least_where(uint32_t set, const E* number) {
  E least = number[__builtin_ctz(set)];
  for (uint32_t rest = set & (set - 1); rest != 0; rest &= rest - 1) {
    const E here = number[__builtin_ctz(rest)];
    least = here < least ? here : least;
  }
  return least;
}

// Writes the columns whose bits are set, counted from `first`, and perhaps meaningless numbers up to as many
// as there are lanes; returns how many bits are set.
template <int lanes>
inline int64_t take_columns(uint32_t set, int64_t first, int32_t* found) {
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
  using Columns = typename Vector<int32_t, lanes>::type;
  const Columns columns = lane_numbers<Columns>() + int32_t(first);
  if constexpr (lanes == 16)
    _mm512_storeu_si512(found, _mm512_maskz_compress_epi32(__mmask16(set), (__m512i)columns));
  else
    _mm256_storeu_si256((__m256i*)found, _mm256_maskz_compress_epi32(__mmask8(set), (__m256i)columns));
  return __builtin_popcount(set);
#else
  int64_t count = 0;
  for (; set != 0; set &= set - 1) found[count++] = int32_t(first + __builtin_ctz(set));
  return count;
#endif
}

// The first `count` numbers of an array, fewer than there are lanes, and zeros. Reads nothing beyond them.
template <class V>
inline V load_first(const ElementOf<V>* from, int64_t count) {
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
  const uint32_t mask = (1u << count) - 1;
  if constexpr (sizeof(ElementOf<V>) == 8)
    return (V)_mm512_maskz_loadu_epi64(__mmask8(mask), from);
  else if constexpr (sizeof(V) == 64)
    return (V)_mm512_maskz_loadu_epi32(__mmask16(mask), from);
  else
    return (V)_mm256_maskz_loadu_epi32(__mmask8(mask), from);
#elif KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 32
  using Bits = IntegerOf<ElementOf<V>>;
  using M = typename Vector<Bits, lanes_in<V>()>::type;
  const M mask = lane_numbers<M>() < Bits(count);
  if constexpr (sizeof(Bits) == 8)
    return (V)_mm256_maskload_epi64((const long long*)from, (__m256i)mask);
  else if constexpr (sizeof(V) == 32)
    return (V)_mm256_maskload_epi32((const int*)from, (__m256i)mask);
  else
    return (V)_mm_maskload_epi32((const int*)from, (__m128i)mask);
#else
  V v{};
  for (int k = 0; k < count; ++k) v[k] = from[k];
  return v;
#endif
}

// ---- squares of as many rows as lanes

// Row r of the result is the vector of lane r of all rows, by exchanging quarters, and quarters of these. All
// is unrolled, and each exchange two instructions: a loop would keep the rows in memory.
template <int distance, class V, int... k>
inline void exchange_rows(V& upper, V& lower, std::integer_sequence<int, k...>) {
  constexpr int lanes = lanes_in<V>();
#if defined(__has_builtin) && __has_builtin(__builtin_shufflevector)
  const V above = __builtin_shufflevector(upper, lower, ((k & distance) ? lanes + k - distance : k)...);
  lower = __builtin_shufflevector(upper, lower, ((k & distance) ? lanes + k : k + distance)...);
#else
  const V above = V{((k & distance) ? lower[k - distance] : upper[k])...};
  lower = V{((k & distance) ? lower[k] : upper[(k + distance) % lanes])...};
#endif
  upper = above;
}
template <int distance, class V, int... r>
inline void exchange_all(V* rows, std::integer_sequence<int, r...> all) {
  const auto exchange = [&]<int upper>() {
    if constexpr (!(upper & distance)) exchange_rows<distance>(rows[upper], rows[upper + distance], all);
  };
  (exchange.template operator()<r>(), ...);
}
template <class V, int distance = lanes_in<V>() / 2>
inline void transpose(V* rows) {
  if constexpr (distance > 0) {
    exchange_all<distance>(rows, std::make_integer_sequence<int, lanes_in<V>()>());
    transpose<V, distance / 2>(rows);
  }
}

// ---- across lanes

// Lane k of the result is lane k ^ distance.
template <int distance, class V, int... k>
inline V exchanged(V v, std::integer_sequence<int, k...>) {
  return V{v[k ^ distance]...};
}
template <int distance, class V>
inline V exchanged(V v) {
  return exchanged<distance>(v, std::make_integer_sequence<int, lanes_in<V>()>());
}

// The least of all lanes, in all lanes.
template <class V, int distance = lanes_in<V>() / 2>
inline V least_of_lanes(V v) {
  if constexpr (distance == 0)
    return v;
  else
    return least_of_lanes<V, distance / 2>(lesser(v, exchanged<distance>(v)));
}

// The greatest of all lanes, in all lanes.
template <class V, int distance = lanes_in<V>() / 2>
inline V greatest_of_lanes(V v) {
  if constexpr (distance == 0)
    return v;
  else
    return greatest_of_lanes<V, distance / 2>(greater(v, exchanged<distance>(v)));
}

// Reduces the two least of each lane to the two least of all lanes.
template <class V, int distance = lanes_in<V>() / 2>
inline void fold(V& first, V& second) {
  if constexpr (distance > 0) {
    const V across = exchanged<distance>(first);
    second = lesser(greater(first, across), lesser(second, exchanged<distance>(second)));
    first = lesser(first, across);
    fold<V, distance / 2>(first, second);
  }
}

}  // namespace konig::KONIG_ISA
