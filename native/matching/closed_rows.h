// Which rows a search may visit.
//
// A row is closed where mark[row] >= stamp: it was visited since the rows were last opened, or it is closed
// for good, since no augmenting path leads through it any more.
#pragma once

#include <limits>
#include <vector>

namespace konig {

template <class Id>
struct ClosedRows {
  static constexpr Id kForGood = std::numeric_limits<Id>::max();

  explicit ClosedRows(Id rows) : mark(rows, 0) {}

  // Rows visited so far may be visited again, except those closed for good.
  void open() { ++stamp; }

  std::vector<Id> mark;
  Id stamp = 1;
};

}  // namespace konig
