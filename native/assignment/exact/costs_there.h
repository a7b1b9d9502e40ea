// Real costs on a GPU as a proof reads them. konig/kernels/assignment_proof.cu has the kernels.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "assignment/exact/distant_costs.h"
#include "gpu/driver.h"

namespace konig {

constexpr unsigned kRowThreads = 256, kLongRowThreads = 1024;  // of a block, which reads one row
constexpr int64_t kLongRow = int64_t(1) << 14;                 // costs
inline unsigned threads_of_row(int64_t cols) { return cols < kLongRow ? kRowThreads : kLongRowThreads; }

// Where a matrix of costs is, row after row, and what reads it there.
struct CostsOnDevice {
  uintptr_t cost;
  int64_t rows, cols;
  int64_t item_bytes;  // 4 for float32, 8 for float64
  double sign;         // -1: negated and minimised
  Driver::Kernel pair_costs, lowest_slacks, pairs_within;
  uintptr_t stream;
};

class CostsThere : public DistantCosts {
 public:
  // `memory` is scratch_bytes() of the device's. `allocate` gives as many more as it is asked for: they stay
  // until it is asked again, or this object goes.
  CostsThere(const Driver& driver, const CostsOnDevice& costs, uintptr_t memory,
             std::function<uintptr_t(int64_t)> allocate);

  // What is known of an answer and need not be read again: what these pairs cost the caller, and the lowest
  // slacks of this very matrix for these duals.
  void know_costs(const int32_t* col_of_row, const double* paid);
  void know_lowest(const double* col_dual, const double* lowest);

  void find_costs(const int32_t* col_of_row, double* cost) const override;
  void find_lowest(const double* col_dual, double* lowest, Run& run) const override;
  std::optional<Pairs> list_pairs(const std::vector<int32_t>& asked, const double* col_dual,
                                  const double* bound, int64_t most) const override;

  static int64_t scratch_bytes(int64_t rows, int64_t cols);

 private:
  void launch(const Driver::Kernel& kernel, int64_t blocks, std::vector<void*> arguments) const;
  template <class Cost>
  void read_costs(uintptr_t from, double* cost) const;
  uintptr_t spare(int64_t bytes) const;

  const Driver& driver_;
  const CostsOnDevice there_;
  const uintptr_t memory_;
  const std::function<uintptr_t(int64_t)> allocate_;
  std::vector<int32_t> known_pairs_;
  std::vector<double> known_cost_;
  std::vector<double> known_dual_, known_lowest_;
  mutable uintptr_t spare_ = 0;
  mutable int64_t spare_bytes_ = 0;
};

}  // namespace konig
