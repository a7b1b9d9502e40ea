// Scans of costs alone, without duals, for one instruction set; see scans_body.h.

namespace konig::KONIG_ISA {

template <class S>
struct ScanCosts {
  static constexpr int lanes = KONIG_VECTOR_BYTES / int(sizeof(S));
  static constexpr bool kReal = !std::numeric_limits<S>::is_integer;
  static constexpr S kInfinity = std::numeric_limits<S>::infinity();
  static constexpr int kStripe = KONIG_VECTOR_BYTES == 64 ? 8 : 4;
  using V = typename Vector<S, lanes>::type;
  using I = typename Vector<typename IntegerOf<sizeof(S)>::type, lanes>::type;

  static Extent<S> extent(const S* cost, int64_t count, bool likely_finite) {
    if (kReal && !likely_finite) return careful_extent(cost, count);
    Magnitude<S, lanes> seen[2];
    int64_t k = 0;
    for (; k + 2 * lanes <= count; k += 2 * lanes) {
      seen[0].add(cost + k);
      seen[1].add(cost + k + lanes);
    }
    Extent<S> found;
    if constexpr (kReal) {
      for (; k < count; ++k) seen[0].add_one(cost[k]);
      found.most = seen[0].raised(seen[1].raised(S(0)));
      if (!(found.most - found.most == S(0))) return careful_extent(cost, count);
    } else {
      for (int j = 0; j < lanes; ++j) {
        for (int half = 0; half < 2; ++half) {
          take(found, seen[half].least[j]);
          take(found, seen[half].most[j]);
        }
      }
      for (; k < count; ++k) take(found, cost[k]);
    }
    return found;
  }

  // What is not finite counts as 0, and the most is the largest |cost|.
  static Extent<S> careful_extent(const S* cost, int64_t count) {
    const int64_t whole = count - count % lanes;
    Extent<S> found = extent_of_lanes(cost, whole);
    for (int64_t k = whole; k < count; ++k) take(found, cost[k]);
    return found;
  }

  template <bool kNegated>
  static S column_least(const S* cost, int64_t first, int64_t last, int64_t cols, S* least,
                        int32_t* row_of_least) {
    Magnitude<S, lanes> seen;
    const auto stripe = [&]<int count>(int64_t j) {
      least_of_stripe<kNegated, count>(cost + j, first, last, cols, least + j, row_of_least + j, seen);
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
      S smallest = first == 0 ? with_sign<kNegated>(cost[j]) : least[j];
      int32_t at = first == 0 ? 0 : row_of_least[j];
      for (int64_t i = first; i < last; ++i) {
        seen.add_one(cost[i * cols + j]);
        const S here = with_sign<kNegated>(cost[i * cols + j]);
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
  template <bool kNegated, int count>
  static void least_of_stripe(const S* cost, int64_t first, int64_t last, int64_t cols, S* least,
                              int32_t* row_of_least, Magnitude<S, lanes>& kept) {
    using Rows = typename Vector<int32_t, lanes>::type;
    Magnitude<S, lanes> seen = kept;
    V smallest[count];
    I at[count];
    for (int k = 0; k < count; ++k) {
      smallest[k] = first == 0 ? with_sign<kNegated>(load<V>(cost + k * lanes)) : load<V>(least + k * lanes);
      at[k] = first == 0 ? I{} : I(__builtin_convertvector(load<Rows>(row_of_least + k * lanes), I));
    }
    I here = I{} + typename IntegerOf<sizeof(S)>::type(first);
    for (int64_t i = first; i < last; ++i, here += 1) {
      const S* const row = cost + i * cols;
      for (int k = 0; k < count; ++k) {
        const V now = with_sign<kNegated>(load<V>(row + k * lanes));
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

  // The same of a multiple of the lanes.
  static Extent<S> extent_of_lanes(const S* cost, int64_t count) {
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

template <class S, bool kNegated>
struct ChoosePairs {
  static constexpr int lanes = KONIG_VECTOR_BYTES / int(sizeof(S));
  using V = typename Vector<S, lanes>::type;
  using I = typename Vector<typename IntegerOf<sizeof(S)>::type, lanes>::type;
  using Scanner = Lanes<S, S, false>;  // for its masks alone

  static V costs(const S* from) { return with_sign<kNegated>(load<V>(from)); }

  static int64_t cheaper(const S* cost, S common, int64_t cols, int32_t* found) {
    const V bound = common - V{};
    int64_t count = 0, j = 0;
    const auto cheap = [&](int64_t from) { return I(~(costs(cost + from) >= bound)); };
    for (; j + 4 * lanes <= cols; j += 4 * lanes) {
      I here[4];
      for (int k = 0; k < 4; ++k) here[k] = cheap(j + k * lanes);
      if (!Scanner::any(here[0] | here[1] | here[2] | here[3])) continue;
      for (int k = 0; k < 4; ++k)
        count += take_columns<lanes>(Scanner::lanes_of(here[k]), j + k * lanes, found + count);
    }
    for (; j + lanes <= cols; j += lanes)
      count += take_columns<lanes>(Scanner::lanes_of(cheap(j)), j, found + count);
    for (; j < cols; ++j)
      if (!(with_sign<kNegated>(cost[j]) >= common)) found[count++] = int32_t(j);
    return count;
  }

  static void stripe_least(const S* cost, int64_t cols, S* least) {
    constexpr int kVectors = kStripes / lanes;
    V smallest[kVectors];
    for (int k = 0; k < kVectors; ++k) smallest[k] = costs(cost + k * lanes);
    const auto lower = [&](int64_t j) {
      for (int k = 0; k < kVectors; ++k) {
        const V here = costs(cost + j + k * lanes);
        smallest[k] = here < smallest[k] ? here : smallest[k];
      }
    };
    int64_t j = kStripes;
    for (; j + kStripes <= cols; j += kStripes) lower(j);
    if (j < cols) lower(cols - kStripes);  // some columns twice
    for (int k = 0; k < kVectors; ++k) store(least + k * lanes, smallest[k]);
  }

  static constexpr PairScans<S> table = {cheaper, stripe_least};
};

}  // namespace konig::KONIG_ISA
