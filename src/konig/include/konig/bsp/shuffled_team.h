// One worker that visits the items of every superstep in a random order and ends launches at random
// agreements: a test bed that shakes out dependence on order and state kept outside the workspace.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "konig/bsp/cpu_team.h"
#include "konig/bsp/team.h"

namespace konig::bsp {

class ShuffledTeam : public LoneWorker<ShuffledTeam> {
 public:
  ShuffledTeam(unsigned long long seed, std::function<void(long long)> poll)
      : random_(seed), poll_(std::move(poll)) {}

  // As ThreadPool::run; a poll that throws goes straight through.
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

  template <class Visit>
  void for_own(long long items, Visit visit) {
    for_each(items, visit);
  }
  int enough(int rounds) { return 1 + int(random_() % unsigned(rounds)); }

  Agreed agree(unsigned bits, long long value) {
    barrier();
    return {bits, value};
  }
  Counted count_up(long long value, const Tally* tally) {
    barrier();
    return {value, tally->first, tally->second};
  }
  AgreedLeast agree(unsigned bits, long long value, long long least) {
    barrier();
    return {bits, value, least};
  }
  Scanned scan(long long value) {
    barrier();
    return {0, value};
  }
  void barrier() { expired_ = random_() % kAgreementsPerLaunch == 0; }
  bool expired() const { return expired_; }
  bool late() {
    spend(1);
    return random_() % kAgreementsPerLaunch == 0;
  }

  void spend(long long work) {
    if (poll_) poll_(work);
  }

  long long reserve(long long* used, long long places) {
    const long long first = *used;
    *used += places;
    return first;
  }

  void add(long long* place, long long value) { *place += value; }

 private:
  static constexpr unsigned kAgreementsPerLaunch = 8;

  std::mt19937_64 random_;
  std::function<void(long long)> poll_;
  std::vector<long long> order_;
  bool expired_ = false;
};

}  // namespace konig::bsp
