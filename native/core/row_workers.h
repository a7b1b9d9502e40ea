// A pass over the rows of a matrix by several threads.
//
// The calling thread works too, and it alone tells the caller about work done; if that throws (Ctrl-C), the
// others stop at their next piece, and the exception goes on when they have.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <vector>

#include "core/run.h"
#include "core/shared_loop.h"

namespace konig {

// f(worker, first, last) for pieces of 0 <= row < rows, on up to `workers` workers; `work` is that of one
// row.
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
  const int64_t most = rows * (work + 1) / kWorkOfAThread + 1;
  std::vector<std::exception_ptr> failures(size_t(std::min<int64_t>(workers, most)));
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
