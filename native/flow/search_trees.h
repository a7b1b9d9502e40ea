// Boykov and Kolmogorov (2004): An experimental comparison of min-cut/max-flow algorithms for energy
// minimization in vision, with the marks of Kolmogorov (2004), chapter 2.
//
// Two trees grow towards each other, one of vertices that the source reaches along residual arcs, one of
// vertices that reach the sink. Where they meet there is an augmenting path. Vertices whose arc to the parent
// was saturated are orphans: each looks for a new parent that is still connected to its terminal, or becomes
// free and orphans its children. Trees are kept from one path to the next, so finding a path is cheap where
// paths are short and the graph is large, as in images.
//
// State: `nodes_[v].parent` is the arc from v to its parent, or kFree, kRoot or kOrphan. A vertex is active
// while its arcs must be scanned. `distance` is the number of arcs to the terminal as known at time `stamp`;
// a stamp equal to `now_` means that v is connected to its terminal. The roots are the vertices whose balance
// is not zero.
//
// Deviations: after a path the search goes on at the arc that it was found on instead of at the vertex's
// first one (what becomes free later activates its neighbours anyway).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/large_array.h"
#include "core/run.h"

namespace konig {

template <class Network>
class SearchTrees {
 public:
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;

  SearchTrees(Network& network, int64_t max_steps, Run& run)
      : network_(network), n_(network.vertices), max_steps_(max_steps), run_(run), nodes_(size_t(n_)) {}

  // Augments until the trees cannot meet, and finds the cut; says false if it gave up after `max_steps`
  // steps, with a flow that is not maximum.
  bool solve() {
    plant();
    for (Index v; !out_of_steps() && (v = take_active()) != kNone;) {
      if (mends_mostly()) max_steps_ = 0;
      if (nodes_[v].tree == kSource)
        grow<kSource>(v);
      else
        grow<kSink>(v);
    }
    for (Index v = 0; v < n_; ++v)
      network_.source_side[v] = nodes_[v].parent != kFree && nodes_[v].tree == kSource;
    run_.spend(n_);
    run_.count("augmentations", augmentations_);
    run_.count("orphans", orphaned_);
    run_.count("growth_scans", growth_scans_);
    run_.count("adoption_scans", adoption_scans_);
    run_.count("path_steps", path_steps_);
    return !out_of_steps();
  }

 private:
  enum Tree : uint32_t { kSource, kSink };
  static constexpr uint32_t kFar = UINT32_MAX;
  static constexpr Index kNone = -1;
  static constexpr Index kFree = -1;    // in no tree
  static constexpr Index kRoot = -2;    // the parent is the terminal itself
  static constexpr Index kOrphan = -3;  // about to look for a parent

  struct Node {
    Index parent;
    Index next_active;  // the next one in the list of active vertices, itself at the end; kNone if not active
    uint32_t stamp;
    uint32_t distance : 31;
    uint32_t tree : 1;
  };

  int64_t steps() const { return growth_scans_ + adoption_scans_ + path_steps_; }
  bool out_of_steps() const { return steps() > max_steps_; }

  // Whether trees are not worth the rest of their steps: paths are long, and adoption scans much beside what
  // growth scans. How much that is falls as steps are used up. Beyond half of the steps they mostly end.
  // Trees ran on 33 of 220 random networks of all kinds, and took all their steps on 12; this stops 11 of
  // those, and two of the others.
  bool mends_mostly() const {
    constexpr double kLong = 10, kMended = 0.18;
    return 2 * steps() <= max_steps_ && double(path_steps_) > kLong * double(augmentations_) &&
           double(adoption_scans_) * double(steps()) > kMended * double(growth_scans_) * double(max_steps_);
  }

  // The residual capacity away from the terminal: along the slot in the source's tree, against it in the
  // sink's; and towards the terminal.
  template <Tree tree>
  Capacity outward(Index slot) const {
    return tree == kSource ? network_.residual(slot) : network_.opposite(slot);
  }
  template <Tree tree>
  Capacity inward(Index slot) const {
    return tree == kSource ? network_.opposite(slot) : network_.residual(slot);
  }

  // Every vertex left with a link is a root.
  void plant() {
    for (Index v = 0; v < n_; ++v) {
      nodes_[v] = {kFree, kNone, 0, 0, kSource};
      if (network_.balance[v] == 0) continue;
      nodes_[v].tree = network_.balance[v] > 0 ? kSource : kSink;
      nodes_[v].parent = kRoot;
      nodes_[v].distance = 1;
      activate(v);
    }
    run_.spend(n_);
  }

  void activate(Index v) {
    if (nodes_[v].next_active != kNone) return;
    nodes_[v].next_active = v;
    if (last_active_ == kNone)
      first_active_ = v;
    else
      nodes_[last_active_].next_active = v;
    last_active_ = v;
  }
  Index take_active() {
    while (first_active_ != kNone) {
      const Index v = first_active_, next = nodes_[v].next_active;
      if (next == v)
        first_active_ = last_active_ = kNone;
      else
        first_active_ = next;
      nodes_[v].next_active = kNone;
      if (nodes_[v].parent != kFree) return v;
    }
    return kNone;
  }

