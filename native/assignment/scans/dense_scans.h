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

namespace konig {

__extension__ using int128 = __int128;

// A matrix of costs, row after row, that is read as it is or with the other sign: what is maximised is never
// copied for its sign alone.
template <class S>
struct SignedCosts {
  SignedCosts() = default;
  SignedCosts(const S* cost, bool is_negated = false) : data(cost), negated(is_negated) {}
  S operator[](int64_t k) const {
    if (!negated) return data[k];
    if constexpr (std::is_integral_v<S>) return S(0 - std::make_unsigned_t<S>(data[k]));  // if it has none
    return -data[k];
  }

  const S* data = nullptr;
  bool negated = false;
};

// Values of T that stand for "none": `infinity` is above every sum, and a column whose dual is `scanned` has
// slacks above infinity. Sums stay within +-largest.
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

// A new dual. Costs within a quarter of this bound may be summed in 64 bits as long as duals keep to it: path
// lengths are then below infinity, and no step moves a dual so far that it could overflow before it is
// checked.
inline constexpr int64_t kLargestDual = Bounds<int64_t>::top / 16;
template <class T>
inline T checked(T dual) {
  if constexpr (std::is_same_v<T, int64_t>)
    if (dual > kLargestDual || dual < -kLargestDual) throw DualsTooLarge();
  return dual;
}
// The dual of a column that a search has scanned. It never rises: a distance beyond the length of the path is
// rounding, and on a rectangle a dual above zero would prove nothing.
template <class T>
inline T moved(T dual, T distance, T length) {
  return distance < length ? checked(dual + (distance - length)) : dual;
}

template <class T>
struct BestColumn {
  T first, second;  // infinity where there is none
  int32_t col;      // the first one with the smallest
  bool lowers = false;
};

inline constexpr int64_t kMoreRoom = 16;  // entries that lists of columns need beyond what they hold

template <class T>
struct BlockSearch {
  T length;
  uint64_t scanned;  // a bit for each column
  int32_t end;       // a free column, or -1 if none can be reached
};

// What there is among costs: the least and the most of 0 and the finite ones (of reals the largest |cost| as
// the most), and what is not finite.
template <class S>
struct Extent {
  S least = 0, most = 0;
  bool nan = false, infinity = false, minus_infinity = false;
};

inline constexpr int64_t kScanBlock = 64;  // columns whose smallest key is kept together

// In functions marked "padded", a row of at most kScanBlock columns comes with arrays of kScanBlock entries:
// beyond its columns duals are `scanned` and keys infinite.
template <class S, class T>
struct DenseScans {
  // The two smallest of cost[j] - dual[j] over 0 <= j < cols, and the first column with the smallest, -1 if
  // that is infinite. Padded.
  BestColumn<T> (*best_column)(const S* cost, const T* dual, int64_t cols);
  // Of cols <= kScanBlock, as best_column has it, after which the dual of the best column is lower by how
  // much that is better than the second best, if there is one; `lowers` says whether it fell. Padded.
  BestColumn<T> (*lower_best)(const S* cost, T* dual, int64_t cols);
  // The smallest of cost[j] - dual[j].
  T (*smallest)(const S* cost, const T* dual, int64_t cols);
  // The first column but `except` with just this slack, or -1.
  int64_t (*column_with)(const S* cost, const T* dual, T slack, int64_t cols, int64_t except);
  // key[j] = min(key[j], cost[j] - dual[j] - base), and before[j] = row where that lowered it. block_least[b]
  // is the smallest key of block b.
  void (*relax)(const S* cost, const T* dual, T base, int32_t row, int64_t cols, T* key, int32_t* before,
                T* block_least);
  // A whole search from a row by Dijkstra's algorithm, of cols <= kScanBlock; `cost` is the matrix, `free`
  // has a bit for each column without a row. Keys are the lengths of the paths to the columns scanned.
  // Padded.
  BlockSearch<T> (*search_block)(const S* cost, const T* dual, const int32_t* row_of_col, uint64_t free,
                                 int32_t root, int64_t cols, T* key, int32_t* before);
  // A bit for each of at most kScanBlock keys that has this value.
  uint64_t (*with_key)(const T* key, T value, int64_t count);
  // Writes to `found` the columns whose cost[j] - dual[j] is not at least the bound, in order (so a NaN is
  // among them), and returns how many there are; at most `room` of them are written, and perhaps kMoreRoom
  // others. Without duals (null) the costs themselves are compared.
  int64_t (*below)(const S* cost, const T* dual, T bound, int64_t cols, int32_t* found, int64_t room);
  Extent<S> (*extent)(const S* cost, int64_t count);
  // The smallest cost of each column and the first row that has it, of rows first <= i < last and, unless the
  // first is 0, of those before, for which they are there already. Returns the largest of these rows and 0,
  // of reals by their size: infinite or NaN where one is not finite (with a NaN the rest means nothing).
  S (*column_least)(const S* cost, int64_t first, int64_t last, int64_t cols, S* least,
                    int32_t* row_of_least);
};

// Of costs as they are stored or, for those that are maximised, of the costs with the other sign (but
// `extent`).
template <class S, class T>
const DenseScans<S, T>& dense_scans(bool negated = false);

// The narrowest sums that scans of S have.
template <class S>
using NarrowSums = std::conditional_t<std::is_integral_v<S>, S, double>;

}  // namespace konig
