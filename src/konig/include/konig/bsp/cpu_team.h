// A team of CPU threads: the multicore machine of the papers, without OpenMP.
//
// Threads live as long as one solve: a process that forks between solves has none to lose, and two solves
// at once have a pool each. Worker 0 is the calling thread. It alone polls the caller, between items and
// while it waits; when the caller's poll throws, every worker skips the items that are left, the launch ends
// at the next agreement, the threads are joined, and only then is the exception thrown again. The matching is
// then unfinished, and so is the superstep that was cut.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "konig/bsp/cores.h"
#include "konig/bsp/event_count.h"
#include "konig/bsp/limits.h"
#include "konig/bsp/team.h"

namespace konig::bsp {

// Where a CPU worker keeps what it posts until it is delivered, or until it visits it itself.
//
// Two boxes of plain values: one is filled while the other is visited or delivered. Its values are of one
// type from one delivery to the next.
class Outbox {
 public:
  // So many that a visit to a shared queue is rare, so few that both boxes stay in a core's cache.
  static constexpr std::size_t kPlaces = 1024;

  template <class T>
  bool put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (used_ == kPlaces) return false;
    std::vector<std::byte>& box = boxes_[turn_];
    if (box.size() < kPlaces * sizeof(T)) box.resize(kPlaces * sizeof(T));
    std::memcpy(box.data() + used_++ * sizeof(T), &value, sizeof(T));
    return true;
  }

  std::size_t used() const { return used_; }

  // Closes the box that was filled and opens the other one; returns how many values it holds.
  std::size_t turn() {
    const std::size_t filled = used_;
    turn_ ^= 1;
    used_ = 0;
    return filled;
  }

  // A value of the closed box.
  template <class T>
  T get(std::size_t i) const {
    T value;
    std::memcpy(&value, boxes_[turn_ ^ 1].data() + i * sizeof(T), sizeof(T));
    return value;
  }

 private:
  std::vector<std::byte> boxes_[2];
  int turn_ = 0;
  std::size_t used_ = 0;
};

// What the workers on a CPU have in common, on threads and shuffled: each is a group and a block of its own.
// `Self` is the team, which has for_each, reserve and the agreements; for_own(n, f), which is f(i) for all
// items by this worker alone; and enough(rounds), how many of the rounds it goes on without the others.
template <class Self>
class LoneWorker {
 public:
  template <class Load, class Use>
  void for_each_ahead(long long items, Load load, Use use) {
    self().for_each(items, [&](long long i) { use(i, load(i)); });
  }

  template <class Load, class Wanted, class Share, class Visit>
  void for_each_where(long long items, Load load, Wanted wanted, Share, Visit visit) {
    self().for_each(items, [&](long long i) {
      if (wanted(load(i))) visit(i, 0, 1);
    });
  }

  template <class Load, class Wanted, class Visit>
  void attend(long long items, long long, Load load, Wanted wanted, Visit visit) {
    bool found = true;
    for (int pass = 0; pass < kPasses && found; ++pass) {
      found = false;
      self().for_each(items, [&](long long i) {
        const auto seen = load(i);
        if (!wanted(seen)) return;
        found = true;
        visit(i, seen);
      });
    }
  }

  template <class Visit>
  void for_each_wide(long long items, int, Visit visit) {
    self().for_each(items, [&](long long i) { visit(i, 0, 1); });
  }

  template <class T>
  void post(Queue<T> queue, T value) {
    if (!outbox_.put(value)) queue.items[self().reserve(queue.used, 1)] = value;
  }

  // One addition to the shared counter for a whole box.
  template <class T>
  void deliver(Queue<T> queue) {
    const long long posted = (long long)outbox_.turn();
    if (posted == 0) return;
    T* const items = queue.items + self().reserve(queue.used, posted);
    for (long long i = 0; i < posted; ++i) items[i] = outbox_.get<T>(std::size_t(i));
  }

  template <class T, class Visit>
  void expand(const T* items, long long few, long long many, long long room, Queue<T> queue, int, int rounds,
              Visit visit) {
    self().for_each(many, [&](long long i) { visit(items[room - 1 - i], 0, 1); });
    self().for_each(few, [&](long long i) { visit(items[i], 0, 1); });
    const int enough = self().enough(rounds);
    for (int round = 1; round < enough && outbox_.used() > 0; ++round)
      for_posted<T>(outbox_.turn(), [&](const T& value) { visit(value, 0, 1); });
    deliver(queue);
  }

