// An array that the workers of a team fill themselves: it comes uninitialised, so that each page is made by
// the worker who first writes to it, and a large one asks for large pages, since what the solvers wait for on
// matrices without locality is address translation as much as memory.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace konig {

template <class T>
class TeamArray {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  explicit TeamArray(int64_t size) {
    constexpr size_t kPage = size_t(1) << 21;
    const size_t bytes = size_t(size) * sizeof(T);
    const bool large = bytes >= 2 * kPage;
    const size_t unit = large ? kPage : size_t(128);
    items_ = static_cast<T*>(std::aligned_alloc(unit, (bytes + unit) / unit * unit));
    if (items_ == nullptr) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (large) madvise(items_, bytes / kPage * kPage, MADV_HUGEPAGE);  // a wish: nothing depends on it
#endif
  }
  ~TeamArray() { std::free(items_); }
  TeamArray(const TeamArray&) = delete;
  TeamArray& operator=(const TeamArray&) = delete;

  T& operator[](int64_t i) { return items_[i]; }
  const T& operator[](int64_t i) const { return items_[i]; }
  T* data() { return items_; }

 private:
  T* items_;
};

}  // namespace konig
