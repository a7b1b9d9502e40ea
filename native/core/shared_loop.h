// Pieces of one loop, dealt out to the calling thread and to others that come to help.
//
// No thread waits for one that has not begun: on a busy machine a new thread may get its turn when all is
// done. A helper enters before it takes its first piece. When nothing is left the caller closes the door and
// waits for those inside; who comes later finds it closed, touches nothing of the caller's and ends. Threads
// live for one loop: a process that forks has none to lose.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <system_error>
#include <thread>

#include "konig/bsp/cores.h"
#include "konig/bsp/event_count.h"

namespace konig {

// The door: how many helpers are inside, and whether it is closed.
class Door {
 public:
  bool enter() {
    int inside = inside_.load();
    while (!(inside & kClosed))
      if (inside_.compare_exchange_weak(inside, inside + 1)) return true;
    return false;
  }

  void leave() {
    if (inside_.fetch_sub(1) == kClosed + 1) empty_.raise();
  }

  // After it no helper is inside.
  void close(bool spins) {
    const bsp::EventCount::Value before = empty_.value();
    if (inside_.fetch_or(kClosed) != 0) empty_.wait(before, spins, [] {});
  }

 private:
  static constexpr int kClosed = 1 << 30;

  std::atomic<int> inside_{0};
  bsp::EventCount empty_;
};

// work(0) here, and work(k) on up to `workers` - 1 helpers, which returns when it finds nothing left to do.
// It may throw here, and must not on a helper.
template <class Work>
void with_helpers(int workers, const Work& work) {
  const auto door = std::make_shared<Door>();  // of which a helper that comes late needs a share
  for (int worker = 1; worker < workers; ++worker) {
    try {
      std::thread([door, &work, worker] {
        if (!door->enter()) return;
        work(worker);
        door->leave();
      }).detach();
    } catch (const std::system_error&) {
      break;  // no more threads to be had: fewer will do
    }
  }
  struct Closing {
    Door& door;
    const bool spins;
    ~Closing() { door.close(spins); }
  } closing{*door, workers <= bsp::available_cores()};
  work(0);
}

// f(worker, first, last) for pieces of [0, items), by up to `workers` workers.
template <class F>
void for_pieces(int workers, int64_t items, int64_t piece, const F& f) {
  std::atomic<int64_t> dealt{0};
  with_helpers(workers, [&](int worker) {
    for (int64_t first; (first = dealt.fetch_add(piece, std::memory_order_relaxed)) < items;)
      f(worker, first, std::min(items, first + piece));
  });
}

}  // namespace konig
