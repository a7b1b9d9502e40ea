// Dense real costs as a proof reads them (real_proof.h), on several threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/exact.h"
#include "multicore/assignment/row_workers.h"
#include "sequential/assignment/dense_scans.h"
#include "sequential/assignment/real_proof.h"

namespace konig {

// A solver that knows nothing about the rows but what is stored.
struct NoLists {};

// P, the solver, may know more about its rows than what is stored: `lowest_listed(row, col_dual, largest)` is
// the smallest cost - dual of a row, rounded down, or not above it, if a few columns tell; NaN if not.
// `largest` is the largest dual.
template <class S, class P = NoLists>
class DenseRealCosts : public RealCosts {
 public:
  DenseRealCosts(int64_t rows, int64_t cols, SignedCosts<S> cost, const P& paths, int threads)
      : RealCosts(rows, cols),
        cost_(cost),
        scans_(dense_scans<S, double>(cost.negated)),
        paths_(paths),
        threads_(threads) {}

  double cost(int64_t i, int64_t j) const override { return double(cost_[i * cols + j]); }

  void find_lowest(const double* col_dual, double* lowest, Run& run) const override {
    const double largest = kHasLists && cols ? *std::max_element(col_dual, col_dual + cols) : 0.0;
    const auto find = [&](int, int64_t first, int64_t last) {
      if constexpr (kHasLists)
        for (int64_t i = first; i < last; ++i) lowest[i] = paths_.lowest_listed(i, col_dual, largest);
      const RoundingDown down;
      for (int64_t i = first; i < last; ++i)
        if (!kHasLists || std::isnan(lowest[i]))
          lowest[i] = scans_.smallest(cost_.data + i * cols, col_dual, cols);
    };
    if (rows * cols >= kWorthPieces) return for_rows(threads_, rows, cols, run, find);
    find(0, 0, rows);
    run.spend(rows * (cols / 4 + 1));
  }

  void find_pairs(int64_t i, const double* col_dual, double bound, std::vector<Pair>& found) const override {
    std::vector<int32_t> columns(size_t(cols + kMoreRoom));
    const double above = std::nextafter(bound, std::numeric_limits<double>::infinity());
    const int64_t count = scans_.below(cost_.data + i * cols, col_dual, above, cols, columns.data(), cols);
    for (int64_t k = 0; k < count; ++k) found.push_back({columns[k], cost(i, columns[k])});
  }

 private:
  static constexpr bool kHasLists = requires(const P& p) { p.lowest_listed(0, nullptr, 0.0); };
  static constexpr int64_t kWorthPieces = 1 << 16;

  const SignedCosts<S> cost_;
  const DenseScans<S, double>& scans_;
  const P& paths_;
  const int threads_;
};

}  // namespace konig
