// The scans for one instruction set. Included by scans_*.cpp, which define the set and the width of a vector.
// Nothing of std:: is instantiated here: the linker might keep that instance, compiled for a newer machine,
// for the whole library.
#include "assignment/scans/vectors_body.h"

namespace konig::KONIG_ISA {

template <class S, class T, bool kNegated>
struct Scan {
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

  // ---- the best columns of a row

  static BestColumn<T> best_column(const S* cost, const T* dual, int64_t cols) {
    return cols <= kScanBlock ? best_column_of_few(cost, dual, cols) : best_column_of_many(cost, dual, cols);
  }

  // Four rows at a time: each row by itself would wait for its own comparisons. At 46 columns of float64 that
  // takes 10 ns a row instead of 20.
  static void best_columns(const S* cost, const int32_t* row, int64_t count, const T* dual, int64_t cols,
                           BestColumn<T>* best) {
    if (cols < lanes || count == 1) {
      for (int64_t k = 0; k < count; ++k) best[k] = best_column(cost + row[k] * cols, dual, cols);
      return;
    }
    const I lane = lane_numbers<I>();
    const S* from[kRowsTogether];
    V first[kRowsTogether], second[kRowsTogether];
    I at[kRowsTogether], here = lane;
    for (int k = 0; k < kRowsTogether; ++k) {
      from[k] = cost + row[k < count ? k : 0] * cols;
      first[k] = second[k] = infinite();
      at[k] = lane;
    }
    const auto see = [&](int k, V slack, I column) {
      const I lower = slack < first[k];
      second[k] = lesser(second[k], greater(first[k], slack));
      first[k] = lesser(first[k], slack);
      at[k] = lower ? column : at[k];
    };
    int64_t j = 0;
    for (; j + lanes <= cols; j += lanes, here += Mask(lanes)) {
      const V duals = load<V>(dual + j);
      for (int k = 0; k < kRowsTogether; ++k) see(k, difference(costs(from[k] + j), duals), here);
    }
    if (j < cols) {
      const int64_t last = cols - lanes;
      const V duals = load<V>(dual + last);
      here = lane + Mask(last);
      for (int k = 0; k < kRowsTogether; ++k)
        see(k, only_last(difference(costs(from[k] + last), duals), cols - j), here);
    }
    uint32_t set[kRowsTogether];
    for (int k = 0; k < kRowsTogether; ++k) {
      const V of_lanes = first[k];
      fold(first[k], second[k]);
      set[k] = bits_where_equal(of_lanes, first[k]);
    }
    for (int64_t k = 0; k < count; ++k) {
      best[k] = found(first[k][0], second[k][0], set[k]);
      if (best[k].col < 0) continue;
      Mask columns[lanes];
      store(columns, at[k]);
      best[k].col = first_of(columns, set[k]);
    }
  }

  // Without branches that depend on the costs; columns are bits of a word.
  static BestColumn<T> best_column_of_few(const S* cost, const T* dual, int64_t cols) {
    V first = infinite(), second = first;
    const auto see = [&](V slack) {
      second = lesser(second, greater(first, slack));
      first = lesser(first, slack);
    };
    const int64_t whole = cols - cols % lanes;
    for (int64_t j = 0; j < whole; j += lanes) see(slacks(cost + j, dual + j));
    V rest = infinite();
    if (whole < cols) {
      rest = difference(converted(load_first<Stored>(cost + whole, cols - whole)), load<V>(dual + whole));
      see(rest);
    }
    fold(first, second);
    uint64_t set = uint64_t(bits_where_equal(rest, first)) << (whole & (kScanBlock - 1));
    for (int64_t j = 0; j < whole; j += lanes)
      set |= uint64_t(bits_where_equal(slacks(cost + j, dual + j), first)) << j;
    keep_in_register(set);
    return found(first[0], second[0], set);
  }

