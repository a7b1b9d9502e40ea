// The forest that a pseudoflow algorithm keeps: parents and children under cuts and hangings.
//
// State: the children of a vertex are a doubly linked list, split by `scan` into those that a search has done
// with at the vertex's present label (before it) and those still to be scanned (from it on). A new child
// goes in just before `scan` and becomes it; so a search scans every child once per label of the parent,
// whatever is cut and hung meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace konig {

template <class Index>
class NormalizedForest {
 public:
  static constexpr Index kNone = Index(-1);

  explicit NormalizedForest(std::size_t vertices) : nodes_(vertices) {}

  Index parent(Index v) const { return nodes_[v].parent; }
  Index first_child(Index v) const { return nodes_[v].first_child; }
  Index next_sibling(Index v) const { return nodes_[v].next; }
  bool is_root(Index v) const { return nodes_[v].parent == kNone; }

  // How many children, counted no further than `most`.
  int children(Index v, int most) const {
    int count = 0;
    for (Index child = nodes_[v].first_child; child != kNone && count < most; child = nodes_[child].next)
      ++count;
    return count;
  }

  Index scan(Index v) const { return nodes_[v].scan; }
  void advance_scan(Index v) { nodes_[v].scan = nodes_[nodes_[v].scan].next; }
  void restart_scan(Index v) { nodes_[v].scan = nodes_[v].first_child; }

  void hang(Index child, Index parent) {
    Node& above = nodes_[parent];
    Node& node = nodes_[child];
    const Index first = above.first_child;
    node.parent = parent;
    node.next = above.scan;
    above.scan = child;
    if (first == kNone) {
      node.previous = above.first_child = child;
      return;
    }
    Index& before_next = nodes_[node.next == kNone ? first : node.next].previous;
    node.previous = before_next;
    before_next = child;
    (node.next == first ? above.first_child : nodes_[node.previous].next) = child;
  }

  void cut(Index child) {
    Node& node = nodes_[child];
    Node& above = nodes_[node.parent];
    if (above.scan == child) above.scan = node.next;
    (above.first_child == child ? above.first_child : nodes_[node.previous].next) = node.next;
    if (above.first_child != kNone)
      nodes_[node.next == kNone ? above.first_child : node.next].previous = node.previous;
    node.parent = node.next = node.previous = kNone;
  }

  // The vertex after v when the tree of `root` is walked from parents to children; kNone at the end.
  Index next_in_tree(Index v, Index root) const {
    if (nodes_[v].first_child != kNone) return nodes_[v].first_child;
    while (v != root && nodes_[v].next == kNone) v = nodes_[v].parent;
    return v == root ? kNone : nodes_[v].next;
  }

  int64_t integers() const { return int64_t(nodes_.size() * (sizeof(Node) / sizeof(Index))); }

 private:
  struct Node {
    Index parent = kNone;
    Index first_child = kNone;
    Index next = kNone;
    Index previous = kNone;  // of a first child: the last one
    Index scan = kNone;
  };

  std::vector<Node> nodes_;
};

}  // namespace konig
