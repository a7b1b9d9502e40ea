// Dinic (1970): Algorithm for solution of a problem of maximum flow in networks with power estimation.
//
// Each phase labels vertices with their distance to the sink in the residual network, then saturates all
// paths that descend one label at a time. A vertex that the source could still feed at the end of a phase is
// farther from the sink in the next one, so there are at most as many phases as vertices.
//
// Deviation: a phase serves all vertices that the source feeds, not only the nearest ones, each on its own
// shortest paths. The bound on phases above is the same, and there are far fewer of them. The knob "nearest"
// is the paper's own: then the flow goes along paths of increasing length.
#pragma once

#include <cstdint>

#include "core/run.h"
#include "flow/labels.h"

namespace konig {

template <class Network>
void solve_by_dinic(Network& network, bool nearest_only, Run& run) {
  using Index = typename Network::Index;
  Labels<Network> labels(network, run);
  int64_t phases = 0;
  for (;; ++phases) {
    labels.search();
    if (labels.fed.empty()) break;
    const Index nearest = labels.of[labels.fed[0]];
    for (const Index root : labels.fed)
      if (!nearest_only || labels.of[root] == nearest) labels.augment_from(root, INT64_MAX);
  }
  for (Index v = 0; v < network.vertices; ++v) network.source_side[v] = labels.of[v] == labels.unreachable;
  run.count("phases", phases);
  run.count("augmentations", labels.paths);
  run.count("arc_scans", labels.path_scans);
  run.count("level_arc_scans", labels.search_scans);
}

}  // namespace konig
