// What a proof of real costs reads of a matrix on a GPU (native/assignment/exact/core.h): a block
// for each row. KONIG_COST is the type of the costs, which are minimised, or negated and minimised if `sign`
// is -1.
#include "konig/exact.h"

using Cost = KONIG_COST;

// lowest[i] is the smallest cost - dual of row i, rounded down.
extern "C" __global__ void lowest_slacks(const Cost* cost, long long cols, double sign,
                                         const double* col_dual, double* lowest) {
  __shared__ double of_warp[32];
  const Cost* const row = cost + blockIdx.x * cols;
  double mine = __longlong_as_double(0x7ff0000000000000LL);
  for (long long j = threadIdx.x; j < cols; j += blockDim.x)
    mine = fmin(mine, konig::difference_below(sign * double(row[j]), col_dual[j]));
  for (int offset = 16; offset > 0; offset /= 2)
    mine = fmin(mine, __shfl_xor_sync(0xffffffffU, mine, offset));
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < int(blockDim.x) / 32; ++warp) mine = fmin(mine, of_warp[warp]);
  lowest[blockIdx.x] = mine;
}

// The pairs with cost - dual at most the bound of their row, `most` of them at the most. Where there are more
// the bound is moved towards the lowest: the best of them are listed, and perhaps fewer than `most`.
extern "C" __global__ void pairs_within(const Cost* cost, long long cols, double sign, const double* col_dual,
                                        const double* lowest, const double* bound, int most, int* count,
                                        int* col, double* cost_of) {
  constexpr int kHalvings = 64;  // by then the bounds are neighbours
  __shared__ int counted;
  const Cost* const row = cost + blockIdx.x * cols;
  double within = bound[blockIdx.x], least = lowest[blockIdx.x];
  if (!(within >= least)) {
    if (threadIdx.x == 0) count[blockIdx.x] = 0;
    return;
  }
  const auto pairs_below = [&](double limit) {
    __syncthreads();
    if (threadIdx.x == 0) counted = 0;
    __syncthreads();
    int mine = 0;
    for (long long j = threadIdx.x; j < cols; j += blockDim.x)
      mine += sign * double(row[j]) - col_dual[j] <= limit;
    if (mine > 0) atomicAdd(&counted, mine);
    __syncthreads();
    return counted;
  };
  int found = pairs_below(within);
  for (int k = 0; k < kHalvings && found > most; ++k) {
    const double middle = least + (within - least) / 2;
    const int below = pairs_below(middle);
    if (below == 0) {
      least = middle;
    } else {
      within = middle;
      found = below;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) counted = 0;
  __syncthreads();
  const long long first = (long long)blockIdx.x * most;
  for (long long j = threadIdx.x; j < cols; j += blockDim.x) {
    const double here = sign * double(row[j]);
    if (!(here - col_dual[j] <= within)) continue;
    const int place = atomicAdd(&counted, 1);
    if (place >= most) continue;
    col[first + place] = int(j);
    cost_of[first + place] = here;
  }
  __syncthreads();
  if (threadIdx.x == 0) count[blockIdx.x] = counted < most ? counted : most;
}
