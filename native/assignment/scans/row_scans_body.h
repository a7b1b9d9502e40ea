// Other scans of one row, for one instruction set; see dense_scans_body.h.

namespace konig::KONIG_ISA {

template <class S, class T, bool kNegated>
struct RowScans : Lanes<S, T, kNegated> {
  using L = Lanes<S, T, kNegated>;
  using L::all;
  using L::any;
  using L::cost_of;
  using L::costs;
  using L::fold;
  using L::greater;
  using L::infinite;
  using L::lanes;
  using L::lanes_of;
  using L::least_of;
  using L::lesser;
  using L::only_last;
  using L::slacks;
  using typename L::I;
  using typename L::V;

  static TwoSmallest<T> two_smallest(const S* cost, const T* dual, int64_t cols) {
    V first = infinite(), second = first;
    V other_first = first, other_second = first;
    int64_t j = 0;
    for (; j + 2 * lanes <= cols; j += 2 * lanes) {
      const V slack = slacks(cost + j, dual + j);
      const V other = slacks(cost + j + lanes, dual + j + lanes);
      second = lesser(second, greater(first, slack));
      first = lesser(first, slack);
      other_second = lesser(other_second, greater(other_first, other));
      other_first = lesser(other_first, other);
    }
    for (; j + lanes <= cols; j += lanes) {
      const V slack = slacks(cost + j, dual + j);
      second = lesser(second, greater(first, slack));
      first = lesser(first, slack);
    }
    if (j < cols && cols >= lanes) {
      const int64_t last = cols - lanes;
      const V slack = slacks(cost + last, dual + last), rest = only_last(slack, cols - j);
      other_second = lesser(other_second, greater(other_first, rest));
      other_first = lesser(other_first, rest);
      j = cols;
    }
    second = lesser(greater(first, other_first), lesser(second, other_second));
    first = lesser(first, other_first);
    fold(first, second);
    T least = first[0], next = second[0];
    for (; j < cols; ++j) {
      const T slack = cost_of(cost[j]) - dual[j];
      const T larger = slack < least ? least : slack;
      next = larger < next ? larger : next;
      least = slack < least ? slack : least;
    }
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
      const T slack = cost_of(cost[j]) - dual[j];
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
      if (cost_of(cost[j]) - dual[j] == slack && j != except) return j;
    return -1;
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
      if (cost_of(cost[j]) - (kDuals ? dual[j] : T(0)) < bound) take(1, j);
    return count;
  }
};

}  // namespace konig::KONIG_ISA
