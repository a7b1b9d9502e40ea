// A crew of one worker on the CPU: the test bed of the algorithms that crews run on a GPU.
#pragma once

#include "konig/bsp/crew.h"

namespace konig::bsp {

class SoloCrew {
 public:
  static constexpr int kThreads = 1;
  static constexpr int kStrips = 2048;

  // After `patience` questions the time is over; never if it is 0.
  explicit SoloCrew(long long patience = 0) : patience_(patience) {}

  int rank() const { return 0; }
  bool leads() const { return true; }

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
  long long deal(long long* counter) const { return (*counter)++; }
  bool time_over() { return patience_ != 0 && ++asked_ >= patience_; }

 private:
  long long patience_;
  long long asked_ = 0;
};

}  // namespace konig::bsp
