// Sums and counts of whole numbers on a GPU. KONIG_WHOLE is their type.
using Whole = KONIG_WHOLE;

__device__ void add(long long value, long long* place) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffU, value, offset);
  if (threadIdx.x % 32 == 0 && value != 0)
    atomicAdd((unsigned long long*)place, (unsigned long long)value);  // two's complement serves signed words
}

// Adds to sum[0] what is above the lowest 31 bits of each number, and to sum[1] these bits: neither
// overflows.
extern "C" __global__ void whole_sum(const Whole* number, long long count, long long* sum) {
  long long high = 0, low = 0;
  for (long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x; k < count;
       k += (long long)gridDim.x * blockDim.x) {
    const long long here = number[k];
    high += here >> 31;
    low += here & 0x7fffffff;
  }
  add(high, sum);
  add(low, sum + 1);
}

// Adds to sum[0] how many numbers are not negative.
extern "C" __global__ void count_not_negative(const Whole* number, long long count, long long* sum) {
  long long found = 0;
  for (long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x; k < count;
       k += (long long)gridDim.x * blockDim.x)
    found += number[k] >= 0;
  add(found, sum);
}
