// How CPU threads wait for each other: a count that one of them raises while others wait for that.
//
// Who waits spins for about as long as it takes to fall asleep and be woken, and then sleeps. Where every
// worker has a core to itself the spinning is nearly always enough; where it has not, a thread that spun on
// would keep the core from those that it waits for.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace konig::bsp {

class EventCount {
 public:
  using Value = std::uint32_t;

  Value value() const { return value_.load(std::memory_order_acquire); }

  // What was written before this is seen by those that it wakes.
  void raise() {
    value_.fetch_add(1);
    if (sleepers_.load() == 0) return;  // after the count is up: who is not counted here sees it raised
    std::lock_guard<std::mutex>{mutex_};
    raised_.notify_all();
  }

  // Until the count is not `seen` any more; whether that took sleep. A thread that sleeps calls idle(), which
  // does not throw, every kNap.
  template <class Idle>
  bool wait(Value seen, bool spins, Idle idle) {
    if (spins && spin(seen)) return false;
    std::unique_lock<std::mutex> lock(mutex_);
    ++sleepers_;
    while (value_.load() == seen)
      if (!raised_.wait_for(lock, kNap, [&] { return value_.load() != seen; })) {
        lock.unlock();
        idle();
        lock.lock();
      }
    --sleepers_;
    return true;
  }

  static constexpr std::chrono::milliseconds kNap{20};

 private:
  using Clock = std::chrono::steady_clock;

  // Whether the count was raised in time.
  bool spin(Value seen) const {
    const Clock::time_point until = Clock::now() + kSpin;
    do {
      for (int k = 0; k < kLooks; ++k) {
        if (value() != seen) return true;
        pause();
      }
    } while (Clock::now() < until);
    return false;
  }

  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  static constexpr std::chrono::microseconds kSpin{50};
  static constexpr int kLooks = 16;  // between two readings of the clock

  alignas(128) std::atomic<Value> value_{0};
  std::atomic<int> sleepers_{0};
  std::mutex mutex_;
  std::condition_variable raised_;
};

}  // namespace konig::bsp
