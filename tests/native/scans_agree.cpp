// The dense scans of all instruction sets that this machine has: the same answers, to the last bit.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "assignment/scans/instruction_sets.h"

using namespace konig;

namespace {

using Random = std::mt19937_64;

template <class S, class T>
struct Case {
  explicit Case(Random& random) {
    cols = random() % 4 == 0 ? 65 + int64_t(random() % 300) : 1 + int64_t(random() % kScanBlock);
    const int64_t range = random() % 3 == 0 ? 4 : 100000;
    const bool forbids = random() % 3 == 0;
    cost.resize(size_t(cols * cols));
    for (S& c : cost) {
      c = S(int64_t(random() % uint64_t(2 * range)) - range);
      if constexpr (!std::numeric_limits<S>::is_integer) {
        c /= 7;
        if (forbids && random() % 5 == 0) c = std::numeric_limits<S>::infinity();
      }
    }
    dual.assign(size_t(padded_columns(cols)), Bounds<T>::scanned);
    for (int64_t j = 0; j < cols; ++j) dual[j] = T(int64_t(random() % 20) - 10);
    std::vector<int32_t> rows(size_t(cols), 0);
    std::iota(rows.begin(), rows.end(), 0);
    std::shuffle(rows.begin(), rows.end(), random);
    root = rows[0];
    row_of_col.assign(size_t(cols), -1);
    free.assign(size_t(padded_columns(cols) / kScanBlock), 0);
    for (int64_t j = 0; j < cols; ++j) {
      if (j > 0 && random() % 5 != 0)
        row_of_col[j] = rows[j];
      else
        free[j / kScanBlock] |= uint64_t(1) << (j % kScanBlock);
    }
  }

  int64_t cols;
  std::vector<S> cost;
  std::vector<T> dual;
  std::vector<int32_t> row_of_col;
  int32_t root;
  std::vector<uint64_t> free;
};

// All that the scans say about a case, as numbers in a row.
template <class S, class T>
std::vector<long double> said(const Case<S, T>& c, const DenseScans<S, T>& scans) {
  std::vector<long double> all;
  const auto say = [&](auto... values) { (all.push_back((long double)(values)), ...); };
  const S* const cost = c.cost.data();
  const auto best = scans.best_column(cost, c.dual.data(), c.cols);
  say(best.first, best.second, best.col);
  const auto extent = scans.extent(cost, c.cols);
  say(extent.least, extent.most, extent.nan, extent.infinity, extent.minus_infinity);
  std::vector<S> least(size_t(c.cols), S(0));
  std::vector<int32_t> row_of_least(size_t(c.cols), 0);
  for (const int64_t first : {int64_t(0), c.cols / 2}) {
    const int64_t last = first == 0 ? c.cols / 2 : c.cols;
    say(scans.column_least(cost, first, last, c.cols, least.data(), row_of_least.data()));
    if (last > 0)
      for (int64_t j = 0; j < c.cols; ++j) say(least[j], row_of_least[j]);
  }
  say(scans.rows_least(cost, c.cols, c.cols, least.data(), row_of_least.data()));
  for (int64_t i = 0; i < c.cols; ++i) say(least[i], row_of_least[i]);
  std::vector<S> turned(c.cost.size(), S(0));
  scans.transpose_columns(cost, c.cols, c.cols, c.cols / 3, c.cols, turned.data());
  for (int64_t j = c.cols / 3; j < c.cols; ++j)
    for (int64_t i = 0; i < c.cols; ++i)
      say(std::memcmp(&turned[j * c.cols + i], &cost[i * c.cols + j], sizeof(S)) == 0 ? 0 : 1 + i);
  std::vector<T> keys(size_t(std::max(c.cols, kScanBlock)), Bounds<T>::infinity);
  std::vector<T> block_least(size_t(c.cols / kScanBlock + 1), T(0));
  std::vector<int32_t> rows_before(keys.size(), -1);
  for (int32_t i = 0; i < int32_t(c.cols); ++i)
    scans.relax(cost + i * c.cols, c.dual.data(), T(i), i, c.cols, keys.data(), rows_before.data(),
                block_least.data());
  for (int64_t j = 0; j < c.cols; ++j) say(keys[j], rows_before[j], block_least[j / kScanBlock]);
  say(scans.smallest(cost, c.dual.data(), c.cols));
  const int64_t room = std::min<int64_t>(c.cols, 20);
  std::vector<int32_t> found(size_t(c.cols + kMoreRoom), -1);
  const T bound = best.second < Bounds<T>::infinity ? T(best.second + T(3)) : T(5);
  const int64_t below = scans.below(cost, c.dual.data(), bound, c.cols, found.data(), room);
  say(below);
  for (int64_t k = 0; k < std::min(below, room); ++k) say(found[k]);
  // Rows that are scanned together: what each says by itself.
  for (int64_t count = 1; count <= std::min<int64_t>(c.cols, kRowsTogether); ++count) {
    std::vector<int32_t> some(size_t(count), c.root);
    std::iota(some.begin() + 1, some.end(), 0);
    std::vector<BestColumn<T>> together(size_t(count), BestColumn<T>{});
    scans.best_columns(cost, some.data(), count, c.dual.data(), c.cols, together.data());
    for (int64_t k = 0; k < count; ++k) {
      const auto alone = scans.best_column(cost + some[k] * c.cols, c.dual.data(), c.cols);
      const bool same = together[k].first == alone.first && together[k].second == alone.second &&
                        together[k].col == alone.col;
      if (!same) std::abort();
      say(alone.first, alone.second, alone.col);
    }
  }
  if (c.cols > kNarrow) return all;
  std::vector<int32_t> before(size_t(padded_columns(c.cols)), -1);
  std::vector<ScannedColumn<T>> scanned(size_t(kNarrow), ScannedColumn<T>{});
  const auto search = scans.search(cost, c.dual.data(), c.row_of_col.data(), c.free.data(), c.root, c.cols,
                                   scanned.data(), before.data());
  say(search.length, search.end, search.scanned);
  for (int32_t k = 0; k < search.scanned; ++k) say(scanned[k].col, scanned[k].length, scanned[k].dual);
  for (int64_t j = 0; j < c.cols; ++j) say(before[j]);
  return all;
}

template <class S, class T>
bool agree(Random& random) {
  const Case<S, T> c(random);
  const bool negated = random() % 2;
  const auto wanted = said(c, baseline::scans<S, T>(negated));
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx2") && said(c, avx2::scans<S, T>(negated)) != wanted) return false;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      said(c, avx512::scans<S, T>(negated)) != wanted)
    return false;
#endif
  return true;
}

}  // namespace

int main(int, char** arguments) {
  const int trials = std::atoi(arguments[1]);
  Random random(1);
  for (int trial = 0; trial < trials; ++trial) {
    if (agree<double, double>(random) && agree<float, double>(random) && agree<int32_t, int32_t>(random) &&
        agree<int32_t, int64_t>(random) && agree<int64_t, int64_t>(random))
      continue;
    std::fprintf(stderr, "trial %d differs\n", trial);
    return 1;
  }
  std::printf("%d trials\n", trials);
}
