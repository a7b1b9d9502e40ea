// Dijkstra's algorithm: the relaxation of a row, and whole searches where columns are few; for one
// instruction set (scans_body.h).
#pragma once

#include "assignment/scans/lanes_body.h"

namespace konig::KONIG_ISA {

template <class S, class T, bool kNegated>
struct SearchScans {
  using Lanes = SlackLanes<S, T, kNegated>;
  using V = typename Lanes::V;
  using I = typename Lanes::I;
  using Stored = typename Lanes::Stored;
  using Rows = typename Lanes::Rows;
  static constexpr int lanes = Lanes::lanes;

  static void relax(const S* cost, const T* dual, T base, int32_t row, int64_t cols, T* key, int32_t* before,
                    T* block_least) {
    const V bases = in_all_lanes<V>(base);
    const Rows rows = Rows{} + row;
    const auto lowered = [&](int64_t at) {
      return lower_all(Lanes::slacks(cost + at, dual + at) - bases, rows, key + at, before + at);
    };
    int64_t j = 0;
    for (int64_t block = 0; j < cols; ++block) {
      const int64_t end = j + kScanBlock < cols ? j + kScanBlock : cols;
      V least = Lanes::infinite();
      for (; j + lanes <= end; j += lanes) least = lesser(lowered(j), least);
      if (j < end && cols >= lanes) {  // some columns twice, which changes nothing
        least = lesser(Lanes::only_last(lowered(end - lanes), end - j), least);
        j = end;
      }
      T smallest = least_of_lanes(least)[0];
      for (; j < end; ++j) {
        const T length = Lanes::slack(cost[j], dual[j]) - base;
        if (length < key[j]) {
          key[j] = length;
          before[j] = row;
        }
        smallest = key[j] < smallest ? key[j] : smallest;
      }
      block_least[block] = smallest;
    }
  }

  static uint64_t with_key(const T* key, T value, int64_t count) {
    const V wanted = in_all_lanes<V>(value);
    uint64_t set = 0;
    int64_t j = 0;
    for (; j + lanes <= count; j += lanes) set |= uint64_t(bits_where_equal(load<V>(key + j), wanted)) << j;
    for (; j < count; ++j) set |= uint64_t(key[j] == value) << j;
    return set;
  }

  static T least_of_block(const T* key) {
    V least = load<V>(key), other = load<V>(key + lanes);
    for (int64_t j = 2 * lanes; j < kScanBlock; j += 2 * lanes) {
      least = lesser(least, load<V>(key + j));
      other = lesser(other, load<V>(key + j + lanes));
    }
    return least_of_lanes(lesser(least, other))[0];
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
      V smallest = Lanes::infinite();
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
      for (int64_t j = 0; j < whole; j += lanes) lower(j, Lanes::costs(from + j));
      if (whole < cols) lower(whole, Lanes::converted(load_first<Stored>(from + whole, cols - whole)));
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
      length = relax_row.template operator()<false>(
          i, Lanes::slack(cost[int64_t(i) * cols + j], dual[j]) - length);
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
    smallest = lesser(smallest, opened ? key : Lanes::infinite());
#endif
  }
};

}  // namespace konig::KONIG_ISA