  template <class T, class Visit>
  int expand_alone(const T* items, long long few, long long many, long long room, Queue<T> queue, int alone,
                   int rounds, Visit visit) {
    if (many > 0 || few > alone) {
      const auto first_round = [&](const T& item, int lane, int lanes) { visit(item, 0, lane, lanes); };
      expand(items, few, many, room, queue, 1, 1, first_round);
      return 1;
    }
    if (!self().leads()) return 0;
    bool last = false;
    self().for_own(few, [&](long long i) { last |= visit(items[i], 0, 0, 1); });
    const int enough = self().enough(rounds);
    int round = 1;
    for (; round < enough && !last && outbox_.used() > 0 && outbox_.used() <= std::size_t(alone) &&
           outbox_.used() < Outbox::kPlaces;
         ++round)
      for_posted<T>(outbox_.turn(), [&](const T& value) { last |= visit(value, round, 0, 1); });
    deliver(queue);
    return round;
  }

  unsigned any(unsigned bits) { return self().agree(bits, 0).bits; }
  long long sum(long long value) { return self().agree(0, value).total; }

  template <class T>
  T group_min(T value, int) {
    return value;
  }
  template <class T>
  T group_at(T value, int, int) {
    return value;
  }
  unsigned group_ballot(bool sign, int) { return sign; }

  static constexpr int kWarp = 1;

  long long nanoseconds() const {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  long long ticks() const { return nanoseconds(); }

 private:
  template <class T, class Visit>
  void for_posted(std::size_t posted, Visit visit) {
    self().for_own((long long)posted, [&](long long i) { visit(outbox_.get<T>(std::size_t(i))); });
  }

  Outbox outbox_;

  Self& self() { return static_cast<Self&>(*this); }
};

// What the workers of one solve share.
class ThreadPool {
 public:
  using Clock = std::chrono::steady_clock;
  using Poll = std::function<void(long long)>;  // told the work done since; may throw

  ThreadPool(Clock::duration budget, Poll poll) : budget_(budget), poll_(std::move(poll)) {}

  // Runs launches on at most `workers` workers until `between` says that there is nothing left to do.
  // launch(team) runs on every worker; between() on the caller alone, after each launch.
  template <class Launch, class Between>
  void run(int workers, Launch launch, Between between);

  int workers() const { return workers_; }

 private:
  friend class CpuTeam;

  // Whether this worker had to sleep.
  bool wait(bool leads) {
    const EventCount::Value generation = generation_.value();
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == workers_) {
      arrived_.store(0, std::memory_order_relaxed);
      generation_.raise();
      return false;
    }
    return generation_.wait(generation, spins_, [this, leads] {
      if (leads) poll(kNapWork);
    });
  }

  void poll(long long work) {
    if (failure_ || !poll_) return;
    try {
      poll_(work);
    } catch (...) {
      fail();
    }
  }

  void fail() {
    failure_ = std::current_exception();
    cut_.store(true, std::memory_order_relaxed);
  }

  static constexpr long long kNapWork = 1 << 20;  // as much that the caller looks at the clock

  const Clock::duration budget_;
  const Poll poll_;
  int workers_ = 1;
  bool spins_ = false;          // whether every worker has a core
  std::exception_ptr failure_;  // worker 0 only
  std::atomic<bool> cut_{false};
  alignas(128) std::atomic<int> arrived_{0};
  EventCount generation_;  // barriers that all have reached
  alignas(128) Ballot ballots_[kBallots] = {};
  std::vector<long long> shares_;  // what each worker passed to the latest two scans
};

// One worker's view.
class CpuTeam : public LoneWorker<CpuTeam> {
 public:
  CpuTeam(ThreadPool& pool, int index) : pool_(pool), index_(index) {}

  long long index() const { return index_; }
  long long count() const { return pool_.workers_; }
  bool leads() const { return index_ == 0; }

  // Blocks of items in turn: neighbouring items share cache lines, and heavy regions are dealt out.
  template <class Visit>
  void for_each(long long items, Visit visit) {
    const long long fair = items / (count() * kBlocksEach) + 1;
    const long long block = fair < kBlock ? fair : kBlock;
    for (long long first = index_ * block; first < items; first += count() * block) {
      const long long last = first + block < items ? first + block : items;
      for (long long i = first; i < last; ++i) {
        if (cut_) return;
        visit(i);
      }
      spend(last - first);
    }
  }

  template <class Visit>
  void for_own(long long items, Visit visit) {
    for (long long i = 0; i < items && !cut_; ++i) visit(i);
    spend(items);
  }
  static int enough(int rounds) { return rounds; }

  Agreed agree(unsigned bits, long long value) {
    if (bits) fetch_or(&ballot().bits, bits);
    if (value) fetch_add(&ballot().total, value);
    const Ballot& outcome = meet();
    return {outcome.bits, outcome.total};
  }

