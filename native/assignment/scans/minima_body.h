// The smallest cost of each column and of each row of a matrix, and where it is; for one instruction set
// (scans_body.h).
#pragma once

#include "assignment/scans/costs_body.h"
#include "assignment/scans/lanes_body.h"

namespace konig::KONIG_ISA {

// Vectors of columns side by side, whose minima stay in registers.
inline constexpr int kStripe = KONIG_VECTOR_BYTES == 64 ? 8 : 4;

template <class S, bool kNegated>
struct MinimaScans {
  using Stored = CostScans<S>;
  using Costs = typename Stored::Costs;
  using Bits = typename Stored::Bits;
  static constexpr int lanes = Stored::lanes;

  static S column_least(const S* cost, int64_t first, int64_t last, int64_t cols, S* least,
                        int32_t* row_of_least) {
    Bits most{};
    int64_t j = 0;
    for (int64_t left = (cols + lanes - 1) / lanes; cols >= lanes && left > 0;) {
      const auto count = int(left < kStripe ? left : kStripe);
      least_of_stripe<kStripe>(count, cost + j, first, last, cols, cols - j, least + j, row_of_least + j,
                               most);
      left -= count;
      j += count * lanes;
    }
    IntegerOf<S> of_all = greatest_of_lanes(most)[0];
    for (; j < cols; ++j) {
      S smallest = first == 0 ? with_sign<kNegated>(cost[j]) : least[j];
      int32_t at = first == 0 ? 0 : row_of_least[j];
      for (int64_t i = first; i < last; ++i) {
        const S here = with_sign<kNegated>(cost[i * cols + j]);
        const auto size = Stored::finite_size(__builtin_bit_cast(IntegerOf<S>, here));
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
    using Narrow = typename Vector<int32_t, lanes>::type;
    const auto costs = [&](const S* from, Costs& to) { to = with_sign<kNegated>(load<Costs>(from)); };
    const int64_t end = cols_left < count * lanes ? cols_left - lanes : (count - 1) * lanes;
    const auto offset = [&](int k) { return k + 1 < count ? k * lanes : end; };
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
        most = greater(most, Stored::finite_size(Bits(now)));
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

  // Four rows at a time, as RowScans::best_columns.
  static S rows_least(const S* cost, int64_t rows, int64_t cols, S* least, int32_t* col_of_least) {
    Bits most{};
    IntegerOf<S> most_of_few = 0;
    int64_t i = 0;
    for (; cols >= lanes && i + kRowsTogether <= rows; i += kRowsTogether)
      least_of_rows<kRowsTogether>(cost + i * cols, cols, least + i, col_of_least + i, most);
    for (; cols >= lanes && i < rows; ++i)
      least_of_rows<1>(cost + i * cols, cols, least + i, col_of_least + i, most);
    for (; i < rows; ++i) {
      least[i] = with_sign<kNegated>(cost[i * cols]);
      col_of_least[i] = 0;
      for (int64_t j = 0; j < cols; ++j) {
        const S here = with_sign<kNegated>(cost[i * cols + j]);
        const auto size = Stored::finite_size(__builtin_bit_cast(IntegerOf<S>, here));
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
        most = greater(most, Stored::finite_size(Bits(now)));
        smallest[k] = lower ? now : smallest[k];
        at[k] = lower ? here : at[k];
      }
    };
    int64_t j = 0;
    for (; j + lanes <= cols; j += lanes) see(j);
    if (j < cols) see(cols - lanes);  // some columns twice
    most_of_all = most;
    KONIG_UNROLL
    for (int k = 0; k < count; ++k) {
      const Costs of_row = least_of_lanes(smallest[k]);
      const uint32_t set = bits_where_equal(smallest[k], of_row);
      IntegerOf<S> columns[lanes];
      store(columns, at[k]);
      least[k] = of_row[0];
      col_of_least[k] = int32_t(least_where(set, columns));
    }
  }
};

// The same of columns, less a number of each row.
template <class S, class T, bool kNegated>
struct MinimaBelowScans {
  using Lanes = SlackLanes<S, T, kNegated>;
  using V = typename Lanes::V;
  using I = typename Lanes::I;
  using Rows = typename Lanes::Rows;
  static constexpr int lanes = Lanes::lanes;

  static void column_least_below(const S* cost, const S* below, int64_t rows, int64_t cols, T* least,
                                 int32_t* row_of_least) {
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
      least[j] = Lanes::slack(cost[j], T(below[0]));
      row_of_least[j] = 0;
      for (int64_t i = 1; i < rows; ++i) {
        const T here = Lanes::slack(cost[i * cols + j], T(below[i]));
        if (!(here < least[j])) continue;
        least[j] = here;
        row_of_least[j] = int32_t(i);
      }
    }
  }

  // As MinimaScans::least_of_stripe.
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
      smallest[k] = difference(Lanes::costs(cost + offset(k)), in_all_lanes<V>(T(below[0])));
      at[k] = I{};
    }
    for (int64_t i = 1; i < rows; ++i) {
      const V bound = in_all_lanes<V>(T(below[i]));
      here += 1;
      for (int k = 0; k < count; ++k) {
        const V now = difference(Lanes::costs(cost + i * cols + offset(k)), bound);
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
};

}  // namespace konig::KONIG_ISA
