#include "core/sweeps.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/shared_loop.h"

namespace konig {
namespace {

constexpr int64_t kPiece = 1 << 14;  // values that one thread takes at a time
constexpr int64_t kBlock = 1 << 12;  // values between two branches
// Values for each thread but the first: to begin one takes as long as a sweep over some 100,000 values.
constexpr int64_t kValuesEach = 1 << 19;

int workers_for(int64_t count, int threads) {
  return int(std::min<int64_t>(threads, 1 + count / kValuesEach));
}

// The first position in [first, last) for which bad(position) is true, or -1. `bits(position)` has the
// highest bit set if that is so, and perhaps otherwise: a block whose bits, all together, do not have it set
// is sound. It has no branch, so the compiler vectorises it.
template <class Bits, class Bad>
int64_t first_bad(int64_t first, int64_t last, Bits bits, Bad bad) {
  using Word = decltype(bits(first));
  for (; first < last; first += kBlock) {
    const int64_t end = std::min(first + kBlock, last);
    Word all = 0;
    for (int64_t i = first; i < end; ++i) all |= bits(i);
    if (!(all >> std::numeric_limits<std::make_signed_t<Word>>::digits)) continue;
    for (int64_t i = first; i < end; ++i)
      if (bad(i)) return i;
  }
  return -1;
}

// The smallest position that `find(first, last)` reports in any piece of [0, count), or -1.
template <class Find>
int64_t first_found(int64_t count, int threads, Find find) {
  const int workers = workers_for(count, threads);
  if (workers <= 1) return find(0, count);
  std::vector<int64_t> found(workers, count);
  for_pieces(workers, count, kPiece, [&](int worker, int64_t first, int64_t last) {
    if (first > found[worker]) return;
    const int64_t position = find(first, last);
    if (position >= 0) found[worker] = position;
  });
  const int64_t least = *std::min_element(found.begin(), found.end());
  return least < count ? least : -1;
}

}  // namespace

template <class Id>
int64_t first_out_of_range(const Id* values, int64_t count, int64_t bound, int threads) {
  using Word = std::make_unsigned_t<Id>;
  if (bound <= 0) return count > 0 ? 0 : -1;
  // A value is in the range if neither it nor what it lacks of the most is negative. What a value that is not
  // negative lacks does not overflow.
  const Word most = Word(std::min<uint64_t>(uint64_t(bound - 1), std::numeric_limits<Id>::max()));
  return first_found(count, threads, [=](int64_t first, int64_t last) {
    return first_bad(
        first, last, [=](int64_t i) { return Word(Word(values[i]) | (most - Word(values[i]))); },
        [=](int64_t i) { return Word(values[i]) > most; });
  });
}

template <class Offset>
int64_t first_decrease(const Offset* start, int64_t count, int threads) {
  using Word = std::make_unsigned_t<Offset>;
  // The difference of two values that are not negative does not overflow.
  return first_found(count, threads, [=](int64_t first, int64_t last) {
    return first_bad(
        std::max<int64_t>(first, 1), last,
        [=](int64_t i) {
          const Word before = Word(start[i - 1]), value = Word(start[i]);
          return Word(before | value | (value - before));
        },
        [=](int64_t i) { return start[i] < start[i - 1]; });
  });
}

// Fresh pages are made as they are written to, so filling a new array is worth sharing.
template <class T>
void fill(T* values, int64_t count, T value, int threads) {
  const int workers = workers_for(count, threads);
  if (workers <= 1) {
    std::fill_n(values, count, value);
    return;
  }
  for_pieces(workers, count, kPiece,
             [=](int, int64_t first, int64_t last) { std::fill(values + first, values + last, value); });
}

template <class Given>
void widen(const Given* values, int64_t count, int32_t* copy) {
  std::copy_n(values, count, copy);
}
template void widen(const int8_t*, int64_t, int32_t*);
template void widen(const uint8_t*, int64_t, int32_t*);
template void widen(const int16_t*, int64_t, int32_t*);
template void widen(const uint16_t*, int64_t, int32_t*);

#define KONIG_INSTANTIATE_SWEEPS(Int)                                     \
  template int64_t first_out_of_range(const Int*, int64_t, int64_t, int); \
  template int64_t first_decrease(const Int*, int64_t, int);              \
  template void fill(Int*, int64_t, Int, int);
KONIG_INSTANTIATE_SWEEPS(int32_t)
KONIG_INSTANTIATE_SWEEPS(int64_t)
#undef KONIG_INSTANTIATE_SWEEPS

}  // namespace konig
