// A heap of columns by distance, four children a node: half as deep as a binary heap, and the children of a
// node share a cache line. A column may be on it more than once; the caller skips what is out of date.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace konig {

template <class T>
class DistanceHeap {
 public:
  struct Item {
    T distance;
    int32_t col;
  };

  bool empty() const { return items_.empty(); }
  const Item& top() const { return items_.front(); }
  void clear() { items_.clear(); }

  void push(Item item) {
    size_t at = items_.size();
    items_.push_back(item);
    while (at > 0) {
      const size_t parent = (at - 1) / 4;
      if (!(item.distance < items_[parent].distance)) break;
      items_[at] = items_[parent];
      at = parent;
    }
    items_[at] = item;
  }

  void pop() {
    const Item last = items_.back();
    items_.pop_back();
    const size_t count = items_.size();
    if (count == 0) return;
    size_t at = 0;
    while (true) {
      const size_t first = 4 * at + 1;
      if (first >= count) break;
      size_t least = first;
      for (size_t child = first + 1; child < first + 4 && child < count; ++child)
        if (items_[child].distance < items_[least].distance) least = child;
      if (!(items_[least].distance < last.distance)) break;
      items_[at] = items_[least];
      at = least;
    }
    items_[at] = last;
  }

 private:
  std::vector<Item> items_;
};

}  // namespace konig
