// Whether vertices come in the order of their lists.
//
// In a mesh in natural order the lists of neighbouring vertices lie close together. If the vertices of one
// side are permuted, neighbouring ones have lists far apart, though the entries of each list are still close
// together. A permuted other side scatters both alike.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "core/pattern.h"

namespace konig {

// The share of sampled vertices whose list is much farther from the next one's than its own entries are from
// each other: up to a fifth where both are random or both are in order, most where the vertices are permuted
// and the entries are not.
template <class Id, class Offset>
double share_out_of_order(const Adjacency<Id, Offset>& lists, Id vertices) {
  constexpr int64_t kSamples = 64, kFar = 8;
  int64_t sampled = 0, far = 0;
  for (int64_t i = 0; i < kSamples && vertices > 1; ++i) {
    const Id v = Id(double(vertices - 1) * double(i) / double(kSamples));
    if (lists.degree(v) < 2 || lists.degree(v + 1) < 1) continue;
    const Id* const own = lists.neighbour + lists.start[v];
    const int64_t first = own[0], second = own[1], next = lists.neighbour[lists.start[v + 1]];
    far += std::abs(next - first) > kFar * std::abs(second - first);
    ++sampled;
  }
  return sampled > 0 ? double(far) / double(sampled) : 0;
}

}  // namespace konig
