#include "assignment/scans/cost_rows.h"

#include <algorithm>
#include <cstring>

namespace konig {

template <class S, class Given>
void write_rows(const CostLayout& given, S* made) {
  const auto copy = [&](int64_t i, int64_t first, int64_t last, int64_t step) {
    const char* const from = given.base + i * given.down;
    S* const to = made + i * given.cols;
    for (int64_t j = first; j < last; ++j) {
      Given cost;
      std::memcpy(&cost, from + j * step, sizeof cost);
      to[j] = S(cost);
    }
  };
  if (given.right == sizeof(Given)) {  // a constant step lets the compiler convert many at once
    for (int64_t i = 0; i < given.rows; ++i) copy(i, 0, given.cols, sizeof(Given));
    return;
  }
  constexpr int64_t kTile = 32;  // whichever way the matrix lies, a tile of it stays in the cache
  for (int64_t i0 = 0; i0 < given.rows; i0 += kTile)
    for (int64_t j0 = 0; j0 < given.cols; j0 += kTile)
      for (int64_t i = i0; i < std::min(given.rows, i0 + kTile); ++i)
        copy(i, j0, std::min(given.cols, j0 + kTile), given.right);
}

template void write_rows<double, double>(const CostLayout&, double*);
template void write_rows<float, float>(const CostLayout&, float*);
template void write_rows<int32_t, uint8_t>(const CostLayout&, int32_t*);
template void write_rows<int32_t, int8_t>(const CostLayout&, int32_t*);
template void write_rows<int32_t, int16_t>(const CostLayout&, int32_t*);
template void write_rows<int32_t, uint16_t>(const CostLayout&, int32_t*);
template void write_rows<int32_t, int32_t>(const CostLayout&, int32_t*);
template void write_rows<int64_t, int64_t>(const CostLayout&, int64_t*);

}  // namespace konig
