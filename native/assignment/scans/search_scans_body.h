// What searches do with rows, for one instruction set; see dense_scans_body.h.

namespace konig::KONIG_ISA {

template <class S, class T, bool kNegated>
struct SearchScans : Lanes<S, T, kNegated> {
  using L = Lanes<S, T, kNegated>;
  using L::all;
  using L::any;
  using L::cost_of;
  using L::infinite;
  using L::lanes;
  using L::lanes_equal;
  using L::least_of;
  using L::lesser;
  using L::only_last;
  using L::slacks;
  using typename L::I;
  using typename L::Mask;
  using typename L::Rows;
  using typename L::V;

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
};

}  // namespace konig::KONIG_ISA
