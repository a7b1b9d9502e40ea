// Scans that choose pairs by their costs alone, for one instruction set; see dense_scans_body.h.

namespace konig::KONIG_ISA {

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
