// One worker that visits the items of every superstep in a random order and ends launches at random
// agreements: a test bed that shakes out dependence on order and state kept outside the workspace.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "konig/bsp/limits.h"
#include "konig/bsp/outbox.h"
#include "konig/bsp/team.h"

namespace konig::bsp {

class ShuffledTeam {
 public:
  ShuffledTeam(unsigned long long seed, std::function<void(long long)> poll)
      : random_(seed), poll_(std::move(poll)) {}

  // As CpuCrew::run; a poll that throws goes straight through.
  template <class Launch, class Between>
  void run(Launch launch, Between between) {
    do {
      launch(*this);
    } while (between());
  }

  long long index() const { return 0; }
  long long count() const { return 1; }
  bool leads() const { return true; }

  template <class Visit>
  void for_each(long long items, Visit visit) {
    order_.resize(items);
    std::iota(order_.begin(), order_.end(), 0LL);
    std::shuffle(order_.begin(), order_.end(), random_);
    for (const long long i : order_) {
      visit(i);
      spend(1);
    }
  }

  template <class Load, class Use>
  void for_each_ahead(long long items, Load load, Use use) {
    for_each(items, [&](long long i) { use(i, load(i)); });
  }

  template <class Load, class Wanted, class Visit>
  void for_each_where(long long items, Load load, Wanted wanted, int, Visit visit) {
    for_each(items, [&](long long i) {
      if (wanted(load(i))) visit(i, 0, 1);
    });
  }

  template <class T, class Visit>
  void for_each_equal(const T* words, long long items, T value, int, Visit visit) {
    for_each(items, [&](long long i) {
      if (load(words + i) == value) visit(i, 0, 1);
    });
  }

  template <class Load, class Wanted, class Visit>
  void attend(long long items, long long, Load load, Wanted wanted, Visit visit) {
    bool found = true;
    for (int pass = 0; pass < kPasses && found; ++pass) {
      found = false;
      for_each(items, [&](long long i) {
        const auto seen = load(i);
        if (!wanted(seen)) return;
        found = true;
        visit(i, seen);
      });
    }
  }

  template <class Visit>
  void for_each_wide(long long items, int, Visit visit) {
    for_each(items, [&](long long i) { visit(i, 0, 1); });
  }

  unsigned any(unsigned bits) {
    barrier();
    return bits;
  }
  long long sum(long long value) {
    barrier();
    return value;
  }
  Agreed agree(unsigned bits, long long value) {
    barrier();
    return {bits, value};
  }
  Counted count_up(long long value, const long long* first, const long long* second) {
    barrier();
    return {value, *first, *second};
  }
  Tallied tally(long long value, const long long* counters) {
    barrier();
    return {value, {counters[0], counters[1], counters[2], counters[3]}};
  }
  AgreedLeast agree_least(unsigned bits, long long value, long long least) {
    barrier();
    return {bits, value, least};
  }
  Scanned scan(long long value) {
    barrier();
    return {0, value};
  }
  void barrier() { expired_ = random_() % kAgreementsPerLaunch == 0; }
  bool expired() const { return expired_; }

  void spend(long long work) {
    if (poll_) poll_(work);
  }

  long long reserve(long long* used, long long places) {
    const long long first = *used;
    *used += places;
    return first;
  }

  template <class T>
  void append(Queue<T> queue, T value) {
    queue.items[reserve(queue.used, 1)] = value;
  }

  template <class T>
  void post(Queue<T> queue, T value) {
    if (!outbox_.put(value)) append(queue, value);
  }
  template <class T>
  void deliver(Queue<T> queue) {
    const std::size_t posted = outbox_.turn();
    for (std::size_t i = 0; i < posted; ++i) append(queue, outbox_.get<T>(i));
  }

  template <class T>
  void post_two(Queue<T> first, Queue<T> second, T value, bool to_second) {
    if (!outbox_.put(value)) append(to_second ? second : first, value);
  }
  template <class T, class IsSecond>
  void deliver_two(Queue<T> first, Queue<T> second, IsSecond is_second) {
    const std::size_t posted = outbox_.turn();
    for (std::size_t i = 0; i < posted; ++i) {
      const T value = outbox_.get<T>(i);
      append(is_second(value) ? second : first, value);
    }
  }

  // As many rounds as it likes.
  template <class T, class Visit>
  void expand(const T* items, long long n, Queue<T> queue, int, int rounds, Visit visit) {
    for_each(n, [&](long long i) { visit(items[i], 0, 1); });
    const int enough = 1 + int(random_() % unsigned(rounds));
    for (int round = 1; round < enough && outbox_.used() > 0; ++round)
      for_each((long long)outbox_.turn(), [&](long long i) { visit(outbox_.get<T>(std::size_t(i)), 0, 1); });
    deliver(queue);
  }

  template <class Item, class T, class Visit, class Leave>
  int alone(long long n, Item item, Queue<T> queue, int few, int rounds, Visit visit, Leave leave) {
    halted_ = false;
    for_each(n, [&](long long i) { visit(item(i), 0, 0, 1); });
    const int enough = 1 + int(random_() % unsigned(rounds));
    int round = 1;
    std::size_t posted = outbox_.turn();
    for (; round < enough && posted > 0 && posted <= std::size_t(few) && posted < Outbox::kPlaces && !halted_;
         ++round) {
      for_each((long long)posted, [&](long long i) { visit(outbox_.get<T>(std::size_t(i)), round, 0, 1); });
      posted = outbox_.turn();
    }
    for (std::size_t i = 0; i < posted; ++i) leave(outbox_.get<T>(i));
    deliver(queue);
    return round;
  }
  void halt() { halted_ = true; }

  void add(long long* place, long long value) { *place += value; }

  long long group_first(long long value, int) { return value; }
  Scanned group_scan(long long value, int) { return {0, value}; }
  template <class T>
  T group_min(T value, int) {
    return value;
  }
  int group_slot(bool wanted, int, int& used) { return wanted ? used++ : -1; }

  static constexpr int kWarp = 1;
  long long nanoseconds() const {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  long long ticks() const { return nanoseconds(); }

  static constexpr int kStrip = 8;
  static constexpr int kBytesAhead = 8;
  template <class Visit>
  static void for_strip(int items, Visit visit) {
    for (int k = 0; k < items; ++k) visit(k);
  }

 private:
  static constexpr unsigned kAgreementsPerLaunch = 8;

  std::mt19937_64 random_;
  std::function<void(long long)> poll_;
  std::vector<long long> order_;
  Outbox outbox_;
  bool expired_ = false;
  bool halted_ = false;
};

}  // namespace konig::bsp
