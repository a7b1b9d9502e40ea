// Costs that are maximised, as costs to minimise.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>

#include "multicore/assignment/row_workers.h"
#include "sequential/assignment/dense_task.h"

namespace konig {

// Memory that is not filled before it is written.
template <class S>
struct Room {
  S* room_for(int64_t count) {
    if (count > size) {
      data.reset(new S[size_t(count)]);
      size = count;
    }
    return data.get();
  }
  std::unique_ptr<S[]> data;
  int64_t size = 0;
};

// The costs with the other sign; false if there is none of some integer.
template <class S>
bool negate(const DenseTask<S>& task, S* made, Run& run) {
  std::atomic<bool> possible{true};
  for_rows(task.threads, task.rows, task.cols, run, [&](int, int64_t first, int64_t last) {
    const int64_t end = last * task.cols;
    bool some_least = false;
    for (int64_t k = first * task.cols; k < end; ++k) {
      if constexpr (std::is_integral_v<S>) {
        some_least |= task.cost[k] == std::numeric_limits<S>::min();
        made[k] = S(0 - std::make_unsigned_t<S>(task.cost[k]));
      } else {
        made[k] = -task.cost[k];
      }
    }
    if (some_least) possible = false;
  });
  return possible;
}

}  // namespace konig
