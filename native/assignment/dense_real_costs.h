// Dense real costs as a proof reads them (real_proof.h), on several threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/exact/real_proof.h"
#include "assignment/scans/dense_scans.h"
#include "core/exact.h"
#include "core/row_workers.h"

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

  void find_costs(const int32_t* col_of_row, double* cost) const override {
    for (int64_t i = 0; i < rows; ++i) cost[i] = double(cost_[i * cols + col_of_row[i]]);
  }

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

  Pairs find_pairs(const double* col_dual, const double* bound, int64_t most, Run& run) const override {
    Pairs found{std::vector<int64_t>(1, 0), {}};
    std::vector<int32_t> column(size_t(cols + kMoreRoom));
    for (int64_t i = 0; i < rows; ++i) {
      const double above = std::nextafter(bound[i], std::numeric_limits<double>::infinity());
      const S* const row = cost_.data + i * cols;
      int64_t count = scans_.below(row, col_dual, above, cols, column.data(), cols);
      const auto slack = [&](int32_t j) { return double(cost_[i * cols + j]) - col_dual[j]; };
      if (count > most) {
        std::nth_element(column.begin(), column.begin() + most, column.begin() + count,
                         [&](int32_t a, int32_t b) { return slack(a) < slack(b); });
        count = most;
      }
      for (int64_t k = 0; k < count; ++k)
        found.pair.push_back({column[k], double(cost_[i * cols + column[k]])});
      found.start.push_back(int64_t(found.pair.size()));
      run.spend(cols / 4 + 1);
    }
    return found;
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
