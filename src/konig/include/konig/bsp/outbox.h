// Where a CPU worker keeps what it posts until it is delivered, or until it visits it itself.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace konig::bsp {

// Two boxes of plain values: one is filled while the other is visited or delivered. Its values are of one
// type from one delivery to the next.
class Outbox {
 public:
  // So many that a visit to a shared queue is rare, so few that both boxes stay in a core's cache.
  static constexpr std::size_t kPlaces = 1024;

  template <class T>
  bool put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (used_ == kPlaces) return false;
    std::vector<std::byte>& box = boxes_[turn_];
    if (box.size() < kPlaces * sizeof(T)) box.resize(kPlaces * sizeof(T));
    std::memcpy(box.data() + used_++ * sizeof(T), &value, sizeof(T));
    return true;
  }

  std::size_t used() const { return used_; }

  // Closes the box that was filled and opens the other one; returns how many values it holds.
  std::size_t turn() {
    const std::size_t filled = used_;
    turn_ ^= 1;
    used_ = 0;
    return filled;
  }

  // A value of the closed box.
  template <class T>
  T get(std::size_t i) const {
    T value;
    std::memcpy(&value, boxes_[turn_ ^ 1].data() + i * sizeof(T), sizeof(T));
    return value;
  }

 private:
  std::vector<std::byte> boxes_[2];
  int turn_ = 0;
  std::size_t used_ = 0;
};

}  // namespace konig::bsp
