// Scans of a row of dense costs: the inner loops of the dense assignment solvers.
//
// S is the type that costs are stored in, T the type that sums are formed in. A forbidden pair is +inf in
// reals; integers have none. The same source is compiled for several instruction sets; `dense_scans` picks at
// run time. All of them return the same answer to the last bit: sums are formed in one order, and of equal
// values the first column counts.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

// Every type that costs are stored in.
#define KONIG_FOR_EACH_COST(F) F(int32_t) F(int64_t) F(float) F(double)

namespace konig {

__extension__ using int128 = __int128;

// A matrix of costs, row after row, read as it is stored or negated: a problem that is maximised is not
// copied for its sign.
template <class S>
struct SignedCosts {
  SignedCosts() = default;
  SignedCosts(const S* cost, bool is_negated = false) : data(cost), negated(is_negated) {}
  S operator[](int64_t k) const {
    if (!negated) return data[k];
    if constexpr (std::is_integral_v<S>)
      return S(0 - std::make_unsigned_t<S>(data[k]));  // the least has none
    return -data[k];
  }

  const S* data = nullptr;
  bool negated = false;
};

// Special values of T: `infinity` is above every sum, and a column whose dual is `scanned` has slacks above
// infinity. Sums stay within +-largest.
template <class T>
struct Bounds {
  static constexpr T top = std::numeric_limits<T>::max();
  static constexpr T infinity = top / 4;
  static constexpr T scanned = -(top / 2);
  static constexpr T largest = top / 8;
};
template <>
struct Bounds<int128> {
  static constexpr int128 top = ~(int128(1) << 127);
  static constexpr int128 infinity = top / 4;
  static constexpr int128 scanned = -(top / 2);
  static constexpr int128 largest = top / 8;
};
template <>
struct Bounds<double> {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double scanned = -infinity;
};

// Thrown where 64-bit sums might overflow: the problem is solved again in 128 bits.
struct DualsTooLarge {};

// The bound on duals in 64 bits. With costs within a quarter of it, and duals within it, path lengths are
// below infinity, and no step moves a dual so far that it overflows before checked() sees it.
inline constexpr int64_t kLargestDual = Bounds<int64_t>::top / 16;
template <class T>
inline T checked(T dual) {
  if constexpr (std::is_same_v<T, int64_t>)
    if (dual > kLargestDual || dual < -kLargestDual) throw DualsTooLarge();
  return dual;
}
// The new dual of a column that a search has scanned. It never rises: a distance above the length of the path
// is due to rounding, and on a rectangle a dual above zero would prove nothing.
template <class T>
inline T moved(T dual, T distance, T length) {
  return distance < length ? checked(dual + (distance - length)) : dual;
}

template <class T>
struct BestColumn {
  T first, second;  // infinity where there is none
  int32_t col;      // the first with the smallest
};

inline constexpr int kRowsTogether = 4;  // scanned side by side

inline constexpr int64_t kMoreRoom = 16;  // entries that `below` may write beyond the last column

inline constexpr int64_t kScanBlock = 64;  // columns whose smallest key is kept together, bits of a word
inline constexpr int kSearchWords = 2;
inline constexpr int64_t kNarrow = kSearchWords * kScanBlock;  // columns of a whole search in one call

// A column that a search has scanned, its distance, and its dual then.
template <class T>
struct ScannedColumn {
  int32_t col;
  T length, dual;
};

template <class T>
struct NarrowSearch {
  T length;
  int32_t end;      // a free column, or -1 if none can be reached
  int32_t scanned;  // how many columns
};

// The range of costs: the least and the most of 0 and of those that are finite (for reals `most` is the
// largest |cost|), and whether some are not finite.
template <class S>
struct Extent {
  S least = 0, most = 0;
  bool nan = false, infinity = false, minus_infinity = false;
};

// In functions marked "padded", a row of at most kNarrow columns comes with duals and keys for whole blocks:
// beyond its columns duals are `scanned`.
inline constexpr int64_t padded_columns(int64_t cols) {
  return (cols + kScanBlock - 1) / kScanBlock * kScanBlock;
}
template <class S, class T>
struct DenseScans {
  // The two smallest of cost[j] - dual[j] over 0 <= j < cols, and the first column with the smallest, -1 if
  // that is infinite. Padded.
  BestColumn<T> (*best_column)(const S* cost, const T* dual, int64_t cols);
  // The same of some rows of a matrix, at most kRowsTogether. Padded.
  void (*best_columns)(const S* cost, const int32_t* row, int64_t count, const T* dual, int64_t cols,
                       BestColumn<T>* best);
  // The smallest of cost[j] - dual[j].
  T (*smallest)(const S* cost, const T* dual, int64_t cols);
  // The same of each of the first rows of a matrix.
  void (*smallest_of_rows)(const S* cost, const T* dual, int64_t rows, int64_t cols, T* found);
  // The first column other than `except` with this slack; -1 if there is none.
  int64_t (*column_with)(const S* cost, const T* dual, T slack, int64_t cols, int64_t except);
  // key[j] = min(key[j], cost[j] - dual[j] - base), and before[j] = row where that lowered it. block_least[b]
  // is the smallest key of block b.
  void (*relax)(const S* cost, const T* dual, T base, int32_t row, int64_t cols, T* key, int32_t* before,
                T* block_least);
  // A whole search from a row by Dijkstra's algorithm, for cols <= kNarrow; `cost` is the matrix, `free` has
  // a bit for each column without a row. Writes the columns that it scans, in order. Padded.
  NarrowSearch<T> (*search)(const S* cost, const T* dual, const int32_t* row_of_col, const uint64_t* free,
                            int32_t root, int64_t cols, ScannedColumn<T>* scanned, int32_t* before);
  // A bit for each of at most kScanBlock keys that has this value.
  uint64_t (*with_key)(const T* key, T value, int64_t count);
  // The smallest of kScanBlock keys.
  T (*least_of_block)(const T* key);
  // Writes to `found`, in order, the columns whose cost[j] - dual[j] is below the bound or NaN, and returns
  // how many there are; at most `room` of them are written, and perhaps kMoreRoom meaningless numbers.
  // Without duals (null) the costs themselves are compared.
  int64_t (*below)(const S* cost, const T* dual, T bound, int64_t cols, int32_t* found, int64_t room);
  Extent<S> (*extent)(const S* cost, int64_t count);
  // The smallest cost of each column and the first row with it, over the rows before `first`, for which
  // `least` holds them already, and first <= i < last. Returns the largest cost of the latter rows, at least
  // 0; for reals the largest finite |cost|, or NaN if there is one (the rest then means nothing).
  S (*column_least)(const S* cost, int64_t first, int64_t last, int64_t cols, S* least,
                    int32_t* row_of_least);
  // The smallest cost[i][j] - below[i] of each column, and the first row with it.
  void (*column_least_below)(const S* cost, const S* below, int64_t rows, int64_t cols, T* least,
                             int32_t* row_of_least);
  // The smallest cost of each of the first rows of a matrix, and the first column with it. Returns what
  // column_least does.
  S (*rows_least)(const S* cost, int64_t rows, int64_t cols, S* least, int32_t* col_of_least);
  // Writes the columns first <= j < last of a matrix, as they are stored, as rows j of `to`.
  void (*transpose_columns)(const S* cost, int64_t rows, int64_t cols, int64_t first, int64_t last, S* to);
};

// Scans of costs as they are stored, or of the negated costs (but for `extent` and
// `transpose_columns`, which read the former).
template <class S, class T>
const DenseScans<S, T>& dense_scans(bool negated = false);

// The narrowest sums that scans of S have.
template <class S>
using NarrowSums = std::conditional_t<std::is_integral_v<S>, S, double>;

}  // namespace konig
