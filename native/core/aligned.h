// Arrays that begin at a cache line: a SIMD store across two lines stalls a load of it that follows at once.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace konig {

template <class E>
struct LineAllocator {
  using value_type = E;
  static constexpr std::align_val_t kLine{64};

  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) {}

  E* allocate(size_t count) { return static_cast<E*>(::operator new(count * sizeof(E), kLine)); }
  void deallocate(E* memory, size_t) { ::operator delete(memory, kLine); }
  template <class Other>
  bool operator==(const LineAllocator<Other>&) const {
    return true;
  }
};

template <class E>
using Aligned = std::vector<E, LineAllocator<E>>;

}  // namespace konig
