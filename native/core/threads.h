// Runs a solver that is written for a team: on CPU threads, or on the calling thread alone.
//
// A single thread gets a team of its own type, for which the compiler drops barriers and atomic exchanges: a
// solver is written once, and on one thread it is as fast as a sequential one.
#pragma once

#include <chrono>
#include <cstdint>
#include <type_traits>

#include "core/knobs.h"
#include "core/run.h"
#include "konig/bsp/team.h"

namespace konig {

// The verbs of bsp::CpuTeam for one worker. An interruption is an exception of spend().
class SoloTeam {
 public:
  explicit SoloTeam(Run& run) : run_(run) {}

  static constexpr int64_t index() { return 0; }
  static constexpr int64_t count() { return 1; }
  static constexpr bool leads() { return true; }
  static constexpr bool expired() { return false; }
  static constexpr bool cut() { return false; }
  static constexpr bool slept() { return false; }
  void barrier() {}
  int64_t sum(int64_t value) { return value; }
  bsp::Agreed agree(unsigned bits, int64_t value) { return {bits, value}; }
  bsp::Scanned scan(int64_t value) { return {0, value}; }
  void spend(int64_t work) { run_.spend(work); }

 private:
  Run& run_;
};

template <class Team>
constexpr bool kAlone = std::is_same_v<Team, SoloTeam>;

// Calls launch(team) on up to `threads` workers, then between() on the caller's thread alone, and again while
// that returns true. Returns how many workers there were.
template <class Launch, class Between>
int run_on_threads(int64_t threads, Run& run, Launch launch, Between between) {
  if (threads == 1) {
    SoloTeam team(run);
    do launch(team);
    while (between());
    return 1;
  }
  bsp::ThreadPool pool(bsp::ThreadPool::Clock::duration::max(), [&run](int64_t work) { run.spend(work); });
  pool.run(int(threads), launch, between);
  return pool.workers();
}

template <class Launch>
int run_on_threads(int64_t threads, Run& run, Launch launch) {
  return run_on_threads(threads, run, launch, [] { return false; });
}

// The same in launches of about 50 ms, for programs that go on where the last launch ended.
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

// Changes *place from `before` to `after`; false if another worker changed it first.
template <class Team, class T>
bool claim(T* place, T before, T after) {
  if constexpr (!kAlone<Team>) return bsp::compare_exchange(place, before, after) == before;
  *place = after;
  return true;
}

// Adds to a word that all workers add to; returns its value before.
template <class Team, class T>
T add_to(T* place, T value) {
  if constexpr (!kAlone<Team>) return bsp::fetch_add(place, value);
  const T before = *place;
  *place = before + value;
  return before;
}

}  // namespace konig
