// Whether compressed lists are sound, in one sweep: they begin with 0, do not decrease, end within the
// entries that are there, and name neighbours in [0, bound). verdict[0] becomes one if not; verdict[1] is
// where they end. What is wrong, and where, is for a closer look.
#include "konig/kernels/entry.h"

extern "C" __global__ void check_lists(long long lists, long long entries, long long bound,
                                       const Offset* start, const Id* neighbour, long long* verdict) {
  const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  const long long stride = (long long)gridDim.x * blockDim.x;
  const long long end = start[lists];
  bool sound = start[0] == 0 && end <= entries;
  for (long long i = first; i < lists; i += stride) sound &= start[i] <= start[i + 1];
  for (long long k = first; k < end && k < entries; k += stride)
    sound &= neighbour[k] >= 0 && neighbour[k] < bound;
  if (!sound) verdict[0] = 1;
  if (first == 0) verdict[1] = end;
}