  template <Tree tree>
  void grow(Index v) {
    const Index first = network_.first(v), last = network_.last(v);
    for (Index a = first; a < last; ++a) {
      if (outward<tree>(a) == 0) continue;
      const Index u = network_.head(a);
      Node& node = nodes_[u];
      if (node.parent == kFree) {
        node.tree = tree;
        node.parent = network_.reverse(a);
        node.stamp = nodes_[v].stamp;
        node.distance = nodes_[v].distance + 1;
        activate(u);
      } else if (node.tree != tree) {
        augment(tree == kSource ? a : network_.reverse(a));
        adopt();
        if (nodes_[v].parent == kFree || nodes_[v].tree != tree || out_of_steps()) {
          growth_scans_ += a + 1 - first;
          return;
        }
        --a;  // the arc may have capacity left
      } else if (node.stamp <= nodes_[v].stamp && node.distance > nodes_[v].distance + 1) {
        node.parent = network_.reverse(a);  // nearer to the terminal, as far as is known
        node.stamp = nodes_[v].stamp;
        node.distance = nodes_[v].distance + 1;
      }
    }
    growth_scans_ += last - first;
    run_.spend(last - first + 1);
  }

  // The path over `bridge`, which leads from the source's tree to the sink's.
  void augment(Index bridge) {
    ++augmentations_;
    const Index from = network_.head(network_.reverse(bridge)), to = network_.head(bridge);
    uint64_t amount = network_.residual(bridge);
    amount = bottleneck<kSource>(from, amount);
    amount = bottleneck<kSink>(to, amount);
    network_.push(bridge, Capacity(amount));
    push_along<kSource>(from, amount);
    push_along<kSink>(to, amount);
  }

  template <Tree tree>
  uint64_t bottleneck(Index v, uint64_t amount) {
    int64_t steps = 1;
    for (Index a; (a = nodes_[v].parent) != kRoot; v = network_.head(a), ++steps)
      amount = std::min<uint64_t>(amount, inward<tree>(a));
    path_steps_ += steps;
    run_.spend(steps);
    return std::min(amount, uint64_t(tree == kSource ? network_.balance[v] : -network_.balance[v]));
  }

  // Queues orphans. adopt() marks them later: until then the walk along the path reads their parents.
  template <Tree tree>
  void push_along(Index v, uint64_t amount) {
    const size_t before = orphans_.size();
    for (Index a; (a = nodes_[v].parent) != kRoot; v = network_.head(a)) {
      network_.push(tree == kSource ? network_.reverse(a) : a, Capacity(amount));
      if (inward<tree>(a) == 0) orphans_.push_back(v);
    }
    network_.balance[v] -= tree == kSource ? int64_t(amount) : -int64_t(amount);
    if (network_.balance[v] == 0) orphans_.push_back(v);
    // Nearest the terminal first: an orphan that finds a parent keeps its whole subtree.
    std::reverse(orphans_.begin() + int64_t(before), orphans_.end());
  }

  void adopt() {
    if (++now_ == 0) {  // after 2^32 paths: old stamps would look young
      for (Index v = 0; v < n_; ++v) nodes_[v].stamp = 0;
      now_ = 1;
    }
    for (const Index v : orphans_) nodes_[v].parent = kOrphan;
    // On giving up, orphans stay marked. The flow is valid, and the next solver finds the cut.
    for (size_t k = 0; k < orphans_.size() && !out_of_steps(); ++k) {
      const Index v = orphans_[k];
      if (nodes_[v].tree == kSource)
        find_parent<kSource>(v);
      else
        find_parent<kSink>(v);
    }
    orphaned_ += int64_t(orphans_.size());
    orphans_.clear();
  }

  template <Tree tree>
  void find_parent(Index v) {
    const Index first = network_.first(v), last = network_.last(v);
    Index best_slot = kNone;
    uint32_t best = kFar;
    for (Index a = first; a < last; ++a) {
      const Index u = network_.head(a);
      if ((inward<tree>(a) == 0) | (nodes_[u].tree != tree) | (nodes_[u].parent == kFree)) continue;
      const uint32_t distance = distance_to_terminal(u);
      if (distance < best) {
        best = distance;
        best_slot = a;
      }
    }
    adoption_scans_ += last - first;
    run_.spend(last - first + 1);
    Node& node = nodes_[v];
    if (best_slot != kNone) {
      node.parent = best_slot;
      node.stamp = now_;
      node.distance = best + 1;
      return;
    }
    node.parent = kFree;
    node.stamp = 0;
    for (Index a = first; a < last; ++a) {
      const Index u = network_.head(a);
      Node& other = nodes_[u];
      if (other.parent == kFree || other.tree != tree) continue;
      if (inward<tree>(a) > 0) activate(u);
      if (other.parent == network_.reverse(a)) {
        other.parent = kOrphan;
        orphans_.push_back(u);
      }
    }
  }

  // How far a vertex is from its terminal along parents; kFar if an orphan is on the way. Stamps the
  // way.
  uint32_t distance_to_terminal(Index v) {
    uint32_t distance = 0;
    Index u = v;
    for (;;) {
      const Node& node = nodes_[u];
      if (node.stamp == now_) {
        distance += node.distance;
        break;
      }
      const Index a = node.parent;
      ++distance;
      if (a == kRoot) {
        nodes_[u].stamp = now_;
        nodes_[u].distance = 1;
        break;
      }
      if (a == kOrphan || a == kFree) {
        path_steps_ += distance;
        return kFar;
      }
      u = network_.head(a);
    }
    path_steps_ += distance;
    run_.spend(distance);
    const uint32_t found = distance;
    for (u = v; nodes_[u].stamp != now_; u = network_.head(nodes_[u].parent)) {
      nodes_[u].stamp = now_;
      nodes_[u].distance = distance--;
    }
    return found;
  }

  Network& network_;
  const Index n_;
  int64_t max_steps_;  // 0 once it has given up
  Run& run_;
  LargeArray<Node> nodes_;
  std::vector<Index> orphans_;
  Index first_active_ = kNone, last_active_ = kNone;
  uint32_t now_ = 0;
  int64_t augmentations_ = 0, orphaned_ = 0, growth_scans_ = 0, adoption_scans_ = 0, path_steps_ = 0;
};

}  // namespace konig
