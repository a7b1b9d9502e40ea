// The net flow between every two vertices that an arc connects, as an antisymmetric matrix: the flow minus
// its transpose, on the entries of both, zeros kept.
#pragma once

#include <cstdint>
#include <vector>

#include "core/run.h"

namespace konig {

// Lists are sorted, each head at most once. `net_start` has one more than there are vertices, `net_head` and
// `net_flow` room for twice as many entries as there are arcs. Returns how many there are.
template <class Index>
int64_t net_flows(const Index* start, const Index* head, const int64_t* flow, Index vertices,
                  Index* net_start, Index* net_head, int64_t* net_flow, Run& run) {
  const Index arcs = start[vertices];
  std::vector<Index> in_start(size_t(vertices) + 1, 0), tail(arcs), in_arc(arcs);
  for (Index a = 0; a < arcs; ++a) ++in_start[head[a] + 1];
  for (Index v = 0; v < vertices; ++v) in_start[v + 1] += in_start[v];
  for (Index u = 0; u < vertices; ++u) {
    for (Index a = start[u]; a < start[u + 1]; ++a) {
      const Index at = in_start[head[a]]++;
      tail[at] = u;
      in_arc[at] = a;
    }
    run.spend(start[u + 1] - start[u] + 1);
  }
  // Each in_start has moved on to where the next list begins.
  int64_t count = 0;
  for (Index v = 0; v < vertices; ++v) {
    net_start[v] = Index(count);
    Index out = start[v], in = v ? in_start[v - 1] : 0;
    while (out < start[v + 1] || in < in_start[v]) {
      const bool has_out = out < start[v + 1], has_in = in < in_start[v];
      const Index other = !has_in || (has_out && head[out] <= tail[in]) ? head[out] : tail[in];
      int64_t amount = 0;
      if (has_out && head[out] == other) amount += flow[out++];
      if (has_in && tail[in] == other) amount -= flow[in_arc[in++]];
      net_head[count] = other;
      net_flow[count++] = amount;
    }
    run.spend(start[v + 1] - start[v] + 1);
  }
  net_start[vertices] = Index(count);
  return count;
}

}  // namespace konig
