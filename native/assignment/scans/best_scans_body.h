// Scans of one row for its best column, for one instruction set; see dense_scans_body.h.

namespace konig::KONIG_ISA {

template <class S, class T, bool kNegated>
struct BestScans : Lanes<S, T, kNegated> {
  using L = Lanes<S, T, kNegated>;
  using L::all;
  using L::converted;
  using L::fold;
  using L::greater;
  using L::infinite;
  using L::lane;
  using L::lanes;
  using L::lanes_equal;
  using L::last_costs;
  using L::lesser;
  using L::only_last;
  using L::slacks;
  using typename L::I;
  using typename L::Mask;
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
};

}  // namespace konig::KONIG_ISA
