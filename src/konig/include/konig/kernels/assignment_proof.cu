// What an answer and its proof read of a matrix on a GPU (native/assignment/exact/core.h). KONIG_COST is the
// type of the costs, which are minimised, or negated and minimised if `sign` is -1.
//
// What follows a launch of a solver is told where its status is: the answer may not be there yet.
#include "konig/exact.h"

using Cost = KONIG_COST;

constexpr long long kOptimal = 1;  // of the solvers that find such answers
__device__ bool is_there(const long long* status) { return !status || *status == kOptimal; }

// The cost of one pair in each row: a thread for each.
extern "C" __global__ void pair_costs(const Cost* cost, long long rows, long long cols, const int* col_of_row,
                                      Cost* found, const long long* status) {
  const long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && is_there(status)) found[row] = cost[row * cols + col_of_row[row]];
}

// The column duals of reals from those of the whole numbers that were solved (konig/assignment/costs.h), to
// be minimised. On a square the middle of all is taken off: smaller numbers round less. One block.
extern "C" __global__ void real_col_duals(const long long* dual, long long cols, long long is_square,
                                          double sign, double first, double second, double* found,
                                          const long long* status) {
  if (!is_there(status)) return;
  __shared__ long long least_of_warp[32], greatest_of_warp[32];
  long long least = dual[0], greatest = dual[0];
  if (is_square) {
    for (long long j = threadIdx.x; j < cols; j += blockDim.x) {
      least = min(least, dual[j]);
      greatest = max(greatest, dual[j]);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
      least = min(least, __shfl_xor_sync(0xffffffffU, least, offset));
      greatest = max(greatest, __shfl_xor_sync(0xffffffffU, greatest, offset));
    }
    if (threadIdx.x % 32 == 0) {
      least_of_warp[threadIdx.x / 32] = least;
      greatest_of_warp[threadIdx.x / 32] = greatest;
    }
    __syncthreads();
    for (int warp = 0; warp < int(blockDim.x) / 32; ++warp) {
      least = min(least, least_of_warp[warp]);
      greatest = max(greatest, greatest_of_warp[warp]);
    }
  }
  const long long middle = is_square ? (least + greatest) >> 1 : 0;
  for (long long j = threadIdx.x; j < cols; j += blockDim.x)
    found[j] = sign * (double(dual[j] - middle) / first / second);
}

// lowest[i] is the smallest cost - dual of row i, rounded down: a block for each row. If it is wanted,
// paid[i] is what the pair of the row costs.
extern "C" __global__ void lowest_slacks(const Cost* cost, long long cols, double sign,
                                         const double* col_dual, double* lowest, const int* col_of_row,
                                         Cost* paid, const long long* status) {
  if (!is_there(status)) return;
  __shared__ double of_warp[32];
  const Cost* const row = cost + blockIdx.x * cols;
  if (paid && threadIdx.x == 0) paid[blockIdx.x] = row[col_of_row[blockIdx.x]];
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

// How many pairs of row row_of[b] have cost - dual at most bound[b], and the columns and costs of those that
// there is room for: in each of the lists, or in one that begins at first[b] and has room for all. A block
// for each row.
extern "C" __global__ void pairs_within(const Cost* cost, long long cols, double sign, const double* col_dual,
                                        const long long* row_of, const double* bound, const long long* first,
                                        int room, int* count, int* col, double* cost_of) {
  __shared__ int counted;
  const Cost* const row = cost + row_of[blockIdx.x] * cols;
  const double within = bound[blockIdx.x];
  const long long begin = first ? first[blockIdx.x] : (long long)blockIdx.x * room;
  if (threadIdx.x == 0) counted = 0;
  __syncthreads();
  for (long long j = threadIdx.x; j < cols; j += blockDim.x) {
    const double here = sign * double(row[j]);
    if (!(here - col_dual[j] <= within)) continue;
    const int place = atomicAdd(&counted, 1);
    if (!first && place >= room) continue;
    col[begin + place] = int(j);
    cost_of[begin + place] = here;
  }
  __syncthreads();
  if (threadIdx.x == 0 && !first) count[blockIdx.x] = counted;
}
