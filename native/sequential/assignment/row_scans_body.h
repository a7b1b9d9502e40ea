// Scans of one row for its smallest slacks, for one instruction set; see dense_scans_body.h.

namespace konig::KONIG_ISA {

template <class S, class T, bool kNegated>
struct RowScans : Lanes<S, T, kNegated> {
  using L = Lanes<S, T, kNegated>;
  using L::all;
  using L::any;
  using L::converted;
  using L::cost_of;
  using L::costs;
  using L::fold;
  using L::greater;
  using L::infinite;
  using L::lane;
  using L::lanes;
  using L::lanes_equal;
  using L::lanes_of;
  using L::last_costs;
  using L::least_of;
  using L::lesser;
  using L::only_last;
  using L::slacks;
  using typename L::I;
  using typename L::Mask;
  using typename L::Rows;
  using typename L::Stored;
  using typename L::V;

  static BestColumn<T> best_column(const S* cost, const T* dual, int64_t cols) {
    return best_column_seen<false, true>(cost, dual, cols, nullptr);
  }

  static BestColumn<T> best_column_surveyed(const S* cost, const T* dual, int64_t cols, S* largest) {
    return dual ? best_column_seen<true, true>(cost, dual, cols, largest)
                : best_column_seen<true, false>(cost, dual, cols, largest);
  }

  template <bool kSurvey, bool kDuals>
  static BestColumn<T> best_column_seen(const S* cost, const T* dual, int64_t cols, S* largest) {
    if (cols <= kScanBlock) return best_column_of_few<kSurvey, false>(cost, dual, cols, largest);
    return best_column_of_many<kSurvey, kDuals>(cost, dual, cols, largest);
  }

  static BestColumn<T> lower_best(const S* cost, T* dual, int64_t cols, S* largest) {
    return largest ? best_column_of_few<true, true>(cost, dual, cols, largest)
                   : best_column_of_few<false, true>(cost, dual, cols, nullptr);
  }

  // Integers may be beyond their type where the costs are yet to be looked at; the dual then means nothing.
  static T lowered_by(T dual, T least, T next) {
    if constexpr (std::numeric_limits<T>::is_integer) {
      using Unsigned = std::make_unsigned_t<T>;
      return T(Unsigned(dual) - (Unsigned(next) - Unsigned(least)));
    } else {
      return dual - (next - least);
    }
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
      rest = L::difference(converted(stored), load<V>(dual + whole));
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
        const T then = dual[best.col], lowered = lowered_by(then, least, next);
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

  // The smallest of each lane go with their columns: to look for the column afterwards would be a second
  // read, and a jump that nobody can foresee. With kSurvey `largest` is raised to the largest |cost|,
  // infinite or NaN where one is not finite.
  template <bool kSurvey, bool kDuals>
  static BestColumn<T> best_column_of_many(const S* cost, const T* dual, int64_t cols, S* largest) {
    V first[2] = {infinite(), infinite()}, second[2] = {infinite(), infinite()};
    I at[2] = {I{}, I{}}, here = lane();  // `at` counts from the second half of a step where that is due
    Magnitude<S, lanes> seen;
    const auto see = [&](int half, V slack, I column) {
      const I lower = slack < first[half];
      second[half] = lesser(second[half], greater(first[half], slack));
      first[half] = lesser(first[half], slack);
      at[half] = lower ? column : at[half];
    };
    int64_t j = 0;
    for (; j + 2 * lanes <= cols; j += 2 * lanes, here += Mask(2 * lanes)) {
      see(0, slacks_if<kDuals>(cost + j, dual + j), here);
      see(1, slacks_if<kDuals>(cost + j + lanes, dual + j + lanes), here);
      if constexpr (kSurvey) {
        seen.add(cost + j);
        seen.add(cost + j + lanes);
      }
    }
    if (j + lanes <= cols) {
      see(0, slacks_if<kDuals>(cost + j, dual + j), here);
      if constexpr (kSurvey) seen.add(cost + j);
      j += lanes;
    }
    if (j < cols) {
      const int64_t last = cols - lanes;
      const V slack = slacks_if<kDuals>(cost + last, dual + last);
      see(1, only_last(slack, cols - j), lane() + Mask(last - lanes));
      if constexpr (kSurvey) seen.add(cost + last);
    }
    at[1] += Mask(lanes);
    const I other = (first[1] < first[0]) | ((first[1] == first[0]) & (at[1] < at[0]));
    const I column = other ? at[1] : at[0];
    V next = lesser(greater(first[0], first[1]), lesser(second[0], second[1]));
    V least = lesser(first[0], first[1]);
    const V of_lanes = least;
    fold(least, next);
    if constexpr (kSurvey) *largest = seen.raised(*largest);
    BestColumn<T> best{least[0], next[0], -1};
    if (best.first < Bounds<T>::infinity) best.col = first_of(column, lanes_equal(of_lanes, least));
    return best;
  }

  // The least column of the lanes whose bits are set.
  static int32_t first_of(I column, uint32_t set) {
    Mask columns[lanes];
    store(columns, column);
    Mask found = columns[__builtin_ctz(set)];
    for (uint32_t rest = set & (set - 1); rest != 0; rest &= rest - 1) {
      const Mask here = columns[__builtin_ctz(rest)];
      found = here < found ? here : found;
    }
    return int32_t(found);
  }

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

  // Without duals (null) the costs themselves are the slacks.
  template <bool kDuals>
  static V slacks_if(const S* cost, const T* dual) {
    if constexpr (kDuals)
      return slacks(cost, dual);
    else
      return costs(cost);
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
