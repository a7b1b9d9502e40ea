// A queue of columns by their keys, the least first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace konig {

// A heap with four children a node in which keys fall. Each column is there once, however often it is
// lowered, and keys stay where they are: the widest take 288 bytes.
template <class Key>
class ColumnQueue {
 public:
  explicit ColumnQueue(int64_t cols) : key_(size_t(cols)), place_(size_t(cols), -1) {}

  // A column that is not there, or one whose key has fallen.
  void push(int32_t j, const Key& key) {
    key_[j] = key;
    int64_t at = place_[j];
    if (at < 0) {
      at = int64_t(heap_.size());
      heap_.push_back(j);
    }
    for (; at > 0 && key < key_[heap_[(at - 1) / 4]]; at = (at - 1) / 4) put(heap_[(at - 1) / 4], at);
    put(j, at);
  }

  int32_t pop() {  // -1 if there is none
    if (heap_.empty()) return -1;
    const int32_t first = heap_.front(), last = heap_.back();
    heap_.pop_back();
    place_[first] = -1;
    if (first != last) sink(last);
    return first;
  }

 private:
  void sink(int32_t j) {
    const auto count = int64_t(heap_.size());
    int64_t at = 0;
    for (int64_t child = 1; child < count; child = 4 * at + 1) {
      int64_t least = child;
      for (int64_t other = child + 1; other < std::min(child + 4, count); ++other)
        if (key_[heap_[other]] < key_[heap_[least]]) least = other;
      if (!(key_[heap_[least]] < key_[j])) break;
      put(heap_[least], at);
      at = least;
    }
    put(j, at);
  }
  void put(int32_t j, int64_t at) {
    heap_[at] = j;
    place_[j] = int32_t(at);
  }

  std::vector<Key> key_;
  std::vector<int32_t> heap_, place_;  // place: in the heap, or -1
};

}  // namespace konig
