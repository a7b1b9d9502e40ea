// The allowed pairs of a sparse assignment problem and their costs.
#pragma once

#include <cstdint>

namespace konig {

// Lists of pairs, row after row. Where integers of 64 bits are summed in 128, the largest of them forbids.
template <class S>
struct SparseCosts {
  int64_t rows = 0, cols = 0;
  const int64_t* start = nullptr;  // rows + 1
  const int32_t* col = nullptr;
  const S* cost = nullptr;
};

}  // namespace konig
