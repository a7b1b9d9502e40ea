// A loop in pieces, shared by the calling thread and by helper threads that live for this loop only: a
// process that forks has none to lose.
//
// The caller does not wait for a helper that has not begun: on a busy machine a new thread may start when all
// is done. A helper enters before it takes its first piece. When no piece is left the caller closes the door
// and waits for the helpers inside; a later one finds it closed, touches nothing of the caller's and ends.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "core/run.h"
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

// Calls work(0) on this thread and work(k) on up to `workers` - 1 helpers. A call returns when it finds
// nothing left to do. It may throw on this thread, and must not on a helper.
template <class Work>
void with_helpers(int workers, const Work& work) {
  const auto door = std::make_shared<Door>();  // a late helper may outlive this call
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

// Calls f(worker, first, last) for pieces of [0, items), on up to `workers` workers.
template <class F>
void for_pieces(int workers, int64_t items, int64_t piece, const F& f) {
  std::atomic<int64_t> dealt{0};
  with_helpers(workers, [&](int worker) {
    for (int64_t first; (first = dealt.fetch_add(piece, std::memory_order_relaxed)) < items;)
      f(worker, first, std::min(items, first + piece));
  });
}

// The same for the rows of a matrix, each of so much `work`. Worker 0 alone reports work done; if that throws
// (Ctrl-C), or any call of f does, the others stop at their next piece and the exception goes on to the
// caller.
template <class F>
void for_rows(int workers, int64_t rows, int64_t work, Run& run, const F& f) {
  constexpr int64_t kWorkOfAPiece = 1 << 15;
  constexpr int64_t kWorkOfAThread = 1 << 20;  // it must be worth its start
  if (rows * (work + 1) <= kWorkOfAPiece) {    // small problems would notice what follows
    if (rows > 0) f(0, 0, rows);
    run.spend(rows * (work / 4 + 1));
    return;
  }
  const int64_t piece = std::max<int64_t>(1, kWorkOfAPiece / (work + 1));
  if (workers <= 1) {
    for (int64_t first = 0; first < rows; first += piece) {
      const int64_t last = std::min(rows, first + piece);
      f(0, first, last);
      run.spend((last - first) * (work / 4 + 1));
    }
    return;
  }
  const int64_t max_workers = rows * (work + 1) / kWorkOfAThread + 1;
  std::vector<std::exception_ptr> failures(size_t(std::min<int64_t>(workers, max_workers)));
  std::atomic<bool> stopped{false};
  for_pieces(int(failures.size()), rows, piece, [&](int worker, int64_t first, int64_t last) {
    if (stopped.load(std::memory_order_relaxed)) return;
    try {
      f(worker, first, last);
      if (worker == 0) run.spend((last - first) * (work / 4 + 1));
    } catch (...) {
      failures[worker] = std::current_exception();
      stopped.store(true, std::memory_order_relaxed);
    }
  });
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace konig
