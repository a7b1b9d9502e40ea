// What the workers on a CPU have in common, on threads and shuffled: each is a group and a crew of its own.
// `Self` is the team, which has for_each, reserve and the agreements.
#pragma once

#include <chrono>

#include "konig/bsp/limits.h"
#include "konig/bsp/outbox.h"
#include "konig/bsp/team.h"

namespace konig::bsp {

template <class Self>
class LoneWorker {
 public:
  template <class Load, class Use>
  void for_each_ahead(long long items, Load load, Use use) {
    self().for_each(items, [&](long long i) { use(i, load(i)); });
  }

  template <class Load, class Wanted, class Visit>
  void for_each_where(long long items, Load load, Wanted wanted, int, Visit visit) {
    self().for_each(items, [&](long long i) {
      if (wanted(load(i))) visit(i, 0, 1);
    });
  }

  template <class T, class Size, class Visit>
  void for_each_equal(const T* words, long long items, T value, bool, Size, Visit visit) {
    self().for_each(items, [&](long long i) {
      if (load(words + i) == value) visit(i, 0, 1);
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
  void append(Queue<T> queue, T value) {
    queue.items[self().reserve(queue.used, 1)] = value;
  }

  template <class T>
  void post(Queue<T> queue, T value) {
    if (!outbox_.put(value)) append(queue, value);
  }

  template <class T>
  void post_two(Queue<T> first, Queue<T> second, T value, bool to_second) {
    if (!outbox_.put(value)) append(to_second ? second : first, value);
  }

  void halt() { halted_ = true; }

  long long group_first(long long value, int) { return value; }
  Scanned group_scan(long long value, int) { return {0, value}; }
  template <class T>
  T group_min(T value, int) {
    return value;
  }
  int group_slot(bool wanted, int, int& used) { return wanted ? used++ : -1; }

  static constexpr int kWarp = 1;
  template <class Visit>
  static void for_strip(int items, Visit visit) {
    for (int k = 0; k < items; ++k) visit(k);
  }

  long long nanoseconds() const {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  long long ticks() const { return nanoseconds(); }

 protected:
  Outbox outbox_;
  bool halted_ = false;

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace konig::bsp
