// Scans of a row: its smallest slacks, and the columns with a given one; for one instruction set
// (scans_body.h).
#pragma once

#include "assignment/scans/lanes_body.h"

namespace konig::KONIG_ISA {

template <class S, class T, bool kNegated>
struct RowScans {
  using Lanes = SlackLanes<S, T, kNegated>;
  using Mask = typename Lanes::Mask;
  using V = typename Lanes::V;
  using I = typename Lanes::I;
  using Stored = typename Lanes::Stored;
  static constexpr int lanes = Lanes::lanes;

  // ---- the best columns of a row

  // The two smallest slacks that each lane has seen, and the column of the smallest.
  struct TwoSmallest {
    void see(V slack, I here) {
      const I lower = slack < first;
      second = lesser(second, greater(first, slack));
      first = lesser(first, slack);
      column = lower ? here : column;
    }
    // Makes both those of all lanes; returns which lanes had the smallest.
    uint32_t fold_lanes() {
      const V of_lanes = first;
      fold(first, second);
      return bits_where_equal(of_lanes, first);
    }
    BestColumn<T> best(uint32_t set) const {
      BestColumn<T> best = found(first[0], second[0], set);
      if (best.col < 0) return best;
      Mask columns[lanes];
      store(columns, column);
      best.col = int32_t(least_where(set, columns));
      return best;
    }

    V first, second;
    I column;
  };

  // Of lanes that have seen nothing. Not by initializers of members: constructors that a compiler makes do
  // not get the instruction set.
  static TwoSmallest none() { return {Lanes::infinite(), Lanes::infinite(), lane_numbers<I>()}; }

  static TwoSmallest of_both(const TwoSmallest& a, const TwoSmallest& b) {
    const I takes = (b.first < a.first) | ((b.first == a.first) & (b.column < a.column));
    return {lesser(a.first, b.first), lesser(greater(a.first, b.first), lesser(a.second, b.second)),
            takes ? b.column : a.column};
  }

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
    const S* from[kRowsTogether];
    TwoSmallest of_row[kRowsTogether];
    for (int k = 0; k < kRowsTogether; ++k) {
      from[k] = cost + row[k < count ? k : 0] * cols;
      of_row[k] = none();
    }
    I here = lane_numbers<I>();
    int64_t j = 0;
    for (; j + lanes <= cols; j += lanes, here += Mask(lanes)) {
      const V duals = load<V>(dual + j);
      for (int k = 0; k < kRowsTogether; ++k)
        of_row[k].see(difference(Lanes::costs(from[k] + j), duals), here);
    }
    if (j < cols) {
      const int64_t last = cols - lanes;
      const V duals = load<V>(dual + last);
      here = lane_numbers<I>() + Mask(last);
      for (int k = 0; k < kRowsTogether; ++k)
        of_row[k].see(Lanes::only_last(difference(Lanes::costs(from[k] + last), duals), cols - j), here);
    }
    uint32_t set[kRowsTogether];
    KONIG_UNROLL
    for (int k = 0; k < kRowsTogether; ++k) set[k] = of_row[k].fold_lanes();
    KONIG_UNROLL
    for (int k = 0; k < kRowsTogether; ++k)
      if (k < count) best[k] = of_row[k].best(set[k]);
  }

  // Without branches that depend on the costs; columns are bits of a word.
  static BestColumn<T> best_column_of_few(const S* cost, const T* dual, int64_t cols) {
    V first = Lanes::infinite(), second = first;
    const auto see = [&](V slack) {
      second = lesser(second, greater(first, slack));
      first = lesser(first, slack);
    };
    const int64_t whole = cols - cols % lanes;
    for (int64_t j = 0; j < whole; j += lanes) see(Lanes::slacks(cost + j, dual + j));
    V rest = Lanes::infinite();
    if (whole < cols) {
      rest =
          difference(Lanes::converted(load_first<Stored>(cost + whole, cols - whole)), load<V>(dual + whole));
      see(rest);
    }
    fold(first, second);
    uint64_t set = uint64_t(bits_where_equal(rest, first)) << (whole & (kScanBlock - 1));
    for (int64_t j = 0; j < whole; j += lanes)
      set |= uint64_t(bits_where_equal(Lanes::slacks(cost + j, dual + j), first)) << j;
    keep_in_register(set);
    return found(first[0], second[0], set);
  }

