// Large blocks of memory that the process keeps from one call to the next, at most kMost bytes of them.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <mutex>

namespace konig {

class KeptBlocks {
 public:
  static constexpr size_t kMost = size_t(1) << 28;

  struct Block {
    void* memory;
    size_t bytes;
  };

  // The smallest kept block of at least so many bytes, and at most twice as many, of equal ones the last that
  // was kept: some of it may still be in the cache. None has no memory.
  static Block take(size_t bytes) {
    // Never waits: in a forked child the lock may be held for ever.
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock) return {};
    int best = -1;
    for (int k = 0; k < count_; ++k)
      if (blocks_[k].bytes >= bytes && blocks_[k].bytes <= 2 * bytes &&
          (best < 0 || blocks_[k].bytes <= blocks_[best].bytes))
        best = k;
    return best < 0 ? Block{} : removed(best);
  }

  // Takes over a block from malloc and drops the oldest ones for it. False if it is not kept.
  static bool keep(void* memory, size_t bytes) {
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!kKeeps || !lock || bytes > kMost) return false;
    while (count_ == kBlocks || total_ + bytes > kMost) std::free(removed(0).memory);
    blocks_[count_++] = {memory, bytes};
    total_ += bytes;
    return true;
  }

 private:
#if defined(__SANITIZE_ADDRESS__)
  static constexpr bool kKeeps = false;  // it would hide the use of what has been freed
#else
  static constexpr bool kKeeps = true;
#endif
  static constexpr int kBlocks = 64;

  static Block removed(int place) {
    const Block block = blocks_[place];
    for (--count_; place < count_; ++place) blocks_[place] = blocks_[place + 1];
    total_ -= block.bytes;
    return block;
  }

  static inline std::mutex mutex_;
  static inline Block blocks_[kBlocks];
  static inline int count_ = 0;
  static inline size_t total_ = 0;
};

}  // namespace konig
