// The bottleneck assignment problem: rows are assigned to columns of their own, all rows or all columns, so
// that the largest cost is as small as possible; maximising, the smallest cost as large as possible.
#pragma once

#include <cstdint>
#include <vector>

#include "core/run.h"

namespace konig {

struct BottleneckAnswer {
  bool bad_costs = false;  // one is NaN, or infinite on the side that forbids nothing: nothing was solved
  bool feasible = false;
  int64_t size = 0;
  std::vector<int32_t> col_of_row;  // -1 where nothing is assigned
  // Rows and columns, as masks, that meet every entry below the bottleneck and are fewer than the pairs. If
  // there is no full assignment, they meet every allowed entry and are fewer than a full one has pairs.
  std::vector<uint8_t> row_cover, col_cover;
  // If an assignment need not be full, and none is: as many rows and columns as pairs that meet every allowed
  // entry. Empty otherwise.
  std::vector<uint8_t> all_row_cover, all_col_cover;
};

struct BottleneckOptions {
  bool maximize = false;
  bool full = true;  // all of the shorter side must be assigned; otherwise as many as can be
  int threads = 1;
};

// Row after row.
template <class S>
struct DenseCosts {
  const S* cost = nullptr;
  int64_t rows = 0, cols = 0;
};

// S is int32_t, int64_t, float or double. An infinite cost forbids a pair (-inf when maximising).
template <class S>
BottleneckAnswer dense_bottleneck(const DenseCosts<S>& costs, const BottleneckOptions& options, Run& run);

template <class S>
struct SparseCosts;
template <class S>
BottleneckAnswer sparse_bottleneck(const SparseCosts<S>& costs, const BottleneckOptions& options, Run& run);

}  // namespace konig
