// A pass over the rows of a matrix by several threads.
//
// Threads live for one pass: a process that forks has none to lose. The calling thread works too, and it
// alone tells the caller about work done; if that throws (Ctrl-C), the others stop at their next piece, are
// joined, and the exception goes on.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "core/run.h"

namespace konig {

// f(worker, first, last) for pieces of 0 <= row < rows, on up to `workers` workers; `work` is that of one
// row.
template <class F>
void for_rows(int workers, int64_t rows, int64_t work, Run& run, const F& f) {
  constexpr int64_t kWorkOfAPiece = 1 << 15;
  const int64_t piece = std::max<int64_t>(1, kWorkOfAPiece / (work + 1));
  std::atomic<int64_t> dealt{0};
  const auto take = [&](int64_t& first, int64_t& last) {
    first = dealt.fetch_add(piece, std::memory_order_relaxed);
    last = std::min(rows, first + piece);
    return first < rows;
  };
  const auto stop = [&] { dealt.store(rows, std::memory_order_relaxed); };
  std::vector<std::thread> others;
  // A thread must be worth its start, and on a busy machine the wait for its end.
  constexpr int64_t kWorkOfAThread = 1 << 20;
  const int64_t most = rows * (work + 1) / kWorkOfAThread + 1;
  std::vector<std::exception_ptr> failures(size_t(std::min<int64_t>(workers, most)));
  const auto join = [&] {
    for (std::thread& other : others) other.join();
  };
  for (int worker = 1; worker < int(failures.size()); ++worker) {
    try {
      others.emplace_back([&, worker] {
        try {
          for (int64_t first, last; take(first, last);) f(worker, first, last);
        } catch (...) {
          failures[worker] = std::current_exception();
          stop();
        }
      });
    } catch (const std::system_error&) {
      break;  // no more threads to be had: fewer will do
    }
  }
  try {
    for (int64_t first, last; take(first, last);) {
      f(0, first, last);
      run.spend((last - first) * (work / 4 + 1));
    }
  } catch (...) {
    stop();
    join();
    throw;
  }
  join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace konig
