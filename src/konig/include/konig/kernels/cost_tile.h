// The tile of a matrix from what the host passes.
#pragma once

#include "konig/assignment/costs.h"

// Scales of both kinds come in; the type of the costs takes its own.
template <class C>
__device__ __forceinline__ konig::assignment::Tile<C> make_tile(const C* entry, long long stride,
                                                                long long base, long long flip,
                                                                long long masked,
                                                                const konig::assignment::RealScale&) {
  return {entry, stride, base, flip, masked};
}
__device__ __forceinline__ konig::assignment::Tile<float> make_tile(
    const float* entry, long long stride, long long, long long, long long,
    const konig::assignment::RealScale& scale) {
  return {entry, stride, scale};
}
__device__ __forceinline__ konig::assignment::Tile<double> make_tile(
    const double* entry, long long stride, long long, long long, long long,
    const konig::assignment::RealScale& scale) {
  return {entry, stride, scale};
}
