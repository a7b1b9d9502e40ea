// The division of work among the workers of a team: in pieces on demand, or in equal stretches.
#pragma once

#include <algorithm>
#include <cstdint>

#include "konig/bsp/team.h"

namespace konig {

// Items 0, 1, ... dealt out in pieces that shrink towards the end.
class alignas(128) Deal {
 public:
  explicit Deal(int64_t largest_piece = 64) : largest_piece_(largest_piece) {}

  void restart() { bsp::store(&dealt_, int64_t(0)); }

  // False when nothing is left.
  bool take(int64_t items, int64_t workers, int64_t& first, int64_t& last) {
    const int64_t left = items - bsp::load(&dealt_);
    if (left <= 0) return false;
    const int64_t piece = std::clamp<int64_t>(left / (8 * workers), 1, largest_piece_);
    first = bsp::fetch_add(&dealt_, piece);
    last = std::min(items, first + piece);
    return first < items;
  }

 private:
  const int64_t largest_piece_;
  int64_t dealt_ = 0;
};

// Items [first, last): one stretch for each worker.
struct Share {
  int64_t first, last;

  template <class Team>
  Share(int64_t items, const Team& team)
      : first(boundary(items, team.count(), team.index())),
        last(boundary(items, team.count(), team.index() + 1)) {}

  bool has(int64_t item) const { return first <= item && item < last; }

 private:
  static int64_t boundary(int64_t items, int64_t workers, int64_t index) {
    return items / workers * index + items % workers * index / workers;
  }
};

}  // namespace konig