  // Each lane keeps the column of its smallest: finding the column afterwards would be a second read, and a
  // branch that cannot be predicted.
  static BestColumn<T> best_column_of_many(const S* cost, const T* dual, int64_t cols) {
    TwoSmallest even = none(), odd = none();
    I here = lane_numbers<I>();  // of `odd` too low by `lanes` until the end
    int64_t j = 0;
    for (; j + 2 * lanes <= cols; j += 2 * lanes, here += Mask(2 * lanes)) {
      even.see(Lanes::slacks(cost + j, dual + j), here);
      odd.see(Lanes::slacks(cost + j + lanes, dual + j + lanes), here);
    }
    if (j + lanes <= cols) {
      even.see(Lanes::slacks(cost + j, dual + j), here);
      j += lanes;
    }
    if (j < cols) {
      const int64_t last = cols - lanes;
      odd.see(Lanes::only_last(Lanes::slacks(cost + last, dual + last), cols - j),
              lane_numbers<I>() + Mask(last - lanes));
    }
    odd.column += Mask(lanes);
    TwoSmallest both = of_both(even, odd);
    const uint32_t set = both.fold_lanes();
    return both.best(set);
  }

  // The result of a scan; the column is the lowest bit of the set, -1 where the least is infinite.
  static BestColumn<T> found(T least, T next, uint64_t set) {
    const bool some = least < Bounds<T>::infinity;
    return {least, some ? next : Bounds<T>::infinity, some ? int32_t(__builtin_ctzll(set)) : -1};
  }

  static T smallest(const S* cost, const T* dual, int64_t cols) {
    V least = Lanes::infinite(), other = least;
    int64_t j = 0;
    for (; j + 2 * lanes <= cols; j += 2 * lanes) {
      least = lesser(least, Lanes::slacks(cost + j, dual + j));
      other = lesser(other, Lanes::slacks(cost + j + lanes, dual + j + lanes));
    }
    if (j + lanes <= cols) {
      least = lesser(least, Lanes::slacks(cost + j, dual + j));
      j += lanes;
    }
    if (j < cols && cols >= lanes) {  // some columns twice
      least = lesser(least, Lanes::slacks(cost + cols - lanes, dual + cols - lanes));
      j = cols;
    }
    T value = least_of_lanes(lesser(least, other))[0];
    for (; j < cols; ++j) {
      const T here = Lanes::slack(cost[j], dual[j]);
      value = here < value ? here : value;
    }
    return value;
  }

  // Four rows at a time, as best_columns.
  static void smallest_of_rows(const S* cost, const T* dual, int64_t rows, int64_t cols, T* found) {
    int64_t i = 0;
    for (; cols >= lanes && i + kRowsTogether <= rows; i += kRowsTogether, cost += kRowsTogether * cols) {
      V least[kRowsTogether];
      for (int k = 0; k < kRowsTogether; ++k) least[k] = Lanes::infinite();
      const auto see = [&](int64_t j) {
        const V duals = load<V>(dual + j);
        for (int k = 0; k < kRowsTogether; ++k)
          least[k] = lesser(least[k], difference(Lanes::costs(cost + k * cols + j), duals));
      };
      int64_t j = 0;
      for (; j + lanes <= cols; j += lanes) see(j);
      if (j < cols) see(cols - lanes);  // some columns twice
      KONIG_UNROLL
      for (int k = 0; k < kRowsTogether; ++k) found[i + k] = least_of_lanes(least[k])[0];
    }
    for (; i < rows; ++i, cost += cols) found[i] = smallest(cost, dual, cols);
  }

  // ---- the columns of a row with a given property

  static int64_t column_with(const S* cost, const T* dual, T wanted, int64_t cols, int64_t except) {
    const V all_wanted = in_all_lanes<V>(wanted);
    const auto hits = [&](int64_t j) { return I(Lanes::slacks(cost + j, dual + j) == all_wanted); };
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
      if (Lanes::slack(cost[j], dual[j]) == wanted && j != except) return j;
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
      if constexpr (kDuals) return I(~(Lanes::costs(cost + j) - load<V>(dual + j) >= bounds));
      return I(~(Lanes::costs(cost + j) >= bounds));
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
      if (!(Lanes::slack(cost[j], kDuals ? dual[j] : T(0)) >= bound)) take(1, j);
    return count;
  }
};

}  // namespace konig::KONIG_ISA
