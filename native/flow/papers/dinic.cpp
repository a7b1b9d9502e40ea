// Dinic (1970): Algorithm for solution of a problem of maximum flow in networks with power estimation.
//
// Each phase labels vertices with their distance to the sink in the residual network, then saturates all
// paths that descend one label at a time: depth-first searches from the vertices that the source can still
// feed, with current arcs, so that no arc is found useless twice in a phase. A vertex that the source could
// still feed at the end of a phase is farther from the sink in the next one, so there are at most as many
// phases as vertices.
//
// Deviation: a phase serves all vertices that the source feeds, not only the nearest ones, each on its own
// shortest paths. The bound on phases above is the same, and there are far fewer of them. The knob "nearest"
// is the paper's own: then the flow goes along paths of increasing length.
#include <algorithm>
#include <cstdint>

#include "core/large_array.h"
#include "flow/residual.h"
#include "flow/solvers.h"

namespace konig {
namespace {

template <class Network>
class Dinic {
 public:
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;

  Dinic(Network& network, bool nearest_only, Run& run)
      : network_(network),
        nearest_only_(nearest_only),
        slots_(network.slots.data()),
        n_(network.vertices),
        run_(run),
        label_(size_t(n_)),
        current_(size_t(n_)),
        queue_(size_t(n_)),
        path_(size_t(n_)) {}

  void solve() {
    while (label_vertices()) {
      ++phases_;
      for (Index v = 0; v < n_; ++v)
        if (network_.balance[v] > 0 && served(v)) saturate_paths_from(v);
      run_.spend(n_);
    }
    for (Index v = 0; v < n_; ++v) network_.source_side[v] = label_[v] == kUnreached;
    run_.count("phases", phases_);
    run_.count("augmentations", augmentations_);
    run_.count("arc_scans", arc_scans_);
    run_.count("level_arc_scans", level_arc_scans_);
  }

 private:
  static constexpr Index kUnreached = -1;

  bool served(Index v) const { return nearest_only_ ? label_[v] == nearest_ : label_[v] != kUnreached; }

  // Breadth-first search from the sink against residual arcs; says whether a vertex with supply was reached.
  bool label_vertices() {
    Index found = 0;
    for (Index v = 0; v < n_; ++v) {
      label_[v] = kUnreached;
      if (network_.balance[v] >= 0) continue;
      label_[v] = 1;
      queue_[found++] = v;
    }
    run_.spend(n_);
    bool supplied = false;
    for (Index k = 0; k < found; ++k) {
      const Index v = queue_[k], first = network_.start[v], last = network_.start[v + 1];
      current_[v] = first;
      if (!supplied && network_.balance[v] > 0) {
        supplied = true;
        nearest_ = label_[v];
      }
      for (Index a = first; a < last; ++a) {
        const Index u = slots_[a].other;
        if (slots_[a].in == 0 || label_[u] != kUnreached) continue;
        label_[u] = label_[v] + 1;
        queue_[found++] = u;
      }
      level_arc_scans_ += last - first;
      run_.spend(last - first + 1);
    }
    return supplied;
  }

  // Walks down the labels; path_ holds the slots from the root to the present vertex.
  void saturate_paths_from(Index root) {
    Index length = 0, v = root;
    for (;;) {
      if (label_[v] == 1) {
        length = augment(root, v, length);
        if (network_.balance[root] == 0) return;
        v = length == 0 ? root : slots_[path_[length - 1]].other;
        if (label_[v] == 1 && network_.balance[v] < 0) continue;
      }
      const Index a = label_[v] > 1 ? descend(v) : kUnreached;
      if (a != kUnreached) {
        path_[length++] = a;
        v = slots_[a].other;
        continue;
      }
      if (length == 0) return;
      --length;  // no way on from v in this phase
      const Index back = path_[length];
      v = slots_[network_.reverse(back)].other;
      ++current_[v];
    }
  }

  // The next residual arc to a lower label whose head may have a way on.
  Index descend(Index v) {
    const Index last = network_.start[v + 1], began = current_[v];
    Index a = began;
    const Index below = label_[v] - 1;
    while (a < last && (slots_[a].out == 0 || label_[slots_[a].other] != below)) ++a;
    current_[v] = a;
    arc_scans_ += a - began + 1;
    run_.spend(a - began + 1);
    return a < last ? a : kUnreached;
  }

  // Pushes what the path and the sink's link allow; returns how much of the path is left in front of the
  // first arc that is now saturated. Nothing is pushed where the sink's link is full.
  Index augment(Index root, Index end, Index length) {
    if (network_.balance[end] >= 0) return length;
    uint64_t amount = uint64_t(std::min(network_.balance[root], -network_.balance[end]));
    for (Index k = 0; k < length; ++k) amount = std::min<uint64_t>(amount, slots_[path_[k]].out);
    Index kept = length;
    for (Index k = length; k-- > 0;) {
      network_.push(path_[k], Capacity(amount));
      if (slots_[path_[k]].out == 0) kept = k;
    }
    network_.balance[root] -= int64_t(amount);
    network_.balance[end] += int64_t(amount);
    ++augmentations_;
    run_.spend(length + 1);
    return kept;
  }

  Network& network_;
  const bool nearest_only_;
  Index nearest_ = kUnreached;  // the lowest label of a vertex that the source can still feed
  residual::Slot<Index, Capacity>* const slots_;
  const Index n_;
  Run& run_;
  LargeArray<Index> label_, current_, queue_, path_;
  int64_t phases_ = 0, augmentations_ = 0, arc_scans_ = 0, level_arc_scans_ = 0;
};

}  // namespace

template <class Network>
void dinic_flow(Network& network, const Knobs& knobs, Run& run) {
  Dinic<Network>(network, knobs.flag("nearest"), run).solve();
}

KONIG_INSTANTIATE_FLOW_SOLVER(dinic_flow)

}  // namespace konig