  AgreedLeast agree(unsigned bits, long long value, long long least) {
    if (least != kNoLeast) fetch_min(&ballot().below, least - kNoLeast);
    if (bits) fetch_or(&ballot().bits, bits);
    if (value) fetch_add(&ballot().total, value);
    const Ballot& outcome = meet();
    return {outcome.bits, outcome.total, outcome.below + kNoLeast};
  }

  void barrier() { agree(0, 0); }
  Counted count_up(long long value, const Tally* tally) {
    const long long total = sum(value);
    return {total, load(&tally->first), load(&tally->second)};
  }

  // The shares of two scans take turns: nobody writes into the older one before all have read it.
  Scanned scan(long long value) {
    long long* shares = pool_.shares_.data() + (scans_++ % 2) * count();
    store(shares + index_, value);
    Scanned outcome{0, sum(value)};
    for (int before = 0; before < index_; ++before) outcome.before += load(shares + before);
    return outcome;
  }

  bool expired() const { return expired_; }

  // Whether this worker knows, since its last spend or barrier, that the caller gave up. Not agreed upon:
  // good for leaving long work inside an item, never for branching around a barrier.
  bool cut() const { return cut_; }

  // Whether this worker finds that the launch should end. Not agreed upon: for programs without barriers.
  bool late() {
    spend(kBarrierWork);
    return cut_ || ThreadPool::Clock::now() - began_ >= pool_.budget_;
  }

  // Whether this worker had to sleep at the latest barrier. Not agreed upon.
  bool slept() const { return slept_; }

  void spend(long long work) {
    until_poll_ -= work;
    if (until_poll_ > 0) return;
    if (leads()) pool_.poll(kWorkPerPoll - until_poll_);
    until_poll_ = kWorkPerPoll;
    cut_ = pool_.cut_.load(std::memory_order_relaxed);
  }

  long long reserve(long long* used, long long places) { return fetch_add(used, places); }

  void add(long long* place, long long value) {
    if (value) fetch_add(place, value);
  }

  // Called by every worker before a launch.
  void begin_launch() { began_ = ThreadPool::Clock::now(); }

 private:
  Ballot& ballot() { return pool_.ballots_[round_ % kBallots]; }

  const Ballot& meet() {
    Ballot& current = ballot();
    ++round_;
    if (leads()) {
      Ballot& next = ballot();  // nobody reads it any more, and nobody writes it before this barrier
      store(&next.bits, 0U);
      store(&next.stop, 0U);
      store(&next.total, 0LL);
      store(&next.below, 0LL);
      store(&current.stop,
            unsigned(bool(pool_.failure_) || ThreadPool::Clock::now() - began_ >= pool_.budget_));
    }
    slept_ = pool_.wait(leads());
    spend(kBarrierWork);
    cut_ = pool_.cut_.load(std::memory_order_relaxed);
    expired_ = load(&current.stop) != 0;
    return current;
  }

  static constexpr long long kBlock = 512;
  static constexpr long long kBlocksEach = 4;
  static constexpr long long kWorkPerPoll = 1 << 14;
  static constexpr long long kBarrierWork = 1 << 8;

  ThreadPool& pool_;
  const int index_;
  unsigned long long round_ = 0;
  unsigned scans_ = 0;
  long long until_poll_ = kWorkPerPoll;
  bool cut_ = false;
  bool expired_ = false;
  bool slept_ = false;
  ThreadPool::Clock::time_point began_;
};

template <class Launch, class Between>
void ThreadPool::run(int workers, Launch launch, Between between) {
  EventCount gate;  // raised when it is known how many threads the system gave
  const EventCount::Value closed = gate.value();
  spins_ = workers <= available_cores();
  const auto work = [&](int index) {
    CpuTeam team(*this, index);
    unsigned again = 1;
    while (again) {
      team.begin_launch();
      launch(team);
      team.barrier();
      again = 0;
      if (team.leads() && !failure_) {
        try {
          again = between();
        } catch (...) {
          fail();
        }
      }
      again = team.any(again);
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(workers > 1 ? workers - 1 : 0);
  try {
    for (int index = 1; index < workers; ++index)
      threads.emplace_back([&, index] {
        gate.wait(closed, spins_, [] {});
        work(index);
      });
  } catch (const std::system_error&) {
    // The system has no more threads to give: go on with those that started.
  }
  workers_ = int(threads.size()) + 1;
  shares_.assign(2 * workers_, 0);
  gate.raise();
  work(0);
  for (std::thread& thread : threads) thread.join();
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace konig::bsp
