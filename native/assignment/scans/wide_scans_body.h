// Scans in 128-bit sums; see dense_scans_body.h.

namespace konig::KONIG_ISA {

// 128-bit sums: one at a time, and the largest integer stands for a forbidden pair.
template <class S>
struct Scan<S, int128, false> {
  using T = int128;
  static T slack_of(S cost, T dual) {
    return cost == std::numeric_limits<S>::max() ? Bounds<T>::infinity : T(cost) - dual;
  }
  static TwoSmallest<T> two_smallest(const S* cost, const T* dual, int64_t cols) {
    TwoSmallest<T> best{Bounds<T>::infinity, Bounds<T>::infinity};
    for (int64_t j = 0; j < cols; ++j) {
      const T slack = slack_of(cost[j], dual[j]);
      if (slack < best.first) {
        best = {slack, best.first};
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
  static BestColumn<T> best_column(const S* cost, const T* dual, int64_t cols) {
    const TwoSmallest<T> best = two_smallest(cost, dual, cols);
    const bool some = best.first < Bounds<T>::infinity;
    return {best.first, best.second, some ? int32_t(column_with(cost, dual, best.first, cols, -1)) : -1};
  }
  static T smallest(const S* cost, const T* dual, int64_t cols) {
    return two_smallest(cost, dual, cols).first;
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
  static constexpr DenseScans<S, T> table = {two_smallest, best_column, nullptr,  smallest, column_with,
                                             relax,        nullptr,     with_key, below};
};

template <class S, class T>
const DenseScans<S, T>& table_of(bool negated) {
  if constexpr (!std::is_same_v<T, int128>)
    if (negated) return Scan<S, T, true>::table;
  return Scan<S, T, false>::table;
}

}  // namespace konig::KONIG_ISA
