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

template <class S, class T>
struct Scan {
  static constexpr int lanes = KONIG_VECTOR_BYTES / int(sizeof(T));
  using Mask = typename IntegerOf<sizeof(T)>::type;
  using V = typename Vector<T, lanes>::type;
  using I = typename Vector<Mask, lanes>::type;
  using Stored = typename Vector<S, lanes>::type;
  using Rows = typename Vector<int32_t, lanes>::type;

  static V costs(const S* from) {
    if constexpr (sizeof(S) == sizeof(T) &&
                  std::numeric_limits<S>::is_integer == std::numeric_limits<T>::is_integer)
      return load<V>(from);
    else
      return __builtin_convertvector(load<Stored>(from), V);
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
    return __builtin_shuffle(v, load<I>(Exchange<Mask, lanes, distance>::from));
#endif
  }

  template <int distance = lanes / 2>
  static T least_of(V v) {
    if constexpr (distance == 0)
      return v[0];
    else
      return least_of<distance / 2>(lesser(v, exchanged<distance>(v)));
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

  static TwoSmallest<T> two_smallest(const S* cost, const T* dual, int64_t cols) {
    V first = V{} + Bounds<T>::infinity, second = first;
    V other_first = first, other_second = first;
    int64_t j = 0;
    for (; j + 2 * lanes <= cols; j += 2 * lanes) {
      const V slack = costs(cost + j) - load<V>(dual + j);
      const V other = costs(cost + j + lanes) - load<V>(dual + j + lanes);
      second = lesser(second, greater(first, slack));
      first = lesser(first, slack);
      other_second = lesser(other_second, greater(other_first, other));
      other_first = lesser(other_first, other);
    }
    for (; j + lanes <= cols; j += lanes) {
      const V slack = costs(cost + j) - load<V>(dual + j);
      second = lesser(second, greater(first, slack));
      first = lesser(first, slack);
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
    }
    return {least, next};
  }

  static T smallest(const S* cost, const T* dual, int64_t cols) {
    V least = V{} + Bounds<T>::infinity, other = least;
    int64_t j = 0;
    for (; j + 2 * lanes <= cols; j += 2 * lanes) {
      least = lesser(least, costs(cost + j) - load<V>(dual + j));
      other = lesser(other, costs(cost + j + lanes) - load<V>(dual + j + lanes));
    }
    T value = least_of(lesser(least, other));
    for (; j < cols; ++j) {
      const T slack = T(cost[j]) - dual[j];
      value = slack < value ? slack : value;
    }
    return value;
  }

  static int64_t column_with(const S* cost, const T* dual, T slack, int64_t cols, int64_t except) {
    const auto slacks = [&](int64_t j) { return costs(cost + j) - load<V>(dual + j); };
    const V wanted = V{} + slack;
    int64_t j = 0;
    for (; j + 4 * lanes <= cols; j += 4 * lanes) {
      I hit[4];
      for (int k = 0; k < 4; ++k) hit[k] = slacks(j + k * lanes) == wanted;
      if (!any(hit[0] | hit[1] | hit[2] | hit[3])) continue;
      for (int k = 0; k < 4; ++k)
        for (uint32_t set = lanes_of(hit[k]); set != 0; set &= set - 1)
          if (const int64_t col = j + k * lanes + __builtin_ctz(set); col != except) return col;
    }
    for (; j < cols; ++j)
      if (T(cost[j]) - dual[j] == slack && j != except) return j;
    return -1;
  }

  static void relax(const S* cost, const T* dual, T base, int32_t row, int64_t cols, T* key, int32_t* before,
                    T* block_least) {
    const V bases = V{} + base;
    const Rows rows = Rows{} + row;
    int64_t j = 0;
    for (int64_t block = 0; j < cols; ++block) {
      const int64_t end = j + kScanBlock < cols ? j + kScanBlock : cols;
      V least = V{} + Bounds<T>::infinity;
      for (; j + lanes <= end; j += lanes) {
        const V slack = costs(cost + j) - load<V>(dual + j) - bases;
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
    const V bounds = V{} + bound;
    int64_t count = 0, j = 0;
    const auto take = [&](int64_t col) {
      if (count < room) found[count] = int32_t(col);
      ++count;
    };
    // Four vectors at a time: as a rule hardly any column is below.
    for (; j + 4 * lanes <= cols; j += 4 * lanes) {
      V slack[4];
      for (int k = 0; k < 4; ++k) slack[k] = slacks(j + k * lanes);
      const V least = lesser(lesser(slack[0], slack[1]), lesser(slack[2], slack[3]));
      if (!any(least < bounds)) continue;
      for (int k = 0; k < 4; ++k)
        for (uint32_t set = lanes_of(slack[k] < bounds); set != 0; set &= set - 1)
          take(j + k * lanes + __builtin_ctz(set));
    }
    for (; j + lanes <= cols; j += lanes)
      for (uint32_t set = lanes_of(slacks(j) < bounds); set != 0; set &= set - 1)
        take(j + __builtin_ctz(set));
    for (; j < cols; ++j)
      if (T(cost[j]) - (kDuals ? dual[j] : T(0)) < bound) take(j);
    return count;
  }

  static constexpr DenseScans<S, T> table = {two_smallest, smallest, column_with, relax, below};
};

template <class S>
struct ScanCosts {
  static constexpr int lanes = KONIG_VECTOR_BYTES / int(sizeof(S));
  static constexpr bool kReal = !std::numeric_limits<S>::is_integer;
  static constexpr S kInfinity = std::numeric_limits<S>::infinity();
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

  // Of a multiple of the lanes. What is not finite counts as 0 for the least and the most.
  static Extent<S> extent_of_finite(const S* cost, int64_t count) {
    V least = V{}, most = V{}, lowest = V{}, highest = V{};
    I nan = I{};
    for (int64_t k = 0; k < count; k += lanes) {
      const V here = load<V>(cost + k);
      const V finite = here - here == S(0) ? here : V{};
      least = finite < least ? finite : least;
      most = finite > most ? finite : most;
      lowest = here < lowest ? here : lowest;
      highest = here > highest ? here : highest;
      nan |= here != here;
    }
    Extent<S> seen;
    for (int j = 0; j < lanes; ++j) {
      take(seen, least[j]);
      take(seen, most[j]);
      seen.nan |= nan[j] != 0;
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
  static T smallest(const S* cost, const T* dual, int64_t cols) {
    return two_smallest(cost, dual, cols).first;
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
  static constexpr DenseScans<S, T> table = {two_smallest, smallest, column_with, relax, below};
};

}  // namespace konig::KONIG_ISA
