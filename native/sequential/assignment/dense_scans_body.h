// The scans for one instruction set. Included by scans_*.cpp, which name the set and the width of a vector;
// nothing of std:: is instantiated here, so that no code for a newer machine can leak into the rest.
#include "sequential/assignment/dense_scans.h"

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
  // The largest of all that was shown and of `before`; of integers the least of a type is its own |cost|.
  S raised(S before) {
    for (int k = 0; k < lanes; ++k) {
      most_one = most[k] > most_one ? most[k] : most_one;
      least_one = least[k] < least_one ? least[k] : least_one;
    }
    if constexpr (!kReal) {
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

template <class S, class T>
struct Scan {
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
      return stored;
    else
      return __builtin_convertvector(stored, V);
  }

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
  static V slacks(const S* cost, const T* dual) { return costs(cost) - load<V>(dual); }

  static TwoSmallest<T> two_smallest(const S* cost, const T* dual, int64_t cols) {
    return two_smallest_seen<false>(cost, dual, cols, nullptr);
  }
  static BestColumn<T> best_column(const S* cost, const T* dual, int64_t cols) {
    return best_column_seen<false>(cost, dual, cols, nullptr);
  }
  static BestColumn<T> best_column_surveyed(const S* cost, const T* dual, int64_t cols, S* largest) {
    return best_column_seen<true>(cost, dual, cols, largest);
  }

  template <bool kSurvey>
  static BestColumn<T> best_column_seen(const S* cost, const T* dual, int64_t cols, S* largest) {
    if (cols <= kScanBlock) return best_column_of_few<kSurvey, false>(cost, dual, cols, largest);
    const TwoSmallest<T> best = two_smallest_seen<kSurvey>(cost, dual, cols, largest);
    const bool some = best.first < Bounds<T>::infinity;
    return {best.first, best.second, some ? int32_t(column_with(cost, dual, best.first, cols, -1)) : -1};
  }

  static BestColumn<T> lower_best(const S* cost, T* dual, int64_t cols, S* largest) {
    return largest ? best_column_of_few<true, true>(cost, dual, cols, largest)
                   : best_column_of_few<false, true>(cost, dual, cols, nullptr);
  }

  // Without jumps that depend on the costs.
  template <bool kSurvey, bool kLower, class Duals>
  static BestColumn<T> best_column_of_few(const S* cost, Duals* dual, int64_t cols, S* largest) {
    V first = infinite(), second = first;
    Magnitude<S, lanes> seen;
    const auto see = [&](V slack) {
      second = lesser(second, greater(first, slack));
      first = lesser(first, slack);
    };
    const int64_t whole = cols - cols % lanes;
    for (int64_t j = 0; j < whole; j += lanes) {
      if constexpr (kSurvey) seen.add(cost + j);
      see(slacks(cost + j, dual + j));
    }
    V rest = infinite();
    if (whole < cols) {
      const Stored stored = last_costs(cost + whole, cols - whole);
      if constexpr (kSurvey) seen.add_bits((typename Magnitude<S, lanes>::V)stored);
      rest = converted(stored) - load<V>(dual + whole);
      see(rest);
    }
    fold(first, second);
    const T least = first[0];
    uint64_t set = uint64_t(lanes_equal(rest, first)) << (whole & (kScanBlock - 1));
    for (int64_t j = 0; j < whole; j += lanes)
      set |= uint64_t(lanes_equal(slacks(cost + j, dual + j), first)) << j;
    keep_in_register(set);
    if constexpr (kSurvey) *largest = seen.raised(*largest);
    const T next = second[0];
    BestColumn<T> best{least, next, least < Bounds<T>::infinity ? int32_t(__builtin_ctzll(set)) : -1};
    if constexpr (kLower) {
      if (next < Bounds<T>::infinity) {
        T* const around = dual + (best.col & ~(lanes - 1));
        const T then = dual[best.col], lowered = then - (next - least);
        best.lowers = lowered < then;
        if (best.lowers) {
          // As a vector: the next row to be scanned would wait for a number that is stored alone.
          const I at = lane() == Mask(best.col & (lanes - 1));
          store(around, at ? all(lowered) : load<V>(around));
        }
      }
    }
    return best;
  }

  static uint64_t with_key(const T* key, T value, int64_t count) {
    const V wanted = all(value);
    uint64_t set = 0;
    int64_t j = 0;
    for (; j + lanes <= count; j += lanes) set |= uint64_t(lanes_equal(load<V>(key + j), wanted)) << j;
    for (; j < count; ++j) set |= uint64_t(key[j] == value) << j;
    return set;
  }

  // With kSurvey `largest` is raised to the largest |cost|, infinite or NaN where one is not finite.
  template <bool kSurvey>
  static TwoSmallest<T> two_smallest_seen(const S* cost, const T* dual, int64_t cols, S* largest) {
    V first = infinite(), second = first;
    V other_first = first, other_second = first;
    Magnitude<S, lanes> seen;
    int64_t j = 0;
    for (; j + 2 * lanes <= cols; j += 2 * lanes) {
      const V slack = slacks(cost + j, dual + j);
      const V other = slacks(cost + j + lanes, dual + j + lanes);
      if constexpr (kSurvey) {
        seen.add(cost + j);
        seen.add(cost + j + lanes);
      }
      second = lesser(second, greater(first, slack));
      first = lesser(first, slack);
      other_second = lesser(other_second, greater(other_first, other));
      other_first = lesser(other_first, other);
    }
    for (; j + lanes <= cols; j += lanes) {
      const V slack = slacks(cost + j, dual + j);
      if constexpr (kSurvey) seen.add(cost + j);
      second = lesser(second, greater(first, slack));
      first = lesser(first, slack);
    }
    if (j < cols && cols >= lanes) {
      const int64_t last = cols - lanes;
      const V slack = slacks(cost + last, dual + last), rest = only_last(slack, cols - j);
      if constexpr (kSurvey) seen.add(cost + last);
      other_second = lesser(other_second, greater(other_first, rest));
      other_first = lesser(other_first, rest);
      j = cols;
    }
    second = lesser(greater(first, other_first), lesser(second, other_second));
    first = lesser(first, other_first);
    fold(first, second);
    T least = first[0], next = second[0];
    for (; j < cols; ++j) {
      const T slack = T(cost[j]) - dual[j];
      const T larger = slack < least ? least : slack;
      next = larger < next ? larger : next;
      least = slack < least ? slack : least;
      if constexpr (kSurvey) seen.add_one(cost[j]);
    }
    if constexpr (kSurvey) *largest = seen.raised(*largest);
    return {least, next};
  }

  static T smallest(const S* cost, const T* dual, int64_t cols) {
    V least = infinite(), other = least;
    int64_t j = 0;
    for (; j + 2 * lanes <= cols; j += 2 * lanes) {
      least = lesser(least, slacks(cost + j, dual + j));
      other = lesser(other, slacks(cost + j + lanes, dual + j + lanes));
    }
    if (j + lanes <= cols) {
      least = lesser(least, slacks(cost + j, dual + j));
      j += lanes;
    }
    if (j < cols && cols >= lanes) {  // some columns twice
      least = lesser(least, slacks(cost + cols - lanes, dual + cols - lanes));
      j = cols;
    }
    T value = least_of(lesser(least, other));
    for (; j < cols; ++j) {
      const T slack = T(cost[j]) - dual[j];
      value = slack < value ? slack : value;
    }
    return value;
  }

  static int64_t column_with(const S* cost, const T* dual, T slack, int64_t cols, int64_t except) {
    const V wanted = all(slack);
    const auto hits = [&](int64_t j) { return I(slacks(cost + j, dual + j) == wanted); };
    const auto first_of = [&](I hit, int64_t j) -> int64_t {
      for (uint32_t set = lanes_of(hit); set != 0; set &= set - 1)
        if (const int64_t col = j + __builtin_ctz(set); col != except) return col;
      return -1;
    };
    int64_t j = 0;
    for (; j + 4 * lanes <= cols; j += 4 * lanes) {
      I hit[4];
      for (int k = 0; k < 4; ++k) hit[k] = hits(j + k * lanes);
      if (!any(hit[0] | hit[1] | hit[2] | hit[3])) continue;
      for (int k = 0; k < 4; ++k)
        if (const int64_t col = first_of(hit[k], j + k * lanes); col >= 0) return col;
    }
    for (; j + lanes <= cols; j += lanes)
      if (const int64_t col = first_of(hits(j), j); col >= 0) return col;
    if (j < cols && cols >= lanes) return first_of(hits(cols - lanes), cols - lanes);  // some columns twice
    for (; j < cols; ++j)
      if (T(cost[j]) - dual[j] == slack && j != except) return j;
    return -1;
  }

  static void relax(const S* cost, const T* dual, T base, int32_t row, int64_t cols, T* key, int32_t* before,
                    T* block_least) {
    const V bases = all(base);
    const Rows rows = Rows{} + row;
    int64_t j = 0;
    for (int64_t block = 0; j < cols; ++block) {
      const int64_t end = j + kScanBlock < cols ? j + kScanBlock : cols;
      V least = infinite();
      for (; j + lanes <= end; j += lanes) {
        const V slack = slacks(cost + j, dual + j) - bases;
        V now = load<V>(key + j);
        const I lower = slack < now;
        if (any(lower)) {
          now = lower ? slack : now;
          store(key + j, now);
          const Rows lowered = __builtin_convertvector(lower, Rows);
          const Rows earlier = load<Rows>(before + j);
          store(before + j, Rows((rows & lowered) | (earlier & ~lowered)));
        }
        least = now < least ? now : least;
      }
      if (j < end && cols >= lanes) {  // some columns twice, which changes nothing
        const int64_t last = end - lanes;
        const V slack = slacks(cost + last, dual + last) - bases;
        V now = load<V>(key + last);
        const I lower = slack < now;
        if (any(lower)) {
          now = lower ? slack : now;
          store(key + last, now);
          const Rows lowered = __builtin_convertvector(lower, Rows);
          const Rows earlier = load<Rows>(before + last);
          store(before + last, Rows((rows & lowered) | (earlier & ~lowered)));
        }
        now = only_last(now, end - j);
        least = now < least ? now : least;
        j = end;
      }
      T smallest = least_of(least);
      for (; j < end; ++j) {
        const T slack = T(cost[j]) - dual[j] - base;
        if (slack < key[j]) {
          key[j] = slack;
          before[j] = row;
        }
        smallest = key[j] < smallest ? key[j] : smallest;
      }
      block_least[block] = smallest;
    }
  }

  // Scanned columns are bits: a number that is stored alone and then read as part of a vector is waited for.
  static BlockSearch<T> search_block(const S* cost, const T* dual, const int32_t* row_of_col, uint64_t free,
                                     int32_t root, int64_t cols, T* key, int32_t* before) {
    const int64_t whole = cols - cols % lanes;
    uint64_t scanned = 0, set = 0;
    V smallest;
    const auto lower = [&]<bool kFirst>(int64_t j, V here, V bases, Rows rows) {
      const V slack = here - load<V>(dual + j) - bases;
      if constexpr (kFirst) {
        store(key + j, slack);
        store(before + j, rows);
        smallest = lesser(smallest, slack);
      } else {
        lower_keys(slack, uint32_t(scanned >> j), rows, key + j, before + j, smallest);
      }
    };
    // Returns the least key of those that are not scanned.
    const auto relax_row = [&]<bool kFirst>(int32_t i, T base) {
      const S* const from = cost + int64_t(i) * cols;
      const V bases = all(base);
      const Rows rows = Rows{} + i;
      smallest = infinite();
      for (int64_t j = 0; j < whole; j += lanes)
        lower.template operator()<kFirst>(j, costs(from + j), bases, rows);
      if (whole < cols)
        lower.template operator()<kFirst>(whole, converted(last_costs(from + whole, cols - whole)), bases,
                                          rows);
      const V least = least_lanes(smallest);
      set = 0;
      for (int64_t j = 0; j < cols; j += lanes) set |= uint64_t(lanes_equal(load<V>(key + j), least)) << j;
      keep_in_register(set);
      set &= ~scanned;
      return least[0];
    };
    T length = relax_row.template operator()<true>(root, T(0));
    while (length < Bounds<T>::infinity) {
      if ((set & free) != 0) return {length, scanned, int32_t(__builtin_ctzll(set & free))};
      const int j = __builtin_ctzll(set);
      const int32_t i = row_of_col[j];
      scanned |= uint64_t(1) << j;
      length = relax_row.template operator()<false>(i, T(cost[int64_t(i) * cols + j]) - dual[j] - length);
    }
    return {length, scanned, -1};
  }

  // Of the lanes whose bits in `done` are not set.
  static void lower_keys(V slack, uint32_t done, Rows rows, T* key, int32_t* before, V& smallest) {
    const V then = load<V>(key);
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
    if constexpr (!std::numeric_limits<T>::is_integer) {  // as below, with masks as they are
      const auto open = __mmask8(~done);
      const __mmask8 lowers = _mm512_mask_cmp_pd_mask(open, slack, then, _CMP_LT_OQ);
      const V now = _mm512_mask_blend_pd(lowers, then, slack);
      store(key, now);
      store(before, Rows(_mm256_mask_mov_epi32((__m256i)load<Rows>(before), lowers, (__m256i)rows)));
      smallest = _mm512_mask_min_pd(smallest, open, smallest, now);
      return;
    }
#endif
    const I closed = lanes_in(done);
    const I lowers = (slack < then) & ~closed;
    const V now = lowers ? slack : then;
    store(key, now);
    const Rows lowered = __builtin_convertvector(lowers, Rows);
    store(before, Rows((rows & lowered) | (load<Rows>(before) & ~lowered)));
    smallest = lesser(smallest, closed ? infinite() : now);
  }

  // The lanes whose bits are set.
  static I lanes_in(uint64_t set) {
    I bit;
    for (int k = 0; k < lanes; ++k) bit[k] = Mask(1) << k;
    return ((I{} + Mask(uint32_t(set) & 0xffffu)) & bit) != 0;
  }

  static int64_t below(const S* cost, const T* dual, T bound, int64_t cols, int32_t* found, int64_t room) {
    return dual ? below<true>(cost, dual, bound, cols, found, room)
                : below<false>(cost, dual, bound, cols, found, room);
  }

  template <bool kDuals>
  static int64_t below(const S* cost, const T* dual, T bound, int64_t cols, int32_t* found, int64_t room) {
    const auto slacks = [&](int64_t j) {
      if constexpr (kDuals) return costs(cost + j) - load<V>(dual + j);
      return costs(cost + j);
    };
    const V bounds = all(bound);
    int64_t count = 0, j = 0;
    const auto take = [&](uint32_t set, int64_t first) {
      if (count < room)
        count += take_columns<lanes>(set, first, found + count);
      else
        count += __builtin_popcount(set);
    };
    // Four vectors at a time: as a rule hardly any column is below.
    for (; j + 4 * lanes <= cols; j += 4 * lanes) {
      V slack[4];
      for (int k = 0; k < 4; ++k) slack[k] = slacks(j + k * lanes);
      const V least = lesser(lesser(slack[0], slack[1]), lesser(slack[2], slack[3]));
      if (!any(least < bounds)) continue;
      for (int k = 0; k < 4; ++k) take(lanes_of(slack[k] < bounds), j + k * lanes);
    }
    for (; j + lanes <= cols; j += lanes) take(lanes_of(slacks(j) < bounds), j);
    for (; j < cols; ++j)
      if (T(cost[j]) - (kDuals ? dual[j] : T(0)) < bound) take(1, j);
    return count;
  }

  static constexpr DenseScans<S, T> table = {
      two_smallest, best_column, best_column_surveyed, lower_best, smallest,
      column_with,  relax,       search_block,         with_key,   below};
};

template <class S>
struct ScanCosts {
  static constexpr int lanes = KONIG_VECTOR_BYTES / int(sizeof(S));
  static constexpr bool kReal = !std::numeric_limits<S>::is_integer;
  static constexpr S kInfinity = std::numeric_limits<S>::infinity();
  static constexpr int kStripe = KONIG_VECTOR_BYTES == 64 ? 8 : 4;
  using V = typename Vector<S, lanes>::type;
  using I = typename Vector<typename IntegerOf<sizeof(S)>::type, lanes>::type;

  static Extent<S> extent(const S* cost, int64_t count, bool likely_finite) {
    if (kReal && !likely_finite) {
      const int64_t whole = count - count % lanes;
      Extent<S> seen = extent_of_finite(cost, whole);
      for (int64_t k = whole; k < count; ++k) take(seen, cost[k]);
      return seen;
    }
    V least[2] = {V{}, V{}}, most[2] = {V{}, V{}}, zeros = V{};
    int64_t k = 0;
    for (; k + 2 * lanes <= count; k += 2 * lanes) {
      for (int half = 0; half < 2; ++half) {
        const V here = load<V>(cost + k + half * lanes);
        least[half] = here < least[half] ? here : least[half];
        most[half] = here > most[half] ? here : most[half];
        if constexpr (kReal) zeros += here * S(0);
      }
    }
    Extent<S> seen;
    for (int j = 0; j < lanes; ++j) {
      for (int half = 0; half < 2; ++half) {
        take(seen, least[half][j]);
        take(seen, most[half][j]);
      }
    }
    if constexpr (kReal) {
      // An infinity or a NaN shows in the sum of the costs times zero.
      S sum = S(0);
      for (int j = 0; j < lanes; ++j) sum += zeros[j];
      if (!(sum == S(0))) seen = extent_of_finite(cost, k);
    }
    for (; k < count; ++k) take(seen, cost[k]);
    return seen;
  }

  static S column_least(const S* cost, int64_t first, int64_t last, int64_t cols, S* least,
                        int32_t* row_of_least) {
    Magnitude<S, lanes> seen;
    const auto stripe = [&]<int count>(int64_t j) {
      least_of_stripe<count>(cost + j, first, last, cols, least + j, row_of_least + j, seen);
    };
    int64_t j = 0;
    for (; j + kStripe * lanes <= cols; j += kStripe * lanes) stripe.template operator()<kStripe>(j);
    for (; j + 2 * lanes <= cols; j += 2 * lanes) stripe.template operator()<2>(j);
    for (; j + lanes <= cols; j += lanes) stripe.template operator()<1>(j);
    if (j < cols && cols >= lanes) {  // some columns twice
      stripe.template operator()<1>(cols - lanes);
      j = cols;
    }
    for (; j < cols; ++j) {
      S smallest = first == 0 ? cost[j] : least[j];
      int32_t at = first == 0 ? 0 : row_of_least[j];
      for (int64_t i = first; i < last; ++i) {
        const S here = cost[i * cols + j];
        seen.add_one(here);
        if (!(here < smallest)) continue;
        smallest = here;
        at = int32_t(i);
      }
      least[j] = smallest;
      row_of_least[j] = at;
    }
    return seen.raised(S(0));
  }

  // Of a few vectors side by side, which stay in registers.
  template <int count>
  static void least_of_stripe(const S* cost, int64_t first, int64_t last, int64_t cols, S* least,
                              int32_t* row_of_least, Magnitude<S, lanes>& kept) {
    using Rows = typename Vector<int32_t, lanes>::type;
    Magnitude<S, lanes> seen = kept;
    V smallest[count];
    I at[count];
    for (int k = 0; k < count; ++k) {
      smallest[k] = load<V>((first == 0 ? cost : least) + k * lanes);
      at[k] = first == 0 ? I{} : I(__builtin_convertvector(load<Rows>(row_of_least + k * lanes), I));
    }
    I here = I{} + typename IntegerOf<sizeof(S)>::type(first);
    for (int64_t i = first; i < last; ++i, here += 1) {
      const S* const row = cost + i * cols;
      for (int k = 0; k < count; ++k) {
        const V now = load<V>(row + k * lanes);
        seen.add(row + k * lanes);
        const I lower = now < smallest[k];
        smallest[k] = lower ? now : smallest[k];
        at[k] = lower ? here : at[k];
      }
    }
    for (int k = 0; k < count; ++k) {
      store(least + k * lanes, smallest[k]);
      store(row_of_least + k * lanes, Rows(__builtin_convertvector(at[k], Rows)));
    }
    kept = seen;
  }

  // Of a multiple of the lanes. What is not finite counts as 0, and the most is the largest |cost|.
  static Extent<S> extent_of_finite(const S* cost, int64_t count) {
    using Bits = typename IntegerOf<sizeof(S)>::type;
    constexpr Bits kNoSign = std::numeric_limits<Bits>::max();
    constexpr Bits kBitsOfInfinity = __builtin_bit_cast(Bits, kInfinity);
    V lowest = V{}, highest = V{};
    I most = I{}, most_finite = I{};  // without the sign bits are in the order of the numbers, NaN last
    for (int64_t k = 0; k < count; k += lanes) {
      const V here = load<V>(cost + k);
      const I size = I(here) & kNoSign;
      most = size > most ? size : most;
      const I finite = size < kBitsOfInfinity ? size : I{};
      most_finite = finite > most_finite ? finite : most_finite;
      lowest = here < lowest ? here : lowest;
      highest = here > highest ? here : highest;
    }
    Extent<S> seen;
    for (int j = 0; j < lanes; ++j) {
      take(seen, __builtin_bit_cast(S, Bits(most_finite[j])));
      seen.nan |= most[j] > kBitsOfInfinity;
      seen.infinity |= highest[j] == kInfinity;
      seen.minus_infinity |= lowest[j] == -kInfinity;
    }
    return seen;
  }

  static void take(Extent<S>& seen, S cost) {
    if constexpr (kReal) {
      if (cost != cost) seen.nan = true;
      if (cost == kInfinity) seen.infinity = true;
      if (cost == -kInfinity) seen.minus_infinity = true;
      if (!(cost - cost == S(0))) return;
    }
    seen.least = cost < seen.least ? cost : seen.least;
    seen.most = cost > seen.most ? cost : seen.most;
  }
};

// 128-bit sums: one at a time, and the largest integer stands for a forbidden pair.
template <class S>
struct Scan<S, int128> {
  using T = int128;
  static T slack_of(S cost, T dual) {
    return cost == std::numeric_limits<S>::max() ? Bounds<T>::infinity : T(cost) - dual;
  }
  static TwoSmallest<T> two_smallest(const S* cost, const T* dual, int64_t cols) {
    TwoSmallest<T> best{Bounds<T>::infinity, Bounds<T>::infinity};
    for (int64_t j = 0; j < cols; ++j) {
      const T slack = slack_of(cost[j], dual[j]);
      if (slack < best.first) {
        best = {slack, best.first};
      } else if (slack < best.second) {
        best.second = slack;
      }
    }
    return best;
  }
  static int64_t column_with(const S* cost, const T* dual, T slack, int64_t cols, int64_t except) {
    for (int64_t j = 0; j < cols; ++j)
      if (slack_of(cost[j], dual[j]) == slack && j != except) return j;
    return -1;
  }
  static BestColumn<T> best_column(const S* cost, const T* dual, int64_t cols) {
    const TwoSmallest<T> best = two_smallest(cost, dual, cols);
    const bool some = best.first < Bounds<T>::infinity;
    return {best.first, best.second, some ? int32_t(column_with(cost, dual, best.first, cols, -1)) : -1};
  }
  static T smallest(const S* cost, const T* dual, int64_t cols) {
    return two_smallest(cost, dual, cols).first;
  }
  static uint64_t with_key(const T* key, T value, int64_t count) {
    uint64_t set = 0;
    for (int64_t j = 0; j < count; ++j) set |= uint64_t(key[j] == value) << j;
    return set;
  }
  static void relax(const S* cost, const T* dual, T base, int32_t row, int64_t cols, T* key, int32_t* before,
                    T* block_least) {
    for (int64_t j = 0; j < cols; ++j) {
      T& least = block_least[j / kScanBlock];
      if (j % kScanBlock == 0) least = Bounds<T>::infinity;
      const T slack = slack_of(cost[j], dual[j]);
      if (slack < Bounds<T>::infinity && slack - base < key[j]) {
        key[j] = slack - base;
        before[j] = row;
      }
      if (key[j] < least) least = key[j];
    }
  }
  static int64_t below(const S* cost, const T* dual, T bound, int64_t cols, int32_t* found, int64_t room) {
    int64_t count = 0;
    for (int64_t j = 0; j < cols; ++j) {
      if (!(slack_of(cost[j], dual ? dual[j] : T(0)) < bound)) continue;
      if (count < room) found[count] = int32_t(j);
      ++count;
    }
    return count;
  }
  static constexpr DenseScans<S, T> table = {two_smallest, best_column, nullptr, nullptr,  smallest,
                                             column_with,  relax,       nullptr, with_key, below};
};

}  // namespace konig::KONIG_ISA
