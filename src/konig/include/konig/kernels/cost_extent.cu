// One read of costs on a GPU: their range, whether pairs are forbidden, and whether a cost is bad. KONIG_COST
// is the type of the costs; KONIG_REAL says whether it is a real one.
//
// Each block writes four words: the least and the greatest finite cost (reals as the bits of a double),
// whether there is an infinity that forbids, and whether there is a cost that no solver may see: a NaN, the
// other infinity, an end of 64-bit integers (when maximising, also the one after the least, whose sign
// changes).
using Cost = KONIG_COST;
#if KONIG_REAL
using Word = double;
#define KONIG_BITS(word) __double_as_longlong(word)
#else
using Word = long long;
#define KONIG_BITS(word) (word)
constexpr long long kMost = 0x7fffffffffffffffLL;
#endif

__device__ Word least_of(Word a, Word b) { return b < a ? b : a; }
__device__ Word greatest_of(Word a, Word b) { return a < b ? b : a; }

extern "C" __global__ void cost_extent(const Cost* cost, long long count, int maximize, long long* found) {
  __shared__ Word least_of_warp[32], greatest_of_warp[32];
#if KONIG_REAL
  const Word infinity = __longlong_as_double(0x7ff0000000000000LL);
  Word least = infinity, greatest = -infinity;
#else
  Word least = kMost, greatest = -kMost - 1;
#endif
  bool forbids = false, bad = false;
  for (long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x; k < count;
       k += (long long)gridDim.x * blockDim.x) {
    const Word here = cost[k];
#if KONIG_REAL
    if (!(here - here == 0)) {
      const bool forbidding = here == (maximize ? -infinity : infinity);
      forbids = forbids || forbidding;
      bad = bad || !forbidding;
      continue;
    }
#else
    if (sizeof(Cost) == 8) bad = bad || here <= -kMost - 1 + maximize || here == kMost;
#endif
    least = least_of(least, here);
    greatest = greatest_of(greatest, here);
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    least = least_of(least, __shfl_xor_sync(0xffffffffU, least, offset));
    greatest = greatest_of(greatest, __shfl_xor_sync(0xffffffffU, greatest, offset));
  }
  if (threadIdx.x % 32 == 0) {
    least_of_warp[threadIdx.x / 32] = least;
    greatest_of_warp[threadIdx.x / 32] = greatest;
  }
  const int some_forbid = __syncthreads_or(forbids), some_are_bad = __syncthreads_or(bad);
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < int(blockDim.x) / 32; ++warp) {
    least = least_of(least, least_of_warp[warp]);
    greatest = greatest_of(greatest, greatest_of_warp[warp]);
  }
  long long* const mine = found + 4 * blockIdx.x;
  mine[0] = KONIG_BITS(least);
  mine[1] = KONIG_BITS(greatest);
  mine[2] = some_forbid != 0;
  mine[3] = some_are_bad != 0;
}
