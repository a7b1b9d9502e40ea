// Runs a single-source algorithm of include/konig on the CPU team that the knobs ask for.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/knobs.h"
#include "core/run.h"
#include "konig/bsp/team.h"

namespace konig {

// Launches of about 50 ms: launch(team) on every worker, then between() on the caller, until it says that
// nothing is left to do. Returns how many workers there were.
//
// Knobs: team ("threads", up to `threads` of them, or "shuffled"), seed.
template <class Launch, class Between>
int run_on_team(const Knobs& knobs, int threads, Run& run, Launch launch, Between between) {
  const auto poll = [&run](int64_t work) { run.spend(work); };
  if (knobs.text("team") == "shuffled") {
    bsp::ShuffledTeam(uint64_t(knobs.integer("seed")), poll).run(launch, between);
    return 1;
  }
  bsp::ThreadPool pool(std::chrono::milliseconds(50), poll);
  pool.run(threads, launch, between);
  return pool.workers();
}

// What every algorithm counts that ran on a team, at the end of its own counts.
inline void count_launches(Run& run, long long supersteps, long long launches, int workers) {
  run.count("supersteps", int64_t(supersteps));
  run.count("launches", int64_t(launches));
  run.count("workers", int64_t(workers));
}

// Rows of kWidth numbers that an algorithm leaves in its state while it runs, as a list for each column.
template <size_t kWidth>
class Series {
 public:
  // Between launches: takes the rows and makes room for more.
  void take(const long long* numbers, long long& rows) {
    for (long long k = 0; k < (long long)kWidth * rows; ++k) columns_[k % kWidth].push_back(numbers[k]);
    rows = 0;
  }

  std::vector<int64_t>&& column(size_t k) { return std::move(columns_[k]); }

 private:
  std::array<std::vector<int64_t>, kWidth> columns_;
};

}  // namespace konig