  // Each lane keeps the column of its smallest: finding the column afterwards would be a second read, and a
  // branch that cannot be predicted.
  static BestColumn<T> best_column_of_many(const S* cost, const T* dual, int64_t cols) {
    const I lane = lane_numbers<I>();
    V first[2] = {infinite(), infinite()}, second[2] = {infinite(), infinite()};
    I at[2] = {lane, lane}, here = lane;  // at[1] is `lanes` too low until the end
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
      see(1, only_last(slacks(cost + last, dual + last), cols - j), lane + Mask(last - lanes));
    }
    at[1] += Mask(lanes);
    const I other = (first[1] < first[0]) | ((first[1] == first[0]) & (at[1] < at[0]));
    const I column = other ? at[1] : at[0];
    V next = lesser(greater(first[0], first[1]), lesser(second[0], second[1]));
    V least = lesser(first[0], first[1]);
    const V of_lanes = least;
    fold(least, next);
    const uint32_t set = bits_where_equal(of_lanes, least);
    BestColumn<T> best = found(least[0], next[0], set);
    if (best.col >= 0) {
      Mask columns[lanes];
      store(columns, column);
      best.col = first_of(columns, set);
    }
    return best;
  }

  // The result of a scan; the column is the lowest bit of the set, -1 where the least is infinite.
  static BestColumn<T> found(T least, T next, uint64_t set) {
    const bool some = least < Bounds<T>::infinity;
    return {least, some ? next : Bounds<T>::infinity, some ? int32_t(__builtin_ctzll(set)) : -1};
  }

