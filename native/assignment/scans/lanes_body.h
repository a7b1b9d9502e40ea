// Costs and slacks, a vector at a time, in the type of sums; for one instruction set (scans_body.h).
#pragma once

#include "assignment/scans/vectors_body.h"

namespace konig::KONIG_ISA {

template <class S, class T, bool kNegated>
struct SlackLanes {
  static constexpr int lanes = KONIG_VECTOR_BYTES / int(sizeof(T));
  using Mask = IntegerOf<T>;
  using V = typename Vector<T, lanes>::type;
  using I = typename Vector<Mask, lanes>::type;
  using Stored = typename Vector<S, lanes>::type;
  using Rows = typename Vector<int32_t, lanes>::type;

  static V costs(const S* from) { return converted(load<Stored>(from)); }
  static V converted(Stored stored) {
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
    // Compilers convert vectors of this width in two halves.
    if constexpr (std::is_same_v<S, float> && std::is_same_v<T, double>)
      return with_sign<kNegated>(V(_mm512_cvtps_pd((__m256)stored)));
    if constexpr (std::is_same_v<S, int32_t> && std::is_same_v<T, int64_t>)
      return with_sign<kNegated>(V(_mm512_cvtepi32_epi64((__m256i)stored)));
#endif
    if constexpr (std::is_same_v<S, T>)
      return with_sign<kNegated>(stored);
    else
      return with_sign<kNegated>(V(__builtin_convertvector(stored, V)));
  }
  static V slacks(const S* cost, const T* dual) { return difference(costs(cost), load<V>(dual)); }
  static T slack(S stored, T dual) { return (kNegated ? -T(stored) : T(stored)) - dual; }
  static V infinite() { return in_all_lanes<V>(Bounds<T>::infinity); }
  // The last vector of a row overlaps the one before: lanes that have been scanned become infinite.
  static V only_last(V v, int64_t lanes_left) {
    return lane_numbers<I>() < Mask(lanes - lanes_left) ? infinite() : v;
  }
};

}  // namespace konig::KONIG_ISA
