// An array for a solver's state, not initialised. A large one is given huge pages: random access to many
// small pages misses the TLB at every step, and each fresh small page costs a page fault. Memory is kept for
// the next array of about that size: the kernel clears what it hands out, which takes as long as building a
// network in it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

#include "core/kept_blocks.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace konig {

template <class T>
class LargeArray {
  static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);

 public:
  LargeArray() = default;
  explicit LargeArray(size_t size) : size_(size), room_(size), data_(allocate(size)) {}
  LargeArray(size_t size, T value) : LargeArray(size) { std::fill_n(data(), size, value); }

  // Memory is allocated only if the array has never been that long.
  void assign(size_t size, T value) {
    if (size > room_ || !data_) *this = LargeArray(size);
    size_ = size;
    std::fill_n(data(), size, value);
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  size_t size() const { return size_; }
  T& operator[](size_t k) { return data_[k]; }
  const T& operator[](size_t k) const { return data_[k]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

 private:
  // From kKept bytes on memory comes and goes in whole blocks, which are worth keeping. The C library gives
  // what is free at the end of its heap back to the kernel: where that happened between two calls, fresh
  // pages took a quarter of the time of networks of 2,000 to 20,000 arcs.
  static constexpr size_t kHugePage = size_t(1) << 21, kKept = size_t(1) << 13;

  struct Free {
    size_t block = 0;  // its bytes, if it is one to keep
    void operator()(T* data) const {
      if (!block || !KeptBlocks::keep(data, block)) std::free(data);
    }
  };
  using Memory = std::unique_ptr<T[], Free>;

  static Memory allocate(size_t size) {
    if (size > SIZE_MAX / sizeof(T) - kHugePage) throw std::bad_alloc();
    size_t bytes = size * sizeof(T);
    if (bytes < kKept) return Memory(static_cast<T*>(checked(std::malloc(bytes ? bytes : 1))), Free{});
    // Small pages for the rest: a huge page is cleared as a whole though only its first bytes are used.
    const size_t huge = bytes / kHugePage * kHugePage, unit = huge ? kHugePage : kKept;
    bytes = (bytes + unit - 1) / unit * unit;
    if (const auto kept = KeptBlocks::take(bytes); kept.memory)
      return Memory(static_cast<T*>(kept.memory), Free{kept.bytes});
    void* const memory = checked(std::aligned_alloc(huge ? kHugePage : alignof(std::max_align_t), bytes));
#ifdef __linux__
    if (huge) madvise(memory, huge, MADV_HUGEPAGE);
#endif
    return Memory(static_cast<T*>(memory), Free{bytes});
  }

  static void* checked(void* memory) {
    if (!memory) throw std::bad_alloc();
    return memory;
  }

  size_t size_ = 0, room_ = 0;
  Memory data_;
};

}  // namespace konig