  // The least of the columns whose bits are set.
  static int32_t first_of(const Mask* columns, uint32_t set) {
    Mask found = columns[__builtin_ctz(set)];
    for (uint32_t rest = set & (set - 1); rest != 0; rest &= rest - 1) {
      const Mask here = columns[__builtin_ctz(rest)];
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
    T value = least_of_lanes(lesser(least, other))[0];
    for (; j < cols; ++j) {
      const T here = slack(cost[j], dual[j]);
      value = here < value ? here : value;
    }
    return value;
  }

  // Four rows at a time: each row by itself would wait for its own comparisons.
  static void smallest_of_rows(const S* cost, const T* dual, int64_t rows, int64_t cols, T* found) {
    int64_t i = 0;
    for (; cols >= lanes && i + kRowsTogether <= rows; i += kRowsTogether, cost += kRowsTogether * cols) {
      V least[kRowsTogether];
      for (int k = 0; k < kRowsTogether; ++k) least[k] = infinite();
      const auto see = [&](int64_t j) {
        const V duals = load<V>(dual + j);
        for (int k = 0; k < kRowsTogether; ++k)
          least[k] = lesser(least[k], difference(costs(cost + k * cols + j), duals));
      };
      int64_t j = 0;
      for (; j + lanes <= cols; j += lanes) see(j);
      if (j < cols) see(cols - lanes);  // some columns twice
      for (int k = 0; k < kRowsTogether; ++k) found[i + k] = least_of_lanes(least[k])[0];
    }
    for (; i < rows; ++i, cost += cols) found[i] = smallest(cost, dual, cols);
  }

  // ---- the columns of a row with a given property

  static int64_t column_with(const S* cost, const T* dual, T wanted, int64_t cols, int64_t except) {
    const V all_wanted = in_all_lanes<V>(wanted);
    const auto hits = [&](int64_t j) { return I(slacks(cost + j, dual + j) == all_wanted); };
    const auto first_of = [&](I hit, int64_t j) -> int64_t {
      for (uint32_t set = bits_of(hit); set != 0; set &= set - 1)
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
      if (slack(cost[j], dual[j]) == wanted && j != except) return j;
    return -1;
  }

  static int64_t below(const S* cost, const T* dual, T bound, int64_t cols, int32_t* found, int64_t room) {
    return dual ? below<true>(cost, dual, bound, cols, found, room)
                : below<false>(cost, dual, bound, cols, found, room);
  }

  template <bool kDuals>
  static int64_t below(const S* cost, const T* dual, T bound, int64_t cols, int32_t* found, int64_t room) {
    const V bounds = in_all_lanes<V>(bound);
    const auto is_below = [&](int64_t j) {
      if constexpr (kDuals) return I(~(costs(cost + j) - load<V>(dual + j) >= bounds));
      return I(~(costs(cost + j) >= bounds));
    };
    int64_t count = 0, j = 0;
    const auto take = [&](uint32_t set, int64_t first) {
      if (count < room)
        count += take_columns<lanes>(set, first, found + count);
      else
        count += __builtin_popcount(set);
    };
    // Four vectors to a branch: as a rule hardly any column is below.
    for (; j + 4 * lanes <= cols; j += 4 * lanes) {
      I here[4];
      for (int k = 0; k < 4; ++k) here[k] = is_below(j + k * lanes);
      if (!any(here[0] | here[1] | here[2] | here[3])) continue;
      for (int k = 0; k < 4; ++k) take(bits_of(here[k]), j + k * lanes);
    }
    for (; j + lanes <= cols; j += lanes) take(bits_of(is_below(j)), j);
    for (; j < cols; ++j)
      if (!(slack(cost[j], kDuals ? dual[j] : T(0)) >= bound)) take(1, j);
    return count;
  }

  static uint64_t with_key(const T* key, T value, int64_t count) {
    const V wanted = in_all_lanes<V>(value);
    uint64_t set = 0;
    int64_t j = 0;
    for (; j + lanes <= count; j += lanes) set |= uint64_t(bits_where_equal(load<V>(key + j), wanted)) << j;
    for (; j < count; ++j) set |= uint64_t(key[j] == value) << j;
    return set;
  }

  // ---- searches

  static void relax(const S* cost, const T* dual, T base, int32_t row, int64_t cols, T* key, int32_t* before,
                    T* block_least) {
    const V bases = in_all_lanes<V>(base);
    const Rows rows = Rows{} + row;
    const auto lowered = [&](int64_t at) {
      return lower_all(slacks(cost + at, dual + at) - bases, rows, key + at, before + at);
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
      T smallest = least_of_lanes(least)[0];
      for (; j < end; ++j) {
        const T length = slack(cost[j], dual[j]) - base;
        if (length < key[j]) {
          key[j] = length;
          before[j] = row;
        }
        smallest = key[j] < smallest ? key[j] : smallest;
      }
      block_least[block] = smallest;
    }
  }

  static NarrowSearch<T> search(const S* cost, const T* dual, const int32_t* row_of_col, const uint64_t* free,
                                int32_t root, int64_t cols, ScannedColumn<T>* scanned, int32_t* before) {
    if (cols <= kScanBlock) return search_words<1>(cost, dual, row_of_col, free, root, cols, scanned, before);
    return search_words<kSearchWords>(cost, dual, row_of_col, free, root, cols, scanned, before);
  }

  // Columns that are not scanned are bits of words: a vector load that follows a scalar store into the vector
  // stalls.
  template <int words>
  static NarrowSearch<T> search_words(const S* cost, const T* dual, const int32_t* row_of_col,
                                      const uint64_t* free, int32_t root, int64_t cols,
                                      ScannedColumn<T>* scanned, int32_t* before) {
    const int64_t whole = cols - cols % lanes;
    uint64_t open[words], set[words];
    for (int word = 0; word < words; ++word) open[word] = ~uint64_t(0);
    V key[words * kScanBlock / lanes];
    const auto word_of = [](int64_t j) { return words == 1 ? 0 : j / kScanBlock; };
    // Returns the least key of the columns that are not scanned; those that have it become bits of `set`.
    const auto relax_row = [&]<bool kFirst>(int32_t i, T base) {
      const S* const from = cost + int64_t(i) * cols;
      const V bases = in_all_lanes<V>(base);
      const Rows rows = Rows{} + i;
      V smallest = infinite();
      const auto lower = [&](int64_t j, V here) {
        const V length = here - load<V>(dual + j) - bases;
        if constexpr (kFirst) {
          key[j / lanes] = length;
          store(before + j, rows);
          smallest = lesser(smallest, length);
        } else {
          const auto bits = uint32_t(open[word_of(j)] >> (j & (kScanBlock - 1)));
          lower_keys(length, bits, rows, key[j / lanes], before + j, smallest);
        }
      };
      for (int64_t j = 0; j < whole; j += lanes) lower(j, costs(from + j));
      if (whole < cols) lower(whole, converted(load_first<Stored>(from + whole, cols - whole)));
      const V least = least_of_lanes(smallest);
      for (int word = 0; word < words; ++word) {
        const int64_t begin = word * kScanBlock;
        const int64_t end = words == 1 || cols < begin + kScanBlock ? cols : begin + kScanBlock;
        uint64_t equal = 0, may = open[word];
        for (int64_t j = begin; j < end; j += lanes)
          equal |= uint64_t(bits_where_equal(key[j / lanes], least)) << (j - begin);
        keep_in_register(equal);
        keep_in_register(may);
        set[word] = equal & may;
      }
      return least[0];
    };
    NarrowSearch<T> found{T(0), -1, 0};
    T length = relax_row.template operator()<true>(root, T(0));
    while (length < Bounds<T>::infinity) {
      int32_t j = -1;
      for (int word = words; word-- > 0;)
        if (set[word] != 0) j = int32_t(word * kScanBlock) + __builtin_ctzll(set[word]);
      for (int word = words; word-- > 0;)
        if ((set[word] & free[word]) != 0)
          found.end = int32_t(word * kScanBlock) + __builtin_ctzll(set[word] & free[word]);
      if (found.end >= 0) break;
      const int32_t i = row_of_col[j];
      open[word_of(j)] &= ~(uint64_t(1) << (j & (kScanBlock - 1)));
      scanned[found.scanned++] = {j, length, dual[j]};
      length = relax_row.template operator()<false>(i, slack(cost[int64_t(i) * cols + j], dual[j]) - length);
    }
    found.length = length;
    return found;
  }

  // Relaxes all lanes, without a branch: whether one is lower cannot be predicted. Returns the keys.
  static V lower_all(V length, Rows rows, T* key, int32_t* before) {
    const V then = load<V>(key);
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
    const uint32_t lowers = bits_where_less(length, then);
    const V now = with_bits_of(lowers, length, then);
    store(before, with_bits_of(lowers, rows, load<Rows>(before)));
#else
    const I lowers = length < then;
    const V now = lowers ? length : then;
    const Rows lowered = __builtin_convertvector(lowers, Rows);
    store(before, Rows((rows & lowered) | (load<Rows>(before) & ~lowered)));
#endif
    store(key, now);
    return now;
  }

  // Relaxes the lanes whose bits in `open` are set.
  static void lower_keys(V length, uint32_t open, Rows rows, V& key, int32_t* before, V& smallest) {
#if KONIG_INTRINSICS && KONIG_VECTOR_BYTES == 64
    // As below, in mask registers: 1.1 times as fast for reals at 80 columns, for integers 1.2 to 1.5 times.
    const uint32_t lowers = bits_where_less(length, key) & open;
    key = lesser(length, key);  // of others, too, which are not looked at again
    store(before, with_bits_of(lowers, rows, load<Rows>(before)));
    smallest = lesser_where(open, smallest, key);
#else
    const I opened = lanes_of<I>(open);
    const I lowers = (length < key) & opened;
    key = lowers ? length : key;
    const Rows lowered = __builtin_convertvector(lowers, Rows);
    store(before, Rows((rows & lowered) | (load<Rows>(before) & ~lowered)));
    smallest = lesser(smallest, opened ? key : infinite());
#endif
  }

  // ---- costs alone

  // The sizes of reals are compared as integers: without the sign bit, their bits are in the order of the
  // numbers, followed by infinity and NaN.
  static constexpr IntegerOf<S> kSizeBits =
      std::is_integral_v<S> ? IntegerOf<S>(-1) : std::numeric_limits<IntegerOf<S>>::max();
  static constexpr int kCosts = KONIG_VECTOR_BYTES / int(sizeof(S));
  using Bits = typename Vector<IntegerOf<S>, kCosts>::type;

  // An infinite size counts as 0: it forbids a pair. A NaN stays, above all others.
  template <class Size>
  static Size finite_size(Size bits) {
    if constexpr (std::is_integral_v<S>) return bits;
    constexpr auto kInfinite = __builtin_bit_cast(IntegerOf<S>, std::numeric_limits<S>::infinity());
    const Size size = bits & kSizeBits;
    return size == kInfinite ? Size{} : size;
  }

  // Loops that compilers turn into vectors.
  static Extent<S> extent(const S* cost, int64_t count) {
    using Integer = IntegerOf<S>;
    Extent<S> extent;
    if constexpr (std::is_integral_v<S>) {
      S least = 0, most = 0;
      for (int64_t k = 0; k < count; ++k) {
        least = cost[k] < least ? cost[k] : least;
        most = cost[k] > most ? cost[k] : most;
      }
      extent.least = least;
      extent.most = most;
    } else {
      constexpr auto kInfinite = __builtin_bit_cast(Integer, std::numeric_limits<S>::infinity());
      const auto bits = [&](int64_t k) { return __builtin_bit_cast(Integer, cost[k]); };
      Integer most = 0, finite = 0, plus = 0, minus = 0;
      for (int64_t k = 0; k < count; ++k) {
        const Integer size = bits(k) & kSizeBits;
        most = size > most ? size : most;
      }
      for (int64_t k = 0; most >= kInfinite && k < count; ++k) {
        const Integer size = bits(k) & kSizeBits, here = size < kInfinite ? size : 0;
        finite = here > finite ? here : finite;
        plus |= bits(k) == kInfinite;
        minus |= bits(k) == (kInfinite | ~kSizeBits);
      }
      extent.most = __builtin_bit_cast(S, most < kInfinite ? most : finite);
      extent.nan = most > kInfinite;
      extent.infinity = plus;
      extent.minus_infinity = minus;
    }
    return extent;
  }

  static S column_least(const S* cost, int64_t first, int64_t last, int64_t cols, S* least,
                        int32_t* row_of_least) {
    constexpr int kStripe = KONIG_VECTOR_BYTES == 64 ? 8 : 4;
    Bits most{};
    int64_t j = 0;
    for (int64_t left = (cols + kCosts - 1) / kCosts; cols >= kCosts && left > 0;) {
      const auto count = int(left < kStripe ? left : kStripe);
      least_of_stripe<kStripe>(count, cost + j, first, last, cols, cols - j, least + j, row_of_least + j,
                               most);
      left -= count;
      j += count * kCosts;
    }
    IntegerOf<S> of_all = greatest_of_lanes(most)[0];
    for (; j < cols; ++j) {
      S smallest = first == 0 ? with_sign<kNegated>(cost[j]) : least[j];
      int32_t at = first == 0 ? 0 : row_of_least[j];
      for (int64_t i = first; i < last; ++i) {
        const S here = with_sign<kNegated>(cost[i * cols + j]);
        const auto size = finite_size(__builtin_bit_cast(IntegerOf<S>, here));
        of_all = size > of_all ? size : of_all;
        if (!(here < smallest)) continue;
        smallest = here;
        at = int32_t(i);
      }
      least[j] = smallest;
      row_of_least[j] = at;
    }
    return __builtin_bit_cast(S, of_all);
  }

  // The minima of `wanted` vectors of columns side by side, which stay in registers: a function for each
  // number of them. The last vector ends with the columns that are left; some columns come twice then.
  template <int count>
  static void least_of_stripe(int wanted, const S* cost, int64_t first, int64_t last, int64_t cols,
                              int64_t cols_left, S* least, int32_t* row_of_least, Bits& most_of_all) {
    if constexpr (count > 1)
      if (wanted < count)
        return least_of_stripe<count - 1>(wanted, cost, first, last, cols, cols_left, least, row_of_least,
                                          most_of_all);
    using Costs = typename Vector<S, kCosts>::type;
    using Narrow = typename Vector<int32_t, kCosts>::type;
    const auto costs = [&](const S* from, Costs& to) { to = with_sign<kNegated>(load<Costs>(from)); };
    const int64_t end = cols_left < count * kCosts ? cols_left - kCosts : (count - 1) * kCosts;
    const auto offset = [&](int k) { return k + 1 < count ? k * kCosts : end; };
    Costs smallest[count];
    Bits at[count], here = Bits{} + IntegerOf<S>(first), most = most_of_all;
    for (int k = 0; k < count; ++k) {
      smallest[k] = load<Costs>(least + offset(k));
      at[k] = __builtin_convertvector(load<Narrow>(row_of_least + offset(k)), Bits);
      if (first > 0) continue;
      costs(cost + offset(k), smallest[k]);
      at[k] = Bits{};
    }
    for (int64_t i = first; i < last; ++i, here += 1) {
      for (int k = 0; k < count; ++k) {
        Costs now;
        costs(cost + i * cols + offset(k), now);
        const Bits lower = now < smallest[k];
        most = greater(most, finite_size(Bits(now)));
        smallest[k] = lower ? now : smallest[k];
        at[k] = lower ? here : at[k];
      }
    }
    for (int k = 0; k < count; ++k) {
      store(least + offset(k), smallest[k]);
      store(row_of_least + offset(k), Narrow(__builtin_convertvector(at[k], Narrow)));
    }
    most_of_all = most;
  }

  static void column_least_below(const S* cost, const S* below, int64_t rows, int64_t cols, T* least,
                                 int32_t* row_of_least) {
    constexpr int kStripe = KONIG_VECTOR_BYTES == 64 ? 8 : 4;
    int64_t j = 0;
    for (; cols - j >= kStripe * lanes; j += kStripe * lanes)
      least_below_in_stripe<kStripe>(kStripe, cost + j, below, rows, cols, cols - j, least + j,
                                     row_of_least + j);
    const auto left = int((cols - j + lanes - 1) / lanes);
    if (cols >= lanes && left > 0) {
      least_below_in_stripe<kStripe>(left, cost + j, below, rows, cols, cols - j, least + j,
                                     row_of_least + j);
      j = cols;
    }
    for (; j < cols; ++j) {
      least[j] = slack(cost[j], T(below[0]));
      row_of_least[j] = 0;
      for (int64_t i = 1; i < rows; ++i) {
        const T here = slack(cost[i * cols + j], T(below[i]));
        if (!(here < least[j])) continue;
        least[j] = here;
        row_of_least[j] = int32_t(i);
      }
    }
  }

  // As least_of_stripe below.
  template <int count>
  static void least_below_in_stripe(int wanted, const S* cost, const S* below, int64_t rows, int64_t cols,
                                    int64_t cols_left, T* least, int32_t* row_of_least) {
    if constexpr (count > 1)
      if (wanted < count)
        return least_below_in_stripe<count - 1>(wanted, cost, below, rows, cols, cols_left, least,
                                                row_of_least);
    const int64_t end = cols_left < count * lanes ? cols_left - lanes : (count - 1) * lanes;
    const auto offset = [&](int k) { return k + 1 < count ? k * lanes : end; };
    V smallest[count];
    I at[count], here{};
    for (int k = 0; k < count; ++k) {
      smallest[k] = difference(costs(cost + offset(k)), in_all_lanes<V>(T(below[0])));
      at[k] = I{};
    }
    for (int64_t i = 1; i < rows; ++i) {
      const V bound = in_all_lanes<V>(T(below[i]));
      here += 1;
      for (int k = 0; k < count; ++k) {
        const V now = difference(costs(cost + i * cols + offset(k)), bound);
        const I lower = now < smallest[k];
        smallest[k] = lower ? now : smallest[k];
        at[k] = lower ? here : at[k];
      }
    }
    for (int k = 0; k < count; ++k) {
      store(least + offset(k), smallest[k]);
      store(row_of_least + offset(k), Rows(__builtin_convertvector(at[k], Rows)));
    }
  }

  // Four rows at a time: each row by itself would wait for its own comparisons.
  static S rows_least(const S* cost, int64_t rows, int64_t cols, S* least, int32_t* col_of_least) {
    Bits most{};
    IntegerOf<S> most_of_few = 0;
    int64_t i = 0;
    for (; cols >= kCosts && i + kRowsTogether <= rows; i += kRowsTogether)
      least_of_rows<kRowsTogether>(cost + i * cols, cols, least + i, col_of_least + i, most);
    for (; cols >= kCosts && i < rows; ++i)
      least_of_rows<1>(cost + i * cols, cols, least + i, col_of_least + i, most);
    for (; i < rows; ++i) {
      least[i] = with_sign<kNegated>(cost[i * cols]);
      col_of_least[i] = 0;
      for (int64_t j = 0; j < cols; ++j) {
        const S here = with_sign<kNegated>(cost[i * cols + j]);
        const auto size = finite_size(__builtin_bit_cast(IntegerOf<S>, here));
        most_of_few = size > most_of_few ? size : most_of_few;
        if (!(here < least[i])) continue;
        least[i] = here;
        col_of_least[i] = int32_t(j);
      }
    }
    const IntegerOf<S> of_all = greatest_of_lanes(most)[0];  // not below 0: it starts there
    return __builtin_bit_cast(S, of_all > most_of_few ? of_all : most_of_few);
  }

  template <int count>
  static void least_of_rows(const S* cost, int64_t cols, S* least, int32_t* col_of_least, Bits& most_of_all) {
    using Costs = typename Vector<S, kCosts>::type;
    constexpr S kTop =
        std::is_integral_v<S> ? std::numeric_limits<S>::max() : std::numeric_limits<S>::infinity();
    const Bits lane = lane_numbers<Bits>();
    Costs smallest[count];
    Bits at[count], most = most_of_all;
    for (int k = 0; k < count; ++k) {
      smallest[k] = in_all_lanes<Costs>(kTop);
      at[k] = lane;
    }
    const auto see = [&](int64_t j) {
      const Bits here = lane + IntegerOf<S>(j);
      for (int k = 0; k < count; ++k) {
        const Costs now = with_sign<kNegated>(load<Costs>(cost + k * cols + j));
        const Bits lower = now < smallest[k];
        most = greater(most, finite_size(Bits(now)));
        smallest[k] = lower ? now : smallest[k];
        at[k] = lower ? here : at[k];
      }
    };
    int64_t j = 0;
    for (; j + kCosts <= cols; j += kCosts) see(j);
    if (j < cols) see(cols - kCosts);  // some columns twice
    most_of_all = most;
    for (int k = 0; k < count; ++k) {
      const Costs of_row = least_of_lanes(smallest[k]);
      uint32_t set = bits_of(Bits(smallest[k] == of_row));
      IntegerOf<S> columns[kCosts];
      store(columns, at[k]);
      least[k] = of_row[0];
      IntegerOf<S> first = columns[__builtin_ctz(set)];
      for (set &= set - 1; set != 0; set &= set - 1) {
        const IntegerOf<S> here = columns[__builtin_ctz(set)];
        first = here < first ? here : first;
      }
      col_of_least[k] = int32_t(first);
    }
  }

  // A square of kCosts rows and columns at a time, and what is left of both one by one.
  static void transpose_columns(const S* cost, int64_t rows, int64_t cols, int64_t first, int64_t last,
                                S* to) {
    using Costs = typename Vector<S, kCosts>::type;
    const auto one_by_one = [&](int64_t i0, int64_t i1, int64_t j0, int64_t j1) {
      for (int64_t j = j0; j < j1; ++j)
        for (int64_t i = i0; i < i1; ++i) to[j * rows + i] = cost[i * cols + j];
    };
    const int64_t whole = first + (last - first) / kCosts * kCosts, squares = rows / kCosts * kCosts;
    for (int64_t i = 0; i < squares; i += kCosts) {
      for (int64_t j = first; j < whole; j += kCosts) {
        Costs square[kCosts];
        KONIG_UNROLL
        for (int k = 0; k < kCosts; ++k) square[k] = load<Costs>(cost + (i + k) * cols + j);
        transpose(square);
        KONIG_UNROLL
        for (int k = 0; k < kCosts; ++k) store(to + (j + k) * rows + i, square[k]);
      }
      one_by_one(i, i + kCosts, whole, last);
    }
    one_by_one(squares, rows, first, last);
  }

  static constexpr DenseScans<S, T> table = {
      best_column, best_columns,     smallest, smallest_of_rows, column_with,  relax,
      search,      with_key,         below,    extent,           column_least, column_least_below,
      rows_least,  transpose_columns};
};

template <class S, class T>
const DenseScans<S, T>& scans(bool negated) {
  return negated ? Scan<S, T, true>::table : Scan<S, T, false>::table;
}

#define KONIG_INSTANTIATE(S, T) template const DenseScans<S, T>& scans<S, T>(bool);
KONIG_FOR_EACH_SCAN(KONIG_INSTANTIATE)
#undef KONIG_INSTANTIATE

}  // namespace konig::KONIG_ISA
