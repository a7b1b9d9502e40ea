// Sums, minima and parts of a matrix of costs on a GPU, for starts from other duals
// (konig/assignment/lines.py). KONIG_COST is the type of the costs, KONIG_EXACT that of differences. `sign`
// is -1 where costs are negated, else 1. What is added is added in the same order every time.
using Cost = KONIG_COST;
using Exact = KONIG_EXACT;

constexpr int kWarp = 32;
constexpr int kStrips = 8;  // of rows, that a block of columns is dealt into

struct Sum {
  using Value = double;
  static __device__ double nothing() { return 0; }
  static __device__ double value(Exact cost, const double* weight, long long at) {
    return double(cost) * weight[at];
  }
  static __device__ double join(double a, double b) { return a + b; }
};

struct Least {
  using Value = Exact;
  static __device__ Exact nothing() { return KONIG_MOST; }
  static __device__ Exact value(Exact cost, const Exact* dual, long long at) { return cost - dual[at]; }
  static __device__ Exact join(Exact a, Exact b) { return b < a ? b : a; }
};

// found[i] joins what there is of row i: a block for each row.
template <class Of>
__device__ void join_row(const Cost* cost, long long cols, Exact sign, const typename Of::Value* of_col,
                         typename Of::Value* found) {
  __shared__ typename Of::Value of_warp[kWarp];
  const Cost* const row = cost + blockIdx.x * cols;
  typename Of::Value mine = Of::nothing();
  for (long long j = threadIdx.x; j < cols; j += blockDim.x)
    mine = Of::join(mine, Of::value(sign * Exact(row[j]), of_col, j));
  for (int offset = kWarp / 2; offset > 0; offset /= 2)
    mine = Of::join(mine, __shfl_xor_sync(0xffffffffU, mine, offset));
  if (threadIdx.x % kWarp == 0) of_warp[threadIdx.x / kWarp] = mine;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < int(blockDim.x) / kWarp; ++warp) mine = Of::join(mine, of_warp[warp]);
  found[blockIdx.x] = mine;
}

// The same of columns: a block for kWarp of them, of kWarp x kStrips threads.
template <class Of>
__device__ void join_cols(const Cost* cost, long long rows, long long cols, Exact sign,
                          const typename Of::Value* of_row, typename Of::Value* found) {
  __shared__ typename Of::Value of_strip[kStrips][kWarp];
  const long long col = (long long)blockIdx.x * kWarp + threadIdx.x;
  typename Of::Value mine = Of::nothing();
  if (col < cols)
    for (long long i = threadIdx.y; i < rows; i += kStrips)
      mine = Of::join(mine, Of::value(sign * Exact(cost[i * cols + col]), of_row, i));
  of_strip[threadIdx.y][threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.y > 0 || col >= cols) return;
  for (int strip = 1; strip < kStrips; ++strip) mine = Of::join(mine, of_strip[strip][threadIdx.x]);
  found[col] = mine;
}

extern "C" __global__ void row_sums(const Cost* cost, long long cols, Exact sign, const double* weight,
                                    double* found) {
  join_row<Sum>(cost, cols, sign, weight, found);
}

extern "C" __global__ void row_minima(const Cost* cost, long long cols, Exact sign, const Exact* col_dual,
                                      Exact* found) {
  join_row<Least>(cost, cols, sign, col_dual, found);
}

extern "C" __global__ void col_sums(const Cost* cost, long long rows, long long cols, Exact sign,
                                    const double* weight, double* found) {
  join_cols<Sum>(cost, rows, cols, sign, weight, found);
}

extern "C" __global__ void col_minima(const Cost* cost, long long rows, long long cols, Exact sign,
                                      const Exact* row_dual, Exact* found) {
  join_cols<Least>(cost, rows, cols, sign, row_dual, found);
}

// The entries (row[k], col[k]).
extern "C" __global__ void entries(const Cost* cost, long long cols, Exact sign, const long long* row,
                                   const long long* col, long long count, Exact* found) {
  const long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) found[k] = sign * Exact(cost[row[k] * cols + col[k]]);
}

// The matrix of some rows and some columns, as it is stored: a block for each row.
extern "C" __global__ void part_of(const Cost* cost, long long cols, const long long* row,
                                   const long long* col, long long chosen, Cost* found) {
  const Cost* const from = cost + row[blockIdx.x] * cols;
  for (long long k = threadIdx.x; k < chosen; k += blockDim.x) found[blockIdx.x * chosen + k] = from[col[k]];
}

// Costs above the bound are replaced.
extern "C" __global__ void forbid_above(const Cost* cost, long long count, Exact sign, Exact bound,
                                        Cost forbidden, Cost* found) {
  const long long step = (long long)gridDim.x * blockDim.x;
  for (long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x; k < count; k += step)
    found[k] = sign * Exact(cost[k]) > bound ? forbidden : cost[k];
}

// The transposed matrix, by tiles of kWarp x kWarp: a block of kWarp x kStrips threads for each.
extern "C" __global__ void transposed(const Cost* cost, long long rows, long long cols, Cost* found) {
  __shared__ Cost tile[kWarp][kWarp + 1];
  const long long tiles = (cols + kWarp - 1) / kWarp;
  const long long top = blockIdx.x / tiles * kWarp, left = blockIdx.x % tiles * kWarp;
  for (int i = threadIdx.y; i < kWarp; i += kStrips)
    if (top + i < rows && left + threadIdx.x < cols)
      tile[i][threadIdx.x] = cost[(top + i) * cols + left + threadIdx.x];
  __syncthreads();
  for (int i = threadIdx.y; i < kWarp; i += kStrips)
    if (left + i < cols && top + threadIdx.x < rows)
      found[(left + i) * rows + top + threadIdx.x] = tile[threadIdx.x][i];
}
