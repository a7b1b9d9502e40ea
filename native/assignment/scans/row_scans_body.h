// Scans of one row: its best column, its columns within a bound, and what searches do with it; for one
// instruction set; see scans_body.h.

namespace konig::KONIG_ISA {

template <class S, class T, bool kNegated>
struct Scan : Lanes<S, T, kNegated> {
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
  using typename L::V;

  static BestColumn<T> best_column(const S* cost, const T* dual, int64_t cols) {
    return cols <= kScanBlock ? best_column_of_few<false>(cost, dual, cols)
                              : best_column_of_many(cost, dual, cols);
  }

  static BestColumn<T> lower_best(const S* cost, T* dual, int64_t cols) {
    return best_column_of_few<true>(cost, dual, cols);
  }

  // Without jumps that depend on the costs.
  template <bool kLower, class Duals>
  static BestColumn<T> best_column_of_few(const S* cost, Duals* dual, int64_t cols) {
    V first = infinite(), second = first;
    const auto see = [&](V slack) {
      second = lesser(second, greater(first, slack));
      first = lesser(first, slack);
    };
    const int64_t whole = cols - cols % lanes;
    for (int64_t j = 0; j < whole; j += lanes) see(slacks(cost + j, dual + j));
    V rest = infinite();
    if (whole < cols) {
      rest = L::difference(converted(last_costs(cost + whole, cols - whole)), load<V>(dual + whole));
      see(rest);
    }
    fold(first, second);
    const T least = first[0];
    uint64_t set = uint64_t(lanes_equal(rest, first)) << (whole & (kScanBlock - 1));
    for (int64_t j = 0; j < whole; j += lanes)
      set |= uint64_t(lanes_equal(slacks(cost + j, dual + j), first)) << j;
    keep_in_register(set);
    const T next = second[0];
    BestColumn<T> best = found(least, next, set);
    if constexpr (kLower) {
      if (best.second < Bounds<T>::infinity) {
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

  // The smallest of each lane go with their columns: to look for the column afterwards would be a second
  // read, and a jump that nobody can foresee.
  static BestColumn<T> best_column_of_many(const S* cost, const T* dual, int64_t cols) {
    V first[2] = {infinite(), infinite()}, second[2] = {infinite(), infinite()};
    I at[2] = {lane(), lane()},
      here = lane();  // `at` counts from the second half of a step where that is due
    const auto see = [&](int half, V slack, I column) {
      const I lower = slack < first[half];
      second[half] = lesser(second[half], greater(first[half], slack));
      first[half] = lesser(first[half], slack);
      at[half] = lower ? column : at[half];
    };
    int64_t j = 0;
    for (; j + 2 * lanes <= cols; j += 2 * lanes, here += Mask(2 * lanes)) {
      see(0, slacks(cost + j, dual + j), here);
      see(1, slacks(cost + j + lanes, dual + j + lanes), here);
    }
    if (j + lanes <= cols) {
      see(0, slacks(cost + j, dual + j), here);
      j += lanes;
    }
    if (j < cols) {
      const int64_t last = cols - lanes;
      const V slack = slacks(cost + last, dual + last);
      see(1, only_last(slack, cols - j), lane() + Mask(last - lanes));
    }
    at[1] += Mask(lanes);
    const I other = (first[1] < first[0]) | ((first[1] == first[0]) & (at[1] < at[0]));
    const I column = other ? at[1] : at[0];
    V next = lesser(greater(first[0], first[1]), lesser(second[0], second[1]));
    V least = lesser(first[0], first[1]);
    const V of_lanes = least;
    fold(least, next);
    const uint32_t set = lanes_equal(of_lanes, least);
    BestColumn<T> best = found(least[0], next[0], set);
    if (best.col >= 0) {
      Mask columns[lanes];
      store(columns, column);
      best.col = first_of(columns, set);
    }
    return best;
  }

  // What a scan has found, the least bit of the set as the column; there is none where the least is infinite.
  static BestColumn<T> found(T least, T next, uint64_t set) {
    const bool some = least < Bounds<T>::infinity;
    return {least, some ? next : Bounds<T>::infinity, some ? int32_t(__builtin_ctzll(set)) : -1};
  }

  // The least of the columns whose bits are set.
  template <class Column>
  static int32_t first_of(const Column* columns, uint32_t set) {
    Column found = columns[__builtin_ctz(set)];
    for (uint32_t rest = set & (set - 1); rest != 0; rest &= rest - 1) {
      const Column here = columns[__builtin_ctz(rest)];
      found = here < found ? here : found;
    }
    return int32_t(found);
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

  static uint64_t with_key(const T* key, T value, int64_t count) {
    const V wanted = all(value);
    uint64_t set = 0;
    int64_t j = 0;
    for (; j + lanes <= count; j += lanes) set |= uint64_t(lanes_equal(load<V>(key + j), wanted)) << j;
    for (; j < count; ++j) set |= uint64_t(key[j] == value) << j;
    return set;
  }

  static void relax(const S* cost, const T* dual, T base, int32_t row, int64_t cols, T* key, int32_t* before,
                    T* block_least) {
    const V bases = all(base);
    const Rows rows = Rows{} + row;
    const auto lowered = [&](int64_t at) {
      const V slack = slacks(cost + at, dual + at) - bases;
      V now = load<V>(key + at);
      const I lower = slack < now;
      if (any(lower)) {
        now = lower ? slack : now;
        store(key + at, now);
        const Rows changed = __builtin_convertvector(lower, Rows);
        store(before + at, Rows((rows & changed) | (load<Rows>(before + at) & ~changed)));
      }
      return now;
    };
    int64_t j = 0;
    for (int64_t block = 0; j < cols; ++block) {
      const int64_t end = j + kScanBlock < cols ? j + kScanBlock : cols;
      V least = infinite();
      for (; j + lanes <= end; j += lanes) least = lesser(lowered(j), least);
      if (j < end && cols >= lanes) {  // some columns twice, which changes nothing
        least = lesser(only_last(lowered(end - lanes), end - j), least);
        j = end;
      }
      T smallest = least_of(least);
      for (; j < end; ++j) {
        const T slack = cost_of(cost[j]) - dual[j] - base;
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
        smallest = L::lesser(smallest, slack);
      } else {
        lower_keys(slack, uint32_t(scanned >> j), rows, key + j, before + j, smallest);
      }
    };
    // Returns the least key of those that are not scanned.
    const auto relax_row = [&]<bool kFirst>(int32_t i, T base) {
      const S* const from = cost + int64_t(i) * cols;
      const V bases = all(base);
      const Rows rows = Rows{} + i;
      smallest = L::infinite();
      for (int64_t j = 0; j < whole; j += lanes)
        lower.template operator()<kFirst>(j, L::costs(from + j), bases, rows);
      if (whole < cols)
        lower.template operator()<kFirst>(whole, L::converted(L::last_costs(from + whole, cols - whole)),
                                          bases, rows);
      const V least = L::least_lanes(smallest);
      set = 0;
      for (int64_t j = 0; j < cols; j += lanes) set |= uint64_t(L::lanes_equal(load<V>(key + j), least)) << j;
      uint64_t open = ~scanned;
      keep_in_register(set);
      keep_in_register(open);
      set &= open;
      return least[0];
    };
    T length = relax_row.template operator()<true>(root, T(0));
    while (length < Bounds<T>::infinity) {
      if ((set & free) != 0) return {length, scanned, int32_t(__builtin_ctzll(set & free))};
      const int j = __builtin_ctzll(set);
      const int32_t i = row_of_col[j];
      scanned |= uint64_t(1) << j;
      length =
          relax_row.template operator()<false>(i, cost_of(cost[int64_t(i) * cols + j]) - dual[j] - length);
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

  static constexpr DenseScans<S, T> table = {best_column, lower_best,   smallest, column_with,
                                             relax,       search_block, with_key, below};
};

// 128-bit sums: one at a time, and the largest integer stands for a forbidden pair.
template <class S>
struct Scan<S, int128, false> {
  using T = int128;
  static T slack_of(S cost, T dual) {
    return cost == std::numeric_limits<S>::max() ? Bounds<T>::infinity : T(cost) - dual;
  }
  static BestColumn<T> best_column(const S* cost, const T* dual, int64_t cols) {
    BestColumn<T> best{Bounds<T>::infinity, Bounds<T>::infinity, -1};
    for (int64_t j = 0; j < cols; ++j) {
      const T slack = slack_of(cost[j], dual[j]);
      if (slack < best.first) {
        best = {slack, best.first, int32_t(j)};
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
    return best_column(cost, dual, cols).first;
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
  static constexpr DenseScans<S, T> table = {best_column, nullptr, smallest, column_with,
                                             relax,       nullptr, with_key, below};
};

template <class S, class T>
const DenseScans<S, T>& table_of(bool negated) {
  if constexpr (!std::is_same_v<T, int128>)
    if (negated) return Scan<S, T, true>::table;
  return Scan<S, T, false>::table;
}

}  // namespace konig::KONIG_ISA
