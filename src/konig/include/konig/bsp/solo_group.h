// A group of one worker of a CPU team: how the algorithms that groups run on a GPU run on a CPU.
#pragma once

#include "konig/bsp/group.h"

namespace konig::bsp {

template <class Team, int kItemBytes>
class SoloGroup {
 public:
  static constexpr int kThreads = 1;
  static constexpr int kStrips = 2048;

  explicit SoloGroup(Team& team) : team_(team) {}

  int rank() const { return 0; }
  bool leads() const { return true; }
  long long groups() const { return team_.count(); }
  void* memory() { return memory_; }

  template <class Visit>
  void for_each(int count, Visit visit) const {
    for (int item = 0; item < count; ++item) visit(item, item);
  }
  template <class Visit>
  void each_row(int count, Visit visit) const {
    for (int i = 0; i < count; ++i) visit(i);
  }

  void barrier() const {}
  Least least(Least mine) const { return mine; }
  template <class T, class Combine>
  T reduce(T mine, Combine) const {
    return mine;
  }
  long long deal(long long* counter) const { return fetch_add(counter, 1LL); }
  bool time_over() { return team_.late(); }

 private:
  Team& team_;
  alignas(16) char memory_[kStrips * kItemBytes];
};

}  // namespace konig::bsp
