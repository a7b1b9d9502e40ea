// Vertices in one bucket per label, served from the highest or the lowest label, each bucket a stack (LIFO)
// or a queue (FIFO): the selection rules of Kaya et al. §5.2, and the levels of rows for gap relabelling.
//
// State: a bucket is a doubly linked list, so a vertex can also leave from the middle. A vertex is in at most
// one bucket. No vertex waits beyond `cursor_` on the side that is served first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace konig {

template <class Index>
class LabelBuckets {
 public:
  static constexpr Index kNone = Index(-1);

  LabelBuckets(std::size_t vertices, std::size_t labels, bool highest, bool lifo)
      : highest_(highest), lifo_(lifo), ends_(labels), links_(vertices) {}

  void insert(Index v, Index label) {
    if (waiting_++ == 0 || (highest_ ? label > cursor_ : label < cursor_)) cursor_ = label;
    Pair& ends = ends_[label];
    links_[v] = lifo_ ? Pair{kNone, ends.first} : Pair{ends.last, kNone};
    attach(v, ends);
  }

  // The vertex to serve next, taken out; kNone when nothing waits.
  Index take() {
    if (waiting_ == 0) return kNone;
    while (empty(cursor_)) highest_ ? --cursor_ : ++cursor_;
    const Index v = ends_[cursor_].first;
    remove(v, cursor_);
    return v;
  }

  void remove(Index v, Index label) {
    --waiting_;
    const Pair link = links_[v];
    (link.first == kNone ? ends_[label].first : links_[link.first].last) = link.last;
    (link.last == kNone ? ends_[label].last : links_[link.last].first) = link.first;
  }

  bool empty(Index label) const { return ends_[label].first == kNone; }

  // Takes out every vertex above `label`, for buckets that are served from the highest; returns how many.
  template <class Visit>
  int64_t take_above(Index label, Visit visit) {
    const uint64_t before = waiting_;
    for (; waiting_ > 0 && cursor_ > label; --cursor_)
      while (!empty(cursor_)) visit(take());
    return int64_t(before - waiting_);
  }

  size_t size() const { return waiting_; }
  int64_t integers() const { return int64_t(2 * (ends_.size() + links_.size())); }

 private:
  // The first and last vertex of a bucket, or the one before and the one after a vertex.
  struct Pair {
    Index first = kNone;
    Index last = kNone;
  };

  void attach(Index v, Pair& ends) {
    const Pair link = links_[v];
    (link.first == kNone ? ends.first : links_[link.first].last) = v;
    (link.last == kNone ? ends.last : links_[link.last].first) = v;
  }

  bool highest_, lifo_;
  std::vector<Pair> ends_, links_;
  Index cursor_ = 0;
  uint64_t waiting_ = 0;
};

}  // namespace konig
