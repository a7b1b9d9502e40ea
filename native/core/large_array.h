// An array for a solver's state, not initialised. A large one is given huge pages: random access to many
// small pages misses the TLB at every step, and each fresh small page costs a page fault.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

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
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };

  static T* allocate(size_t size) {
    constexpr size_t kHugePage = size_t(1) << 21;
    if (size > SIZE_MAX / sizeof(T) - kHugePage) throw std::bad_alloc();
    size_t bytes = size * sizeof(T);
    void* memory = nullptr;
    if (bytes < kHugePage) {
      memory = std::malloc(bytes ? bytes : 1);
    } else {
      // Small pages for the rest: a huge page is cleared as a whole though only its first bytes are used.
      const size_t huge = bytes / kHugePage * kHugePage;
      bytes = (bytes + kHugePage - 1) / kHugePage * kHugePage;
      memory = std::aligned_alloc(kHugePage, bytes);
#ifdef __linux__
      if (memory) madvise(memory, huge, MADV_HUGEPAGE);
#endif
    }
    if (!memory) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }

  size_t size_ = 0, room_ = 0;
  std::unique_ptr<T[], Free> data_;
};

}  // namespace konig
