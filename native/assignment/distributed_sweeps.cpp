#include "assignment/distributed_sweeps.h"

#include <algorithm>

#include "core/shared_loop.h"
#include "konig/assignment/costs.h"

namespace konig {
namespace {

using assignment::kInfinite;

constexpr int64_t kOutOfSearch = Bounds<int64_t>::scanned;

// Columns whose keys and duals stay in the first level cache while rows pass by.
constexpr int64_t kStripCols = 1024;
static_assert(kStripCols % kScanBlock == 0);

// f(first, cols) for strips of columns, against so many rows.
template <class S, class F>
void for_strips(const NumberBlock<S>& block, int64_t rows, Run& run, const F& f) {
  const int64_t strips = (block.cols + kStripCols - 1) / kStripCols;
  for_rows(block.threads, strips, rows * kStripCols, run, [&](int, int64_t begin, int64_t end) {
    for (int64_t strip = begin; strip < end; ++strip) {
      const int64_t first = strip * kStripCols;
      f(first, std::min(kStripCols, block.cols - first));
    }
  });
}

}  // namespace

template <class S>
void whole_numbers(const S* cost, int64_t count, double base, double first, double second, int threads,
                   int64_t* number, Run& run) {
  const assignment::RealScale scale{base, first, second};
  for_rows(threads, count, 1, run, [&](int, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) number[k] = scale.value(double(cost[k]));
  });
}

template <class S>
void lowest_of_rows(const NumberBlock<S>& block, const int32_t* row, int64_t count, const int64_t* col_dual,
                    int64_t* lowest, Run& run) {
  const auto& scans = dense_scans<S, int64_t>(block.negated);
  for_rows(block.threads, count, block.cols, run, [&](int, int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k)
      lowest[k] = scans.smallest(block.number + row[k] * block.cols, col_dual, block.cols);
  });
}

template <class S>
void lowest_of_cols(const NumberBlock<S>& block, const int64_t* row_dual, int64_t* lowest, Run& run) {
  const auto& scans = dense_scans<S, int64_t>(block.negated);
  const std::vector<int64_t> no_dual(kStripCols);
  std::fill_n(lowest, block.cols, kInfinite);
  for_strips(block, block.rows, run, [&](int64_t first, int64_t cols) {
    std::vector<int32_t> row_of_lowest(kStripCols);
    std::vector<int64_t> block_least(kStripCols / kScanBlock);
    for (int64_t i = 0; i < block.rows; ++i)
      scans.relax(block.number + i * block.cols + first, no_dual.data(), row_dual[i], 0, cols, lowest + first,
                  row_of_lowest.data(), block_least.data());
  });
}

template <class S>
std::vector<int32_t> zero_edges(const NumberBlock<S>& block, const int64_t* row_dual, const int64_t* col_dual,
                                int32_t* count, Run& run) {
  const auto& scans = dense_scans<S, int64_t>(block.negated);
  std::vector<std::vector<int32_t>> of_piece(size_t(block.rows));  // by the first row of a piece
  std::vector<std::vector<int32_t>> row_by(static_cast<size_t>(block.threads));  // one for each worker
  for_rows(block.threads, block.rows, block.cols, run, [&](int worker, int64_t first, int64_t last) {
    std::vector<int32_t>& of_row = row_by[worker];
    of_row.resize(size_t(block.cols + kMoreRoom));
    for (int64_t i = first; i < last; ++i) {
      const S* const numbers = block.number + i * block.cols;
      count[i] =
          int32_t(scans.below(numbers, col_dual, row_dual[i] + 1, block.cols, of_row.data(), block.cols));
      of_piece[first].insert(of_piece[first].end(), of_row.begin(), of_row.begin() + count[i]);
    }
  });
  int64_t total = 0;
  for (const auto& some : of_piece) total += int64_t(some.size());
  std::vector<int32_t> edges;
  edges.reserve(size_t(total));
  for (const auto& some : of_piece) edges.insert(edges.end(), some.begin(), some.end());
  return edges;
}

template <class S>
void claim_zero_cols(const NumberBlock<S>& block, const int32_t* row, int64_t count, const int64_t* row_dual,
                     int64_t* open_dual, int32_t* claimed, Run& run) {
  const auto& scans = dense_scans<S, int64_t>(block.negated);
  for (int64_t k = 0; k < count; ++k) {
    const S* const numbers = block.number + row[k] * block.cols;
    const int64_t col = scans.column_with(numbers, open_dual, row_dual[row[k]], block.cols, -1);
    claimed[k] = int32_t(col);
    if (col >= 0) open_dual[col] = kOutOfSearch;
    run.spend(block.cols / 4 + 1);
  }
}

template <class S>
void relax_cols(const NumberBlock<S>& block, const int32_t* row, int64_t count, const int64_t* row_dual,
                int64_t shift, const OpenColumns& open, Run& run) {
  const auto& scans = dense_scans<S, int64_t>(block.negated);
  for_strips(block, count, run, [&](int64_t first, int64_t cols) {
    for (int64_t k = 0; k < count; ++k)
      scans.relax(block.number + row[k] * block.cols + first, open.dual + first, row_dual[row[k]] - shift,
                  row[k], cols, open.key + first, open.before + first, open.block_least + first / kScanBlock);
  });
}

std::vector<int64_t> take_reached(const OpenColumns& open, int64_t shift, int64_t first) {
  std::vector<int64_t> told(1, kInfinite);
  for (int64_t begin = 0; begin < open.cols; begin += kScanBlock) {
    int64_t& least = open.block_least[begin / kScanBlock];
    if (least <= shift) {
      least = kInfinite;
      for (int64_t j = begin; j < std::min(begin + kScanBlock, open.cols); ++j) {
        if (open.key[j] <= shift) {
          open.key[j] = kInfinite;
          open.dual[j] = kOutOfSearch;
          told.push_back(PackedEdge(open.before[j], int32_t(first + j)).packed);
        }
        least = std::min<int64_t>(least, open.key[j]);
      }
    }
    told[0] = std::min<int64_t>(told[0], least);
  }
  return told;
}

template void whole_numbers(const float*, int64_t, double, double, double, int, int64_t*, Run&);
template void whole_numbers(const double*, int64_t, double, double, double, int, int64_t*, Run&);

#define KONIG_INSTANTIATE(S)                                                                                \
  template void lowest_of_rows(const NumberBlock<S>&, const int32_t*, int64_t, const int64_t*, int64_t*,    \
                               Run&);                                                                       \
  template void lowest_of_cols(const NumberBlock<S>&, const int64_t*, int64_t*, Run&);                      \
  template std::vector<int32_t> zero_edges(const NumberBlock<S>&, const int64_t*, const int64_t*, int32_t*, \
                                           Run&);                                                           \
  template void claim_zero_cols(const NumberBlock<S>&, const int32_t*, int64_t, const int64_t*, int64_t*,   \
                                int32_t*, Run&);                                                            \
  template void relax_cols(const NumberBlock<S>&, const int32_t*, int64_t, const int64_t*, int64_t,         \
                           const OpenColumns&, Run&);
KONIG_INSTANTIATE(int32_t)
KONIG_INSTANTIATE(int64_t)

}  // namespace konig
