// One read of costs on a GPU: their range, whether pairs are forbidden, and whether a cost is bad. KONIG_COST
// is the type of the costs; KONIG_REAL says whether it is a real one.
//
// Four words, all bits set before, of which each block lowers some: a key of the least finite cost, that of
// the greatest inverted, 0 if there is an infinity that forbids, 0 if there is a cost that no solver may see:
// a NaN, the other infinity, an end of 64-bit integers (when maximising, also the one after the least, whose
// sign changes). Keys are unsigned and in the order of the costs: whole numbers with the sign bit inverted;
// reals as the bits of a double, all inverted if it is negative, else the sign bit alone.
using Cost = KONIG_COST;
#if KONIG_REAL
using Word = double;
#else
using Word = long long;
constexpr long long kMost = 0x7fffffffffffffffLL;
#endif

__device__ Word least_of(Word a, Word b) { return b < a ? b : a; }
__device__ Word greatest_of(Word a, Word b) { return a < b ? b : a; }

using Key = unsigned long long;
constexpr Key kSign = 1ULL << 63;

__device__ Key key_of(Word word) {
#if KONIG_REAL
  const Key bits = Key(__double_as_longlong(word));
  return bits & kSign ? ~bits : bits | kSign;
#else
  return Key(word) ^ kSign;
#endif
}

extern "C" __global__ void cost_extent(const Cost* cost, long long count, long long maximize, Key* found) {
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
  if (least <= greatest) {
    atomicMin(found, key_of(least));
    atomicMin(found + 1, ~key_of(greatest));
  }
  if (some_forbid) atomicMin(found + 2, 0ULL);
  if (some_are_bad) atomicMin(found + 3, 0ULL);
}
